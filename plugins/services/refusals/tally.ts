/** Refusals this process has counted and not written yet. Bounded: what comes beyond is dropped, and how much is known. */

export interface Refusal {
  readonly channelId: number
  readonly model: string
  readonly field: string
  readonly status: number
  readonly message: string
}

export interface Counted extends Refusal {
  readonly count: number
  /** Of a clock that only grows, milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
}

export class Tally {
  private counted = new Map<string, Counted>()
  private missed = 0

  constructor(private readonly max: number) {}

  get empty(): boolean {
    return this.counted.size === 0
  }

  add(refusal: Refusal, at: number): void {
    this.merge({ ...refusal, count: 1, firstAt: at, lastAt: at })
  }

  /** What could not be written comes back beside what was counted meanwhile. */
  putBack(counted: readonly Counted[]): void {
    for (const one of counted) this.merge(one)
  }

  /** All of them, and how many refusals were dropped. */
  take(): { readonly counted: readonly Counted[]; readonly dropped: number } {
    const taken = { counted: [...this.counted.values()], dropped: this.missed }
    this.counted = new Map()
    this.missed = 0
    return taken
  }

  forget(channelId: number): void {
    for (const [key, one] of this.counted) if (one.channelId === channelId) this.counted.delete(key)
  }

  private merge(one: Counted): void {
    const key = `${one.channelId}\n${one.model}\n${one.field}`
    const known = this.counted.get(key)
    if (known !== undefined) this.counted.set(key, added(known, one))
    else if (this.counted.size < this.max) this.counted.set(key, one)
    else this.missed += one.count
  }
}

function added(a: Counted, b: Counted): Counted {
  return {
    ...(a.lastAt > b.lastAt ? a : b),
    count: a.count + b.count,
    firstAt: Math.min(a.firstAt, b.firstAt),
    lastAt: Math.max(a.lastAt, b.lastAt),
  }
}
