/**
 * The primary process of several: starts the workers, each of them the program of today, replaces those that end, and writes what they
 * log. It serves nothing itself (decision 0088).
 */
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../kernel/contract/kit.js'
import type { LineWriter } from '../../kernel/log/line-writer.js'
import { roleVariable, workerName } from '../environment.js'
import type { Ready, ToPrimary } from './messages.js'
import { Place } from './place.js'
import { Switchboard, sendTo } from './switchboard.js'
import { wholeLines } from './whole-lines.js'

export interface SupervisorOptions {
  readonly count: number
  /** Each worker adds its number. */
  readonly nodeName: string
  readonly log: Log
  readonly lines: LineWriter
  /** The first of them listens; called once. */
  greet(ready: Ready): void
}

const program = fileURLToPath(new URL('../start.js', import.meta.url))
const dropsMs = 1_000

export function supervise(options: SupervisorOptions): void {
  const { count, nodeName, log, lines, greet } = options
  // Each connection goes to the next worker. Without that, the one that wakes first takes most of them.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ exec: program, args: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const switchboard = new Switchboard()
  const places = Array.from({ length: count }, (_, index) => new Place(index + 1))
  const open = new Set<Worker>()
  let greeted = false
  let stopping = false
  let status = 0

  function start(place: Place): void {
    const { number } = place
    const worker = cluster.fork({ [roleVariable]: `${number}/${count}` })
    place.begun(worker)
    open.add(worker)
    worker.process.stdout?.on(
      'data',
      wholeLines((text, count) => lines.write(text, count)),
    )
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'ready') ready(place, message)
      else switchboard.take(number, worker, message)
    })
    worker.on('error', (err) => log.warn({ err, worker: number }, 'a worker could not be reached'))
    worker.process.once('exit', (code, signal) => {
      const { pid = 0 } = worker.process
      switchboard.gone(number, workerName(nodeName, number), pid)
      ended(place, { code, signal, pid })
    })
    // By then all that it logged has been read.
    worker.process.once('close', () => {
      open.delete(worker)
      endOnceClosed()
    })
  }

  function ready(place: Place, { kind: _, ...told }: Ready & { kind: 'ready' }): void {
    place.ready = true
    if (!greeted) greet(told)
    const of = { worker: workerName(nodeName, place.number), workerPid: place.pid }
    const ready = places.filter((one) => one.ready).length
    log.info({ ...of, ready, workers: count }, `worker ${place.number} listens`)
    if (greeted || stopping) return
    greeted = true
    for (const other of places.slice(1)) start(other)
  }

  function ended(place: Place, { code, signal, pid }: Exit): void {
    if (code !== 0) status = 1
    if (stopping) return
    // Why it could not begin stands on standard error.
    if (!greeted) process.exit(code || 1)
    const delayMs = place.ended()
    const of = { worker: workerName(nodeName, place.number), workerPid: pid, code, signal, delayMs }
    log.error(of, `worker ${place.number} ended unasked and is replaced`)
    place.later(delayMs, () => start(place))
  }

  function endOnceClosed(): void {
    if (stopping && open.size === 0) process.exit(status)
  }

  function stop(signal: NodeJS.Signals): void {
    if (stopping) {
      for (const worker of open) worker.process.kill('SIGKILL')
      process.exit(1)
    }
    stopping = true
    status = 0
    log.info({ signal }, 'stopping every worker; a second signal ends them at once')
    for (const place of places) place.cancel()
    for (const worker of open) sendTo(worker, { kind: 'stop' })
    endOnceClosed()
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  accountForDrops(lines, switchboard)
  start(places[0]!)
}

interface Exit {
  readonly code: number | null
  readonly signal: string | null
  readonly pid: number
}

/** Metrics are the workers'; what is dropped here is counted by one of them. */
function accountForDrops(lines: LineWriter, switchboard: Switchboard): void {
  let known = 0
  const look = () => {
    const dropped = lines.dropped()
    if (dropped > known && switchboard.toOne({ kind: 'dropped', lines: dropped - known })) {
      known = dropped
    }
  }
  setInterval(look, dropsMs).unref()
}
