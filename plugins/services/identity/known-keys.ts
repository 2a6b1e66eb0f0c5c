/**
 * API keys that were looked up: whom each stands for, found again by the hash of the key, by token and by user, and for a
 * moment those nobody has. Both are bounded; the key used longest ago goes first.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Entry } from './entry.js'

const knownMax = 50_000
const unknownMax = 10_000
const unknownMs = 10_000

export class KnownKeys {
  private readonly byToken = new Map<number, Entry>()
  private readonly byUser = new Map<number, Set<Entry>>()
  private readonly known = new LRUCache<string, Entry>({
    // With `max` it would hold memory for all of them from the first.
    maxSize: knownMax,
    sizeCalculation: () => 1,
    dispose: (entry) => this.unlink(entry),
  })
  /** Hash → when to ask again, on the growing clock. */
  private readonly unknown = new LRUCache<string, number>({ max: unknownMax })

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  get(hash: string): Entry | undefined {
    return this.known.get(hash)
  }

  /** Nobody had this key a moment ago. */
  isUnknown(hash: string): boolean {
    const until = this.unknown.get(hash)
    return until !== undefined && until > this.clock.monotonic()
  }

  /** @param entry undefined: nobody has this key */
  keep(hash: string, entry: Entry | undefined): void {
    if (entry === undefined) {
      this.unknown.set(hash, this.clock.monotonic() + unknownMs)
      return
    }
    this.known.set(hash, entry)
    const { token, user } = entry.identified
    this.byToken.set(token.id, entry)
    const siblings = this.byUser.get(user.id)
    if (siblings === undefined) this.byUser.set(user.id, new Set([entry]))
    else siblings.add(entry)
  }

  /** A new token may have a key nobody had, so those are forgotten too. */
  dropTokens(ids: ReadonlySet<string>): void {
    this.unknown.clear()
    for (const id of ids) this.drop(this.byToken.get(Number(id)))
  }

  dropUsers(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      for (const entry of [...(this.byUser.get(Number(id)) ?? [])]) this.drop(entry)
    }
  }

  private drop(entry: Entry | undefined): void {
    if (entry !== undefined) this.known.delete(entry.hash)
  }

  private unlink(entry: Entry): void {
    const { token, user } = entry.identified
    if (this.byToken.get(token.id) === entry) this.byToken.delete(token.id)
    const siblings = this.byUser.get(user.id)
    siblings?.delete(entry)
    if (siblings?.size === 0) this.byUser.delete(user.id)
  }
}
