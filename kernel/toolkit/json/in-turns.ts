/** Long work that leaves the others their turn. */

/** How long a stretch of work may be before others go first. */
const stretchMs = 5

/** Runs work that yields wherever it may be interrupted. Rejects with what it throws. */
export async function inTurns<Result>(
  work: Generator<undefined, Result, undefined>,
): Promise<Result> {
  for (;;) {
    const until = performance.now() + stretchMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < until)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
