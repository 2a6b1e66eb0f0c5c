/**
 * Group commit: a queue of billing operations, sent in batches the moment a lane is free and
 * answered after COMMIT. Nothing is claimed that is not committed; what the queue holds when the
 * process dies stays a hold (ledger/README.md section 8).
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Applied, Operation } from './batch.js'
import { faultOf, isSlow } from './faults.js'

/** An operation on its way. The lane calls `done` or `fail`, once. */
export interface PendingOperation extends Operation {
  payload: string
  done(applied: Applied): void
  fail(error: unknown): void
  /** Set by the caller: it need not be sent any more. */
  dropped: boolean
  /** Set by the lane: it may have reached the database. */
  sent: boolean
  attempts: number
  /** Set by the lane: it shares no batch any more, since one it was in failed. */
  alone: boolean
  generation: Generation | undefined
}

export interface CommitQueueDependencies {
  /** Sends one batch; resolves after COMMIT. */
  readonly apply: (batch: readonly Operation[]) => Promise<readonly Applied[]>
  /** Batches under way at once. */
  readonly batchesMax: number
  readonly clock: Clock
  readonly log: Log
  /** Called when the database calls this process fenced; resolves with whether it may go on. */
  readonly renew: () => Promise<boolean>
}

interface Generation {
  open: number
  ended?: () => void
}

const batchMax = 64
/** Seats of a batch that waiting marks get in any case. */
const markPlaces = 16
const attemptsMax = 5
const jitterMs = 20
const pauseMinMs = 100
const pauseMaxMs = 2_000
/** Longest wait of a close that fails by itself while others pass. */
const asideMaxMs = 10_000
/** Requests whose operations fail alone, one after another, before it is taken for the database's fault and not theirs. */
const strangersMax = 3
/**
 * Operations waiting: past this many nothing is admitted. A database that keeps up never sees a
 * thousand.
 */
const queueMax = 20_000

export class CommitQueue {
  private waiting: PendingOperation[] = []
  private marks: PendingOperation[] = []
  /** Batches put together before: refused with their neighbours, or to be repeated as they are. */
  private ready: PendingOperation[][] = []
  private running = 0
  private scheduled = false
  /** While the database does not answer, reserves are refused at once and closes wait. */
  private paused = false
  private pauseMs = pauseMinMs
  /** Requests whose operation failed alone since anything passed. */
  private readonly strangers = new Set<string>()
  private generation: Generation = { open: 0 }
  private before: Promise<void> = Promise.resolve()

  private readonly pumpNow = () => this.pump()

  constructor(private readonly dependencies: CommitQueueDependencies) {}

  push(operation: PendingOperation): void {
    operation.generation = this.generation
    this.generation.open += 1
    if (operation.kind === 'reserve' && (this.paused || this.waiting.length >= queueMax)) {
      this.fail(operation, new Refusal('database_unavailable'))
      return
    }
    if (operation.kind === 'mark') this.marks.push(operation)
    else this.waiting.push(operation)
    this.schedule()
  }

  /** At the end of the turn, so that whatever arrives together goes together. */
  private schedule(): void {
    if (this.scheduled || this.paused || this.running >= this.dependencies.batchesMax) return
    this.scheduled = true
    setImmediate(this.pumpNow)
  }

  private pump(): void {
    this.scheduled = false
    while (this.running < this.dependencies.batchesMax && !this.paused) {
      const batch = this.ready.shift() ?? this.gather()
      if (batch.length === 0) return
      this.running += 1
      for (const operation of batch) operation.sent = true
      this.dependencies.apply(batch).then(
        (applied) => {
          this.running -= 1
          this.pauseMs = pauseMinMs
          this.strangers.clear()
          this.answer(batch, applied)
          this.pump()
        },
        (error: unknown) => {
          this.running -= 1
          this.repair(batch, error)
          this.pump()
        },
      )
    }
  }

  private gather(): PendingOperation[] {
    const batch: PendingOperation[] = []
    const ids = new Set<string>()
    const room = batchMax - Math.min(this.marks.length, markPlaces)
    this.waiting = this.fill(this.waiting, room, batch, ids)
    this.marks = this.fill(this.marks, batchMax, batch, ids)
    return batch
  }

  /**
   * A second operation of a request in the batch stays behind, and so does everything after the
   * last seat.
   */
  private fill(
    from: PendingOperation[],
    room: number,
    batch: PendingOperation[],
    ids: Set<string>,
  ): PendingOperation[] {
    const behind: PendingOperation[] = []
    let at = 0
    for (; at < from.length && batch.length < room; at++) {
      const operation = from[at]!
      if (operation.dropped) this.finish(operation)
      else if (ids.has(operation.requestId)) behind.push(operation)
      else {
        ids.add(operation.requestId)
        batch.push(operation)
      }
    }
    if (behind.length === 0 && at === from.length) return []
    const rest = from.slice(at)
    return behind.length === 0 ? rest : behind.concat(rest)
  }

  private answer(batch: readonly PendingOperation[], applied: readonly Applied[]): void {
    let fenced: PendingOperation[] | undefined
    for (let at = 0; at < batch.length; at++) {
      const operation = batch[at]!
      const { verdict } = applied[at]!
      if (verdict === 'again') this.repeatAlone(operation, batch.length)
      else if (verdict === 'fenced') {
        fenced ??= []
        fenced.push(operation)
      } else {
        this.finish(operation)
        complete(operation, applied[at]!)
      }
    }
    if (fenced) this.repeatRenewed(fenced)
  }

  private repeatAlone(operation: PendingOperation, neighbours: number): void {
    if (neighbours === 1) operation.attempts += 1
    if (operation.attempts > attemptsMax) this.fail(operation, new Refusal('database_unavailable'))
    else this.ready.push([operation])
  }

  private repeatRenewed(operations: readonly PendingOperation[]): void {
    this.dependencies
      .renew()
      .catch(() => false)
      .then((alive) => {
        for (const operation of operations) {
          operation.attempts += 1
          if (alive && operation.attempts <= attemptsMax) this.waiting.push(operation)
          else this.fail(operation, new Refusal('database_unavailable'))
        }
        this.schedule()
      })
  }

  private repair(batch: PendingOperation[], error: unknown): void {
    const fault = faultOf(error)
    const [only] = batch
    if (fault === 'unavailable') this.stepBack(batch, error)
    else if (fault === 'repeat') this.repeat(batch, error)
    else if (batch.length > 1) this.separate(batch, error)
    else if (only) this.repairOne(only, error)
  }

  /** Whoever is at fault shows when each is sent alone; its neighbours pass. */
  private separate(batch: readonly PendingOperation[], error: unknown): void {
    const isLate = isSlow(error)
    for (const operation of batch) {
      operation.alone = true
      if (isLate && !settles(operation)) this.fail(operation, unavailable(error))
      else this.ready.push([operation])
    }
  }

  private repairOne(operation: PendingOperation, error: unknown): void {
    if (faultOf(error) === 'item') {
      if (bare(operation)) this.ready.push([operation])
      else this.giveUp(operation, error)
      return
    }
    this.failedAlone(operation, error)
  }

  /** It may be this call alone that fails; where nothing else passes either, it is not. */
  private failedAlone(operation: PendingOperation, error: unknown): void {
    this.strangers.add(operation.requestId)
    const isForAll = this.strangers.size >= strangersMax
    if (settles(operation)) this.setAside(operation, error)
    else this.fail(operation, unavailable(error))
    if (isForAll) this.stepBack([], error)
  }

  /** Proven: it will never pass. */
  private giveUp(operation: PendingOperation, error: unknown): void {
    if (settles(operation)) {
      const { requestId, amount } = operation
      this.dependencies.log.error(
        { err: error, requestId, amount },
        'a settlement cannot be stored',
      )
    }
    this.fail(operation, error)
  }

  /** Only this close fails: it comes again by itself, less and less often, and keeps nobody waiting. */
  private setAside(operation: PendingOperation, error: unknown): void {
    operation.alone = true
    const { requestId, attempts } = operation
    operation.attempts = Math.min(attempts + 1, 20)
    const waitMs = Math.min(pauseMinMs * 2 ** operation.attempts, asideMaxMs)
    this.dependencies.log.error(
      { err: error, requestId, waitMs },
      'a settlement fails and will be tried again',
    )
    this.dependencies.clock.after(waitMs, () => {
      this.ready.push([operation])
      this.schedule()
    })
  }

  private repeat(batch: PendingOperation[], error: unknown): void {
    let attempts = 0
    for (const operation of batch) {
      operation.attempts += 1
      attempts = Math.max(attempts, operation.attempts)
    }
    if (attempts > attemptsMax) {
      this.exhausted(batch, error)
      return
    }
    this.dependencies.clock.after(jitterMs * attempts * (0.5 + Math.random()), () => {
      if (this.paused) this.stepBack(batch, error)
      else this.ready.push(batch)
      this.schedule()
    })
  }

  /**
   * As if the database were away, unless it is this close that ends every connection it is sent on: so those of the
   * batch come again one by one, and who fails alone waits alone.
   */
  private exhausted(batch: readonly PendingOperation[], error: unknown): void {
    const [only] = batch
    if (batch.length === 1 && only?.alone) {
      this.failedAlone(only, error)
      return
    }
    for (const operation of batch) operation.alone = true
    this.stepBack(batch, error)
  }

  /** Nobody's call passes: reserves and marks are refused now, closes come again until it does. */
  private stepBack(batch: readonly PendingOperation[], error: unknown): void {
    const refused = [...batch, ...this.ready.flat(), ...this.waiting, ...this.marks]
    this.ready = []
    this.marks = []
    this.waiting = []
    this.strangers.clear()
    for (const operation of refused) {
      if (!settles(operation)) this.fail(operation, unavailable(error))
      else if (operation.alone) this.ready.push([operation])
      else {
        operation.attempts = 0
        this.waiting.push(operation)
      }
    }
    if (this.paused) return
    this.paused = true
    this.dependencies.log.error(
      { err: error, waiting: this.waiting.length + this.ready.length },
      'the database takes no billing: nothing is admitted',
    )
    this.dependencies.clock.after(this.pauseMs, () => {
      this.paused = false
      this.pump()
    })
    this.pauseMs = Math.min(this.pauseMs * 2, pauseMaxMs)
  }

  private fail(operation: PendingOperation, error: unknown): void {
    this.finish(operation)
    operation.fail(error)
  }

  private finish({ generation }: PendingOperation): void {
    if (!generation) return
    generation.open -= 1
    if (generation.open === 0) generation.ended?.()
  }

  /** Resolves when everything pushed so far has been answered. */
  flushed(): Promise<void> {
    const current = this.generation
    const earlier = this.before
    this.generation = { open: 0 }
    this.before = new Promise<void>((resolve) => {
      const ended = () => earlier.then(resolve)
      if (current.open === 0) ended()
      else current.ended = ended
    })
    return this.before
  }
}

/** What goes wrong with one answer stays with it. */
function complete(operation: PendingOperation, applied: Applied): void {
  try {
    operation.done(applied)
  } catch (error) {
    operation.fail(error)
  }
}

function settles({ kind }: PendingOperation): boolean {
  return kind === 'close' || kind === 'abandon'
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('database_unavailable', {}, { cause })
}

/**
 * A close whose facts cannot be stored (a character the database does not take, say) goes through
 * without them: the charge matters more. Returns false when there is nothing left to leave out.
 */
function bare(operation: PendingOperation): boolean {
  if (!settles(operation)) return false
  const { outcome, delivered, detail } = JSON.parse(operation.payload)
  const payload = JSON.stringify({ outcome, delivered, detail: { unstorable: true } })
  if (detail?.unstorable) return false
  operation.payload = payload
  return true
}
