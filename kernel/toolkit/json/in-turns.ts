/** Long work that leaves the others their turn. */

/** How long a stretch of work may be before others go first. */
const stretchMs = 5

/** Work that yields wherever it may be interrupted. */
export type Turns<Result> = Generator<undefined, Result, undefined>

/** Runs work that yields wherever it may be interrupted. Rejects with what it throws. */
export async function inTurns<Result>(work: Turns<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + stretchMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < until)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The same work to its end, here and now. Throws what it throws. */
export function atOnce<Result>(work: Turns<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
