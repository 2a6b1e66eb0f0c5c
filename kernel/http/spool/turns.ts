/**
 * Few operations of the file system at once. They run on the threads that name lookups need too, so a slow disk may not
 * have all of them.
 */
export interface Turns {
  /** Runs it once there is a turn for it, in the order they came. */
  run<Made>(operation: () => Promise<Made>): Promise<Made>
  /** Milliseconds the operation under way for longest has taken so far. */
  readonly longestMs: number
}

export function createTurns(atOnce: number, monotonic: () => number): Turns {
  /** The oldest comes first. */
  const running = new Set<{ readonly since: number }>()
  const waiting: (() => void)[] = []
  let free = atOnce

  return {
    async run(operation) {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      const entry = { since: monotonic() }
      running.add(entry)
      try {
        return await operation()
      } finally {
        running.delete(entry)
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
    get longestMs() {
      for (const { since } of running) return monotonic() - since
      return 0
    },
  }
}
