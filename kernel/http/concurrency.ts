/**
 * How many requests of one address, one user and one key may be in work at once, so that whoever floods keeps nobody
 * else from being served. A stream counts for as long as it is open.
 */
import { tooManyAtOnce } from './busy.js'

/** Requests at once; 0: no bound. */
export interface ConcurrencyOptions {
  readonly perAddress: number
  readonly perUser: number
  readonly perKey: number
}

export interface Concurrency {
  /** Of addresses, networks of IPv6. */
  readonly addresses: Tally<string>
  readonly users: Tally<number>
  readonly keys: Tally<number>
}

export function createConcurrency({
  perAddress,
  perUser,
  perKey,
}: ConcurrencyOptions): Concurrency {
  return {
    addresses: new Tally('address', perAddress),
    users: new Tally('user', perUser),
    keys: new Tally('API key', perKey),
  }
}

class Tally<Name> {
  private readonly counts = new Map<Name, number>()

  constructor(
    private readonly whose: string,
    private readonly max: number,
  ) {}

  /** How many names have a request in work. */
  get size(): number {
    return this.counts.size
  }

  /** Throws `too_many_at_once`; whoever got in has to `leave`. */
  enter(name: Name): void {
    const count = this.counts.get(name) ?? 0
    if (this.max > 0 && count >= this.max) throw tooManyAtOnce(this.whose, this.max)
    this.counts.set(name, count + 1)
  }

  leave(name: Name): void {
    const left = (this.counts.get(name) ?? 1) - 1
    if (left === 0) this.counts.delete(name)
    else this.counts.set(name, left)
  }
}
