/** The remembered channels: at most so many, the longest unused go first, and each for a while (P14). */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/contract/kit.js'

export interface Tie {
  readonly rule: string
  readonly channelId: number
}

/** A tie that lives on is told to the other processes again after this part of its time. */
const toldPart = 0.25

export class Ties {
  /** Made with the first tie: its tables are as large as the bound. */
  private kept: LRUCache<string, KeptTie> | undefined

  constructor(
    private readonly clock: Clock,
    private max: number,
  ) {}

  channel(key: string): number | undefined {
    return this.kept?.get(key)?.channelId
  }

  /** Returns whether the other processes are to know: it is new, another one, or they last heard of it a while ago. */
  put(key: string, tie: Tie, ttlMs: number): boolean {
    this.kept ??= this.made()
    const before = this.kept.get(key)
    const now = this.clock.monotonic()
    const isKnown =
      before !== undefined &&
      before.channelId === tie.channelId &&
      now - before.toldAt < ttlMs * toldPart
    this.kept.set(key, { ...tie, toldAt: isKnown ? before.toldAt : now }, { ttl: ttlMs })
    return !isKnown
  }

  delete(key: string): void {
    this.kept?.delete(key)
  }

  /** Those of rules for which `gone` is true; answers how many there were. */
  clear(gone: (rule: string) => boolean): number {
    const keys = [...(this.kept?.entries() ?? [])].flatMap(([key, { rule }]) =>
      gone(rule) ? key : [],
    )
    for (const key of keys) this.kept?.delete(key)
    if (this.kept?.size === 0) this.kept = undefined
    return keys.length
  }

  countByRule(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { rule } of this.kept?.values() ?? []) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return counts
  }

  /** Takes what is there along, as far as it fits. */
  resize(max: number): void {
    if (max === this.max) return
    this.max = max
    const { kept } = this
    if (kept === undefined) return
    const fresh = this.made()
    for (const key of kept.rkeys()) {
      const tie = kept.peek(key)
      const ttl = kept.getRemainingTTL(key)
      if (tie !== undefined && ttl > 0) fresh.set(key, tie, { ttl })
    }
    this.kept = fresh
  }

  private made(): LRUCache<string, KeptTie> {
    const { clock, max } = this
    return new LRUCache({ max, ttlResolution: 0, perf: { now: () => clock.monotonic() } })
  }
}

interface KeptTie extends Tie {
  readonly toldAt: number
}
