/**
 * Has receipts made by a thread that is started when one is wanted, and ended when none has been for a while: with it go the
 * fonts, so that a gateway nobody wants a receipt of holds none.
 */
import { Worker } from 'node:worker_threads'
import type { Clock, Log } from '../../../../kernel/contract/kit.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import type { ReceiptDocument } from '../document.js'

export interface Job {
  readonly id: number
  readonly receipt: ReceiptDocument
}

export type Made =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly fault: string }

export interface Printer {
  /** Rejects with a `Refusal` where too many wait. */
  print(receipt: ReceiptDocument): Promise<Buffer>
  stop(): Promise<void>
}

interface Waiting {
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

const waitingMax = 32
const jobMs = 15_000
const idleMs = 30_000
const heapMegabytesMax = 256

export function createPrinter({
  clock,
  log,
}: {
  readonly clock: Clock
  readonly log: Log
}): Printer {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let stopClock = () => {}
  let lastId = 0

  function running(): Worker {
    worker ??= started()
    return worker
  }

  function started(): Worker {
    const made = new Worker(new URL('./worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    })
    made.on('message', take)
    made.on('error', (err) => {
      log.error({ err }, 'the thread that makes receipts broke')
    })
    made.on('exit', () => {
      if (worker === made) end()
    })
    return made
  }

  function take(made: Made): void {
    const one = waiting.get(made.id)
    waiting.delete(made.id)
    if ('bytes' in made) {
      const { buffer, byteOffset, byteLength } = made.bytes
      one?.resolve(Buffer.from(buffer, byteOffset, byteLength))
    } else one?.reject(new Error(`A receipt could not be made: ${made.fault}`))
    watch()
  }

  /** Each receipt has its time; a thread without work has a while. */
  function watch(): void {
    stopClock()
    if (waiting.size > 0) {
      worker?.ref()
      stopClock = clock.after(jobMs, end)
    } else {
      // It keeps no process alive.
      worker?.unref()
      stopClock = clock.after(idleMs, end)
    }
  }

  function end(): void {
    stopClock()
    void worker?.terminate()
    worker = undefined
    const left = [...waiting.values()]
    waiting.clear()
    for (const one of left) one.reject(new Error('The thread that makes receipts has ended.'))
  }

  return {
    async print(receipt) {
      if (waiting.size >= waitingMax) throw busy()
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        running().postMessage({ id, receipt } satisfies Job)
        watch()
      })
    },
    async stop() {
      const ending = worker?.terminate()
      end()
      await ending
    },
  }
}

function busy(): Refusal {
  const seconds = 5
  const headers = { 'retry-after': String(seconds) }
  return new Refusal('rate_limit_exceeded', { seconds }, { headers })
}
