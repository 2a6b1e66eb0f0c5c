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
export interface Ticket extends Operation {
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

export interface Lane {
  push(ticket: Ticket): void
  /** Resolves when everything pushed so far has been answered. */
  flushed(): Promise<void>
}

export interface LaneTerms {
  /** Sends one batch; resolves after COMMIT. */
  readonly apply: (batch: readonly Operation[]) => Promise<readonly Applied[]>
  /** Batches under way at once. */
  readonly lanes: number
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
const markSeats = 16
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

export function createLane({ apply, lanes, clock, log, renew }: LaneTerms): Lane {
  let waiting: Ticket[] = []
  let marks: Ticket[] = []
  /** Batches put together before: refused with their neighbours, or to be repeated as they are. */
  let ready: Ticket[][] = []
  let running = 0
  let scheduled = false
  /** While the database does not answer, reserves are refused at once and closes wait. */
  let paused = false
  let pauseMs = pauseMinMs
  /** Requests whose operation failed alone since anything passed. */
  const strangers = new Set<string>()
  let generation: Generation = { open: 0 }
  let before: Promise<void> = Promise.resolve()

  function push(ticket: Ticket): void {
    ticket.generation = generation
    generation.open += 1
    if (ticket.kind === 'reserve' && (paused || waiting.length >= queueMax)) {
      fail(ticket, new Refusal('database_unavailable'))
      return
    }
    if (ticket.kind === 'mark') marks.push(ticket)
    else waiting.push(ticket)
    schedule()
  }

  /** At the end of the turn, so that whatever arrives together goes together. */
  function schedule(): void {
    if (scheduled || paused || running >= lanes) return
    scheduled = true
    setImmediate(pump)
  }

  function pump(): void {
    scheduled = false
    while (running < lanes && !paused) {
      const batch = ready.shift() ?? gather()
      if (batch.length === 0) return
      running += 1
      for (const ticket of batch) ticket.sent = true
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

  function gather(): Ticket[] {
    const batch: Ticket[] = []
    const ids = new Set<string>()
    const seats = batchMax - Math.min(marks.length, markSeats)
    waiting = seat(waiting, seats, batch, ids)
    marks = seat(marks, batchMax, batch, ids)
    return batch
  }

  /**
   * A second operation of a request in the batch stays behind, and so does everything after the
   * last seat.
   */
  function seat(from: Ticket[], seats: number, batch: Ticket[], ids: Set<string>): Ticket[] {
    const behind: Ticket[] = []
    let at = 0
    for (; at < from.length && batch.length < seats; at++) {
      const ticket = from[at]!
      if (ticket.dropped) finish(ticket)
      else if (ids.has(ticket.requestId)) behind.push(ticket)
      else {
        ids.add(ticket.requestId)
        batch.push(ticket)
      }
    }
    if (behind.length === 0 && at === from.length) return []
    const rest = from.slice(at)
    return behind.length === 0 ? rest : behind.concat(rest)
  }

  function answer(batch: readonly Ticket[], applied: readonly Applied[]): void {
    let fenced: Ticket[] | undefined
    for (let at = 0; at < batch.length; at++) {
      const ticket = batch[at]!
      const { verdict } = applied[at]!
      if (verdict === 'again') repeatAlone(ticket, batch.length)
      else if (verdict === 'fenced') {
        fenced ??= []
        fenced.push(ticket)
      } else {
        finish(ticket)
        tell(ticket, applied[at]!)
      }
    }
    if (fenced) repeatRenewed(fenced)
  }

  function repeatAlone(ticket: Ticket, neighbours: number): void {
    if (neighbours === 1) ticket.attempts += 1
    if (ticket.attempts > attemptsMax) fail(ticket, new Refusal('database_unavailable'))
    else ready.push([ticket])
  }

  function repeatRenewed(tickets: readonly Ticket[]): void {
    renew()
      .catch(() => false)
      .then((alive) => {
        for (const ticket of tickets) {
          ticket.attempts += 1
          if (alive && ticket.attempts <= attemptsMax) waiting.push(ticket)
          else fail(ticket, new Refusal('database_unavailable'))
        }
        schedule()
      })
  }

  function repair(batch: Ticket[], error: unknown): void {
    const fault = faultOf(error)
    const [only] = batch
    if (fault === 'unavailable') stepBack(batch, error)
    else if (fault === 'repeat') repeat(batch, error)
    else if (batch.length > 1) separate(batch, error)
    else if (only) repairOne(only, error)
  }

  /** Whoever is at fault shows when each is asked alone; its neighbours pass. */
  function separate(batch: readonly Ticket[], error: unknown): void {
    const isLate = isSlow(error)
    for (const ticket of batch) {
      ticket.alone = true
      if (isLate && !settles(ticket)) fail(ticket, unavailable(error))
      else ready.push([ticket])
    }
  }

  function repairOne(ticket: Ticket, error: unknown): void {
    if (faultOf(error) === 'item') {
      if (bare(ticket)) ready.push([ticket])
      else giveUp(ticket, error)
      return
    }
    failedAlone(ticket, error)
  }

  /** It may be this call alone that fails; where nothing else passes either, it is not. */
  function failedAlone(ticket: Ticket, error: unknown): void {
    strangers.add(ticket.requestId)
    const isForAll = strangers.size >= strangersMax
    if (settles(ticket)) setAside(ticket, error)
    else fail(ticket, unavailable(error))
    if (isForAll) stepBack([], error)
  }

  /** Proven: it will never pass. */
  function giveUp(ticket: Ticket, error: unknown): void {
    if (settles(ticket)) {
      const { requestId, amount } = ticket
      log.error({ err: error, requestId, amount }, 'a settlement cannot be stored')
    }
    fail(ticket, error)
  }

  /** Only this close fails: it comes again by itself, less and less often, and keeps nobody waiting. */
  function setAside(ticket: Ticket, error: unknown): void {
    ticket.alone = true
    const { requestId, attempts } = ticket
    ticket.attempts = Math.min(attempts + 1, 20)
    const waitMs = Math.min(pauseMinMs * 2 ** ticket.attempts, asideMaxMs)
    log.error({ err: error, requestId, waitMs }, 'a settlement fails and will be tried again')
    clock.after(waitMs, () => {
      ready.push([ticket])
      schedule()
    })
  }

  function repeat(batch: Ticket[], error: unknown): void {
    let attempts = 0
    for (const ticket of batch) {
      ticket.attempts += 1
      attempts = Math.max(attempts, ticket.attempts)
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
  function exhausted(batch: readonly Ticket[], error: unknown): void {
    const [only] = batch
    if (batch.length === 1 && only?.alone) {
      failedAlone(only, error)
      return
    }
    for (const ticket of batch) ticket.alone = true
    stepBack(batch, error)
  }

  /** Nobody's call passes: reserves and marks are refused now, closes come again until it does. */
  function stepBack(batch: readonly Ticket[], error: unknown): void {
    const refused = [...batch, ...ready.flat(), ...waiting, ...marks]
    ready = []
    marks = []
    waiting = []
    strangers.clear()
    for (const ticket of refused) {
      if (!settles(ticket)) fail(ticket, unavailable(error))
      else if (ticket.alone) ready.push([ticket])
      else {
        ticket.attempts = 0
        waiting.push(ticket)
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

  function fail(ticket: Ticket, error: unknown): void {
    finish(ticket)
    ticket.fail(error)
  }

  function finish({ generation }: Ticket): void {
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
function tell(ticket: Ticket, applied: Applied): void {
  try {
    ticket.done(applied)
  } catch (error) {
    ticket.fail(error)
  }
}

function settles({ kind }: Ticket): boolean {
  return kind === 'close' || kind === 'abandon'
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('database_unavailable', {}, { cause })
}

/**
 * A close whose facts cannot be stored (a character the database does not take, say) goes through
 * without them: the charge matters more. Returns false when there is nothing left to leave out.
 */
function bare(ticket: Ticket): boolean {
  if (!settles(ticket)) return false
  const { outcome, delivered, detail } = JSON.parse(ticket.payload)
  const payload = JSON.stringify({ outcome, delivered, detail: { unstorable: true } })
  if (detail?.unstorable) return false
  ticket.payload = payload
  return true
}
