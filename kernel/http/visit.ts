/**
 * What one request takes up in the process: its place among those of its address, user and key, and the room of its
 * body. Everything is given back once the answer is over and its work has ended, whichever comes last and however it
 * came about.
 */
import type { Caller } from '../contract/services/ports.js'
import type { ByteBudget, ByteShare } from '../memory/byte-budget.js'
import type { Concurrency } from './concurrency.js'

export interface VisitDependencies {
  readonly concurrency: Concurrency
  readonly budget: ByteBudget
}

export class Visit {
  private address: string | undefined
  private userId: number | undefined
  private keyId: number | undefined
  private held: ByteShare | undefined
  private answered = false
  private working = false

  constructor(private readonly dependencies: VisitDependencies) {}

  /** Throws `too_many_at_once`. Undefined: a proxy that speaks for many, which is not counted. */
  arrives(address: string | undefined): void {
    if (address === undefined || this.answered) return
    this.dependencies.concurrency.addresses.enter(address)
    this.address = address
  }

  /** It is known who calls. Throws as `arrives` does. */
  known({ user, token }: Caller): void {
    if (this.answered) return
    const { users, keys } = this.dependencies.concurrency
    users.enter(user.id)
    this.userId = user.id
    if (token === undefined) return
    keys.enter(token.id)
    this.keyId = token.id
  }

  /** Whose the bytes of the body are, where requests in work are not counted. */
  holds(address: string | undefined, userId: number | undefined): void {
    this.held ??= this.dependencies.budget.share({ address, userId })
  }

  /** The room of the body, for everybody known by now. */
  get share(): ByteShare {
    const { address, userId } = this
    this.held ??= this.dependencies.budget.share({ address, userId })
    return this.held
  }

  workBegins(): void {
    this.working = true
  }

  workEnds(): void {
    this.working = false
    if (this.answered) this.leave()
  }

  answerEnds(): void {
    this.answered = true
    if (!this.working) this.leave()
  }

  private leave(): void {
    const { address, userId, keyId, held } = this
    const { addresses, users, keys } = this.dependencies.concurrency
    if (address !== undefined) addresses.leave(address)
    if (userId !== undefined) users.leave(userId)
    if (keyId !== undefined) keys.leave(keyId)
    held?.release()
    this.address = undefined
    this.userId = undefined
    this.keyId = undefined
  }
}
