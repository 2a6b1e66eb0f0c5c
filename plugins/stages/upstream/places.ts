/** A few at a time: who comes later waits for a place, in the order they came. */
export class Places {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async with<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.free += 1
      else next()
    }
  }
}
