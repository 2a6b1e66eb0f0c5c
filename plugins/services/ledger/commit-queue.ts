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

export interface CommitQueue {
  push(operation: PendingOperation): void
  /** Resolves when everything pushed so far has been answered. */
  flushed(): Promise<void>
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

export function createCommitQueue({
  apply,
  batchesMax,
  clock,
  log,
  renew,
}: CommitQueueDependencies): CommitQueue {
  let waiting: PendingOperation[] = []
  let marks: PendingOperation[] = []
  /** Batches put together before: refused with their neighbours, or to be repeated as they are. */
  let ready: PendingOperation[][] = []
  let running = 0
  let scheduled = false
  /** While the database does not answer, reserves are refused at once and closes wait. */
  let paused = false
  let pauseMs = pauseMinMs
  /** Requests whose operation failed alone since anything passed. */
  const strangers = new Set<string>()
  let generation: Generation = { open: 0 }
  let before: Promise<void> = Promise.resolve()

  function push(operation: PendingOperation): void {
    operation.generation = generation
    generation.open += 1
    if (operation.kind === 'reserve' && (paused || waiting.length >= queueMax)) {
      fail(operation, new Refusal('database_unavailable'))
      return
    }
    if (operation.kind === 'mark') marks.push(operation)
    else waiting.push(operation)
    schedule()
  }

  /** At the end of the turn, so that whatever arrives together goes together. */
  function schedule(): void {
    if (scheduled || paused || running >= batchesMax) return
    scheduled = true
    setImmediate(pump)
  }

  function pump(): void {
    scheduled = false
    while (running < batchesMax && !paused) {
      const batch = ready.shift() ?? gather()
      if (batch.length === 0) return
      running += 1
      for (const operation of batch) operation.sent = true
      apply(batch).then(
        (applied) => {
          running -= 1
          pauseMs = pauseMinMs
          strangers.clear()
          answer(batch, applied)
          pump()
        },
        (error: unknown) => {
          running -= 1
          repair(batch, error)
          pump()
        },
      )
    }
  }

  function gather(): PendingOperation[] {
    const batch: PendingOperation[] = []
    const ids = new Set<string>()
    const room = batchMax - Math.min(marks.length, markPlaces)
    waiting = fill(waiting, room, batch, ids)
    marks = fill(marks, batchMax, batch, ids)
    return batch
  }

  /**
   * A second operation of a request in the batch stays behind, and so does everything after the
   * last seat.
   */
  function fill(
    from: PendingOperation[],
    room: number,
    batch: PendingOperation[],
    ids: Set<string>,
  ): PendingOperation[] {
    const behind: PendingOperation[] = []
    let at = 0
    for (; at < from.length && batch.length < room; at++) {
      const operation = from[at]!
      if (operation.dropped) finish(operation)
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

  function answer(batch: readonly PendingOperation[], applied: readonly Applied[]): void {
    let fenced: PendingOperation[] | undefined
    for (let at = 0; at < batch.length; at++) {
      const operation = batch[at]!
      const { verdict } = applied[at]!
      if (verdict === 'again') repeatAlone(operation, batch.length)
      else if (verdict === 'fenced') {
        fenced ??= []
        fenced.push(operation)
      } else {
        finish(operation)
        complete(operation, applied[at]!)
      }
    }
    if (fenced) repeatRenewed(fenced)
  }

  function repeatAlone(operation: PendingOperation, neighbours: number): void {
    if (neighbours === 1) operation.attempts += 1
    if (operation.attempts > attemptsMax) fail(operation, new Refusal('database_unavailable'))
    else ready.push([operation])
  }

  function repeatRenewed(operations: readonly PendingOperation[]): void {
    renew()
      .catch(() => false)
      .then((alive) => {
        for (const operation of operations) {
          operation.attempts += 1
          if (alive && operation.attempts <= attemptsMax) waiting.push(operation)
          else fail(operation, new Refusal('database_unavailable'))
        }
        schedule()
      })
  }

  function repair(batch: PendingOperation[], error: unknown): void {
    const fault = faultOf(error)
    const [only] = batch
    if (fault === 'unavailable') stepBack(batch, error)
    else if (fault === 'repeat') repeat(batch, error)
    else if (batch.length > 1) separate(batch, error)
    else if (only) repairOne(only, error)
  }

  /** Whoever is at fault shows when each is sent alone; its neighbours pass. */
  function separate(batch: readonly PendingOperation[], error: unknown): void {
    const isLate = isSlow(error)
    for (const operation of batch) {
      operation.alone = true
      if (isLate && !settles(operation)) fail(operation, unavailable(error))
      else ready.push([operation])
    }
  }

  function repairOne(operation: PendingOperation, error: unknown): void {
    if (faultOf(error) === 'item') {
      if (bare(operation)) ready.push([operation])
      else giveUp(operation, error)
      return
    }
    failedAlone(operation, error)
  }

  /** It may be this call alone that fails; where nothing else passes either, it is not. */
  function failedAlone(operation: PendingOperation, error: unknown): void {
    strangers.add(operation.requestId)
    const isForAll = strangers.size >= strangersMax
    if (settles(operation)) setAside(operation, error)
    else fail(operation, unavailable(error))
    if (isForAll) stepBack([], error)
  }

  /** Proven: it will never pass. */
  function giveUp(operation: PendingOperation, error: unknown): void {
    if (settles(operation)) {
      const { requestId, amount } = operation
      log.error({ err: error, requestId, amount }, 'a settlement cannot be stored')
    }
    fail(operation, error)
  }

  /** Only this close fails: it comes again by itself, less and less often, and keeps nobody waiting. */
  function setAside(operation: PendingOperation, error: unknown): void {
    operation.alone = true
    const { requestId, attempts } = operation
    operation.attempts = Math.min(attempts + 1, 20)
    const waitMs = Math.min(pauseMinMs * 2 ** operation.attempts, asideMaxMs)
    log.error({ err: error, requestId, waitMs }, 'a settlement fails and will be tried again')
    clock.after(waitMs, () => {
      ready.push([operation])
      schedule()
    })
  }

  function repeat(batch: PendingOperation[], error: unknown): void {
    let attempts = 0
    for (const operation of batch) {
      operation.attempts += 1
      attempts = Math.max(attempts, operation.attempts)
    }
    if (attempts > attemptsMax) {
      exhausted(batch, error)
      return
    }
    clock.after(jitterMs * attempts * (0.5 + Math.random()), () => {
      if (paused) stepBack(batch, error)
      else ready.push(batch)
      schedule()
    })
  }

  /**
   * As if the database were away, unless it is this close that ends every connection it is sent on: so those of the
   * batch come again one by one, and who fails alone waits alone.
   */
  function exhausted(batch: readonly PendingOperation[], error: unknown): void {
    const [only] = batch
    if (batch.length === 1 && only?.alone) {
      failedAlone(only, error)
      return
    }
    for (const operation of batch) operation.alone = true
    stepBack(batch, error)
  }

  /** Nobody's call passes: reserves and marks are refused now, closes come again until it does. */
  function stepBack(batch: readonly PendingOperation[], error: unknown): void {
    const refused = [...batch, ...ready.flat(), ...waiting, ...marks]
    ready = []
    marks = []
    waiting = []
    strangers.clear()
    for (const operation of refused) {
      if (!settles(operation)) fail(operation, unavailable(error))
      else if (operation.alone) ready.push([operation])
      else {
        operation.attempts = 0
        waiting.push(operation)
      }
    }
    if (paused) return
    paused = true
    log.error(
      { err: error, waiting: waiting.length + ready.length },
      'the database takes no billing: nothing is admitted',
    )
    clock.after(pauseMs, () => {
      paused = false
      pump()
    })
    pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
  }

  function fail(operation: PendingOperation, error: unknown): void {
    finish(operation)
    operation.fail(error)
  }

  function finish({ generation }: PendingOperation): void {
    if (!generation) return
    generation.open -= 1
    if (generation.open === 0) generation.ended?.()
  }

  function flushed(): Promise<void> {
    const current = generation
    const earlier = before
    generation = { open: 0 }
    before = new Promise<void>((resolve) => {
      const ended = () => earlier.then(resolve)
      if (current.open === 0) ended()
      else current.ended = ended
    })
    return before
  }

  return { push, flushed }
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
