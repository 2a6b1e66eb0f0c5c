/**
 * The holds of the line: each knows its revisions, what is set aside and what the answer has cost
 * so far. All I/O goes through the lane; one timer marks the progress of every answer under way.
 */

import type { Log } from '../../../kernel/contract/kit.js'
import type {
  Charge,
  Closing,
  CoverVerdict,
  GoneReason,
  Hold,
  LogDraft,
} from '../../../kernel/contract/line/money.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { LinkedList, type ListEntry } from '../../../kernel/toolkit/service/index.js'
import type { Applied, StoredRequest } from './batch.js'
import type { CommitQueue, PendingOperation } from './commit-queue.js'
import { closePayload, reservePayload } from './facts.js'
import type { FundingSource, HoldRequest } from './ledger.js'

export interface Holds {
  open(options: HoldRequest): Hold
  /** Marks the progress of every answer under way. */
  mark(): void
  /** Requests whose hold somebody in this process still has in hand, so that its close is yet to come. */
  working(): ReadonlySet<string>
  /** What the requests cost whose close could not be stored. */
  readonly refused: Map<string, bigint>
}

export interface HoldsDependencies {
  readonly queue: CommitQueue
  readonly log: Log
  /** Posts what an orphan's close left out, once; resolves with what the request cost in the end. */
  readonly correct: (requestId: string, quota: bigint, payload: string) => Promise<Charge>
}

export function createHolds(dependencies: HoldsDependencies): Holds {
  const working: Working = new LinkedList()
  const refused = new Map<string, bigint>()
  const shared = { ...dependencies, working, refused }
  return {
    open: (request) => new RequestHold(request, shared),
    mark() {
      for (const entry of working.entries()) {
        const hold = entry.value.reference.deref()
        if (hold) hold.mark()
        else working.remove(entry)
      }
    },
    working() {
      const listed = working.entries().map(({ value }) => value)
      const held = listed.filter(({ reference }) => reference.deref() !== undefined)
      return new Set(held.map(({ requestId }) => requestId))
    },
    refused,
  }
}

/**
 * Holds from their first reserve to the end of their close. The request has its hold in hand, nothing here keeps it
 * there: what nobody can close any more is let go, and is missed when the open rows are compared (decision 33).
 */
type Working = LinkedList<Listed>

interface Listed {
  readonly requestId: string
  readonly reference: WeakRef<RequestHold>
}

interface SharedState extends HoldsDependencies {
  readonly working: Working
  readonly refused: Map<string, bigint>
}

const nothing: Charge = { state: 'none', quota: 0n, shortfall: 0n }
const idPattern = /^[\w:.-]{1,80}$/

class RequestHold implements Hold {
  private quota = 0n
  budgetLeft: bigint | undefined
  private admitted = false
  /** A reserve was sent whose fate is not known. */
  private uncertain = false
  /** Among those that are worked on. */
  private entry: ListEntry<Listed> | undefined
  private revision = 0
  /** What may pay that was not tried yet; the first is being tried, or pays. Absent: the account of the request alone. */
  private sources: readonly FundingSource[] | undefined
  private anyFellShort = false
  private draft: LogDraft | undefined
  private storedDraft: LogDraft | undefined
  private covering: Promise<CoverVerdict> | undefined
  private closing: Promise<Charge> | undefined
  /** What the answer has cost at most, by what was requested of it so far. */
  private marked = 0n
  private cost: (() => bigint) | undefined
  private marking: PendingOperation | undefined
  private goneListener: ((reason: GoneReason) => void) | undefined
  private gone: GoneReason | undefined

  constructor(
    private readonly request: HoldRequest,
    private readonly shared: SharedState,
  ) {
    if (!idPattern.test(request.requestId)) throw new Error('a hold without a request id')
  }

  get covered(): bigint {
    return this.quota
  }

  cover(quota: bigint, draft: LogDraft): Promise<CoverVerdict> {
    if (this.closing) return Promise.resolve('gone')
    const again = () => this.cover(quota, draft)
    if (this.covering) return this.covering.then(again, again)
    this.draft = draft
    if (!this.chooseSource(draft)) return Promise.resolve('short')
    if (this.admitted && quota <= this.quota) return Promise.resolve('ok')
    // The lane may refuse at once, within the call: then there is nothing to wait for.
    let answered = false
    const covering = new Promise<CoverVerdict>((resolve, reject) => {
      this.reserve(quota, draft, {
        resolve: (verdict) => {
          answered = true
          this.covering = undefined
          resolve(verdict)
        },
        reject: (error) => {
          answered = true
          this.covering = undefined
          reject(error)
        },
      })
    })
    if (!answered) this.covering = covering
    return covering
  }

  get subscription(): FundingSource['subscription'] {
    return this.admitted ? this.sources?.[0]?.subscription : undefined
  }

  /** False: nothing may pay for this. What pays is pinned, and so is what may yet have been tried (BILL-3). */
  private chooseSource(draft: LogDraft): boolean {
    if (this.request.sources === undefined) return true
    if (!this.admitted && !this.uncertain) {
      this.sources = this.request.sources(draft)
      this.anyFellShort = false
    }
    const [source] = this.sources ?? []
    return source !== undefined && source.covers?.(draft) !== false
  }

  /** Whether something else may pay in place of what fell short, or is gone. */
  private tryNext(verdict: CoverVerdict, quota: bigint): boolean {
    const [source, ...others] = this.sources ?? []
    if (source === undefined || this.admitted || this.uncertain) return false
    if (verdict !== 'short' && verdict !== 'gone') return false
    if (verdict === 'short') {
      this.anyFellShort = true
      source.fellShort?.(quota)
    }
    if (others.length === 0) return false
    this.sources = others
    return true
  }

  private reserve(quota: bigint, draft: LogDraft, waiter: Waiter<CoverVerdict>): void {
    this.work()
    this.revision += 1
    const payload = draft === this.storedDraft ? 'null' : reservePayload(this.request.kind, draft)
    const operation = this.operation('reserve', quota, payload, {
      done: (applied) => {
        const verdict = this.reserved(quota, draft, applied)
        if (verdict === 'newer') this.reserve(quota, draft, waiter)
        else if (verdict === 'lost') waiter.reject(new Refusal('database_unavailable'))
        else if (this.tryNext(verdict, quota)) this.reserve(quota, draft, waiter)
        else waiter.resolve(verdict === 'gone' && this.anyFellShort ? 'short' : verdict)
        this.restIfNever()
      },
      fail: (error) => {
        this.uncertain ||= operation.sent
        waiter.reject(error)
        this.restIfNever()
      },
    })
    this.shared.queue.push(operation)
  }

  private reserved(
    quota: bigint,
    draft: LogDraft,
    { verdict, stored }: Applied,
  ): CoverVerdict | 'newer' | 'lost' {
    if (stored?.budgetLeft !== undefined && verdict !== 'dup') this.budgetLeft = stored.budgetLeft
    if (verdict === 'ok') return this.admit(quota, draft)
    if (verdict === 'dup' && stored) {
      this.revision = stored.revision
      this.admit(stored.reserved, draft)
      // Another hold of this request stands with less: go above its revision.
      return stored.reserved < quota ? 'newer' : 'ok'
    }
    if (isRefusal(verdict)) return verdict
    if (verdict === 'ended') {
      // Closed by another process, which took this one for dead: no word about the key.
      this.cut('lost')
      return 'lost'
    }
    throw new Error(`a reserve was answered ${verdict}`)
  }

  private work(): void {
    const { requestId } = this.request
    this.entry ??= this.shared.working.add({ requestId, reference: new WeakRef(this) })
  }

  private rest(): void {
    if (this.entry !== undefined) this.shared.working.remove(this.entry)
    this.entry = undefined
  }

  /** Nothing was set aside and nothing can have been. */
  private restIfNever(): void {
    if (!this.admitted && !this.uncertain && !this.covering) this.rest()
  }

  private admit(quota: bigint, draft: LogDraft): 'ok' {
    this.admitted = true
    this.quota = quota
    this.storedDraft = draft
    return 'ok'
  }

  follow(cost: () => bigint): void {
    this.cost = cost
  }

  onGone(listener: (reason: GoneReason) => void): void {
    this.goneListener = listener
    if (this.gone) listener(this.gone)
  }

  mark(): void {
    if (this.marking || !this.admitted || !this.cost) return
    const cost = this.cost()
    if (cost > this.marked) this.marked = cost
    this.marking = this.operation('mark', this.marked, 'null', {
      done: ({ verdict }) => {
        this.marking = undefined
        if (verdict !== 'ok') this.cut(verdict === 'gone' ? 'disabled' : 'lost')
      },
      fail: () => {
        this.marking = undefined
      },
    })
    this.shared.queue.push(this.marking)
  }

  private cut(reason: GoneReason): void {
    if (this.gone || this.closing) return
    this.gone = reason
    this.cost = undefined
    try {
      this.goneListener?.(reason)
    } catch (error) {
      this.shared.log.error({ err: error, requestId: this.request.requestId }, 'onGone threw')
    }
  }

  close(actual: Closing): Promise<Charge> {
    this.closing ??= this.settle(actual)
    return this.closing
  }

  private settle(actual: Closing): Promise<Charge> {
    this.cost = undefined
    if (this.marking) this.marking.dropped = true
    if (this.covering) {
      const then = () => this.settle(actual)
      return this.covering.then(then, then)
    }
    if (!this.admitted && !this.uncertain) {
      this.rest()
      return Promise.resolve(nothing)
    }
    const draft = actual.draft ?? this.draft
    const payload = closePayload(actual, draft === this.storedDraft ? undefined : draft)
    return new Promise((resolve, reject) => {
      const done = (charge: Charge) => {
        this.shared.refused.delete(this.request.requestId)
        this.rest()
        resolve(charge)
      }
      const failed = (error: unknown) => {
        // The call is keyed, so closing again is safe. Who does not gets it closed by the comparison of open holds.
        this.closing = undefined
        this.shared.refused.set(this.request.requestId, actual.quota)
        this.rest()
        reject(error)
      }
      const operation = this.operation(this.admitted ? 'close' : 'abandon', actual.quota, payload, {
        done: (applied) => this.settled(actual, draft, applied).then(done, failed),
        fail: failed,
      })
      this.shared.queue.push(operation)
    })
  }

  private async settled(
    actual: Closing,
    draft: LogDraft | undefined,
    applied: Applied,
  ): Promise<Charge> {
    const { verdict, stored } = applied
    if (verdict === 'none') return nothing
    if (verdict === 'closed') return chargeOf(actual, stored?.shortfall ?? 0n)
    if (verdict !== 'already' || !stored) throw new Error(`a close was answered ${verdict}`)
    if (stored.outcome === 'orphan') {
      // What the orphan cost is not known, so neither is what the correction does.
      const { cost: _, attemptCosts, ...corrected } = actual
      const payload = closePayload(corrected, draft)
      return this.shared.correct(this.request.requestId, actual.quota, payload)
    }
    return storedCharge(stored)
  }

  private operation(
    kind: PendingOperation['kind'],
    amount: bigint,
    payload: string,
    answer: Pick<PendingOperation, 'done' | 'fail'>,
  ): PendingOperation {
    const { requestId, userId, tokenId } = this.request
    const accountId = this.sources?.[0]?.accountId ?? this.request.accountId
    if (amount < 0n) throw new RangeError('an amount below 0')
    return {
      kind,
      requestId,
      userId,
      accountId,
      tokenId,
      revision: this.revision,
      amount,
      payload,
      done: answer.done,
      fail: answer.fail,
      dropped: false,
      sent: false,
      attempts: 0,
      alone: false,
      generation: undefined,
    }
  }
}

function isRefusal(verdict: Applied['verdict']): verdict is Exclude<CoverVerdict, 'ok'> {
  return verdict.startsWith('short') || verdict === 'gone'
}

interface Waiter<Result> {
  resolve(result: Result): void
  reject(error: unknown): void
}

function chargeOf({ quota, delivered }: Closing, shortfall: bigint): Charge {
  const state = delivered || quota > 0n ? 'settled' : 'released'
  return { state, quota, shortfall }
}

function storedCharge({ state, settled, shortfall }: StoredRequest): Charge {
  return { state: state === 'settled' ? 'settled' : 'released', quota: settled, shortfall }
}
