/**
 * Who verifies gets a new session id, and what is under way with the old one would be refused. So a request that changes
 * the session waits for all others to end, and holds back those that come after it.
 */
export class Gate {
  private running = 0
  private exclusive: Promise<unknown> = Promise.resolve()
  private readonly idle: (() => void)[] = []

  /** Beside others. */
  async shared<T>(run: () => Promise<T>): Promise<T> {
    await this.exclusive
    this.running += 1
    try {
      return await run()
    } finally {
      this.running -= 1
      if (this.running === 0) for (const resolve of this.idle.splice(0)) resolve()
    }
  }

  /** Alone. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    const before = this.exclusive
    const done = (async () => {
      await before
      if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve))
      return run()
    })()
    this.exclusive = done.catch(() => undefined)
    return done
  }
}
