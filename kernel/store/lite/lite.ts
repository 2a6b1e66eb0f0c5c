/**
 * The embedded database as a server with several connections: starts the worker, hands out streams for stock `pg`
 * and knex, and starts the worker anew when it broke, as a server would be after a crash.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Log } from '../../contract/kit.js'
import type { Order, Report, WorkerOptions } from './control.js'
import { makeWhole } from './make-whole.js'
import { PortStream } from './port-stream.js'

export interface LiteOptions {
  /** Directory of the database, made when missing; absent: in memory, gone at the end. */
  readonly directory?: string
  /** A file made by `snapshot`; a new database begins as its copy. */
  readonly snapshotFile?: string
  /** How long a transaction may ask nothing, milliseconds; 5000 when absent. */
  readonly idleTransactionMs?: number
  readonly log: Log
}

export interface Lite {
  /** A maker of streams for the `stream` option of `pg`; of waiting connections the highest priority goes first. */
  stream(priority: number): () => PortStream
  /** Writes a copy of the whole database to a file. Nobody may be connected. */
  snapshot(file: string): Promise<void>
  /** Ends the database properly. Connections are to be ended before. */
  close(): Promise<void>
}

/** Resolves once the database answers; rejects when it cannot be opened. */
export async function openLite(options: LiteOptions): Promise<Lite> {
  const { directory, snapshotFile, idleTransactionMs = 5000, log } = options
  if (directory !== undefined) await makeWhole(directory, snapshotFile)
  const place = directory === undefined ? { snapshotFile } : { directory }
  const begin = () => start({ ...place, idleTransactionMs }, log)
  let running = await begin()
  let restart: Promise<RunningWorker> | undefined
  let closed = false

  async function dial(priority: number): Promise<MessagePort> {
    if (closed) throw unavailable('The embedded database is closed.')
    if (running.broken) await mend(running, running.broken)
    const { port1, port2 } = new MessageChannel()
    running.order({ kind: 'connect', port: port2, priority }, [port2])
    return port1
  }

  async function mend(old: RunningWorker, broken: Error): Promise<void> {
    if (directory === undefined) throw unavailable(broken.message)
    restart ??= old.ended.then(begin).finally(() => {
      restart = undefined
    })
    running = await restart
  }

  return {
    stream: (priority) => () => new PortStream(() => dial(priority)),
    snapshot: (file) => running.perform({ kind: 'snapshot', file }),
    close: async () => {
      if (closed) return
      closed = true
      const last = (await restart?.catch(() => undefined)) ?? running
      await last.close()
    },
  }
}

interface RunningWorker {
  /** Set once the worker ends unexpectedly. */
  readonly broken: Error | undefined
  /** Resolves when nothing of the worker runs any more. */
  readonly ended: Promise<void>
  order(order: Order, transfer?: readonly MessagePort[]): void
  perform(order: Extract<Order, { kind: 'snapshot' | 'close' }>): Promise<void>
  close(): Promise<void>
}

async function start(workerTerms: WorkerOptions, log: Log): Promise<RunningWorker> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: workerTerms })
  let broken: Error | undefined
  worker.on('error', (error) => {
    broken = error
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      broken ??= new Error('The embedded database has ended.')
      resolve()
    })
  })
  try {
    await answerOf(worker, 'open')
  } catch (error) {
    await worker.terminate()
    throw error
  }
  worker.on('error', (error) => log.error({ err: error }, 'embedded database broke'))

  const perform: RunningWorker['perform'] = async (order) => {
    if (broken) throw unavailable(broken.message)
    const answer = answerOf(worker, order.kind)
    worker.postMessage(order)
    await answer
  }
  return {
    get broken() {
      return broken
    },
    ended,
    order: (order, transfer = []) => worker.postMessage(order, transfer),
    perform,
    close: async () => {
      if (!broken) await perform({ kind: 'close' })
      await worker.terminate()
    },
  }
}

/** Resolves when the worker reports the order done; rejects when it failed or the worker ended. */
function answerOf(worker: Worker, order: 'open' | 'snapshot' | 'close'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      worker.off('message', onReport).off('error', settle).off('exit', onExit)
      if (error) reject(error)
      else resolve()
    }
    const onExit = () => settle(unavailable('The embedded database has ended.'))
    const onReport = (report: Report) => {
      if (report.kind === 'ready' && order === 'open') settle()
      else if (report.kind === 'done' && report.order === order) settle()
      else if (report.kind === 'failed' && report.order === order) {
        settle(new Error(`The embedded database failed to ${order}: ${report.reason}`))
      }
    }
    worker.on('message', onReport).on('error', settle).on('exit', onExit)
  })
}

function unavailable(sentence: string): Error {
  return Object.assign(new Error(sentence), { code: 'ECONNREFUSED' })
}
