/** Long work that leaves the others their turn. However much of it there is at once, a turn of the event loop holds one stretch. */

/** How long a stretch of work may be before others go first. */
const stretchMs = 5

/** Work that yields wherever it may be interrupted. */
export type Turns<Result> = Generator<undefined, Result, undefined>

/** Those whose stretch is due, longest waiting first. */
const waiting: (() => void)[] = []
/** Somebody had the stretch of this turn. */
let taken = false

/** Runs work that yields wherever it may be interrupted. Rejects with what it throws. */
export async function inTurns<Result>(work: Turns<Result>): Promise<Result> {
  for (;;) {
    await ownTurn()
    const until = performance.now() + stretchMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < until)
  }
}

/** Resolves where nobody else had a stretch in this turn, and takes it. */
function ownTurn(): Promise<void> {
  if (taken) return new Promise((resolve) => waiting.push(resolve))
  taken = true
  setImmediate(next)
  return Promise.resolve()
}

function next(): void {
  const first = waiting.shift()
  if (first === undefined) {
    taken = false
    return
  }
  setImmediate(next)
  first()
}

/** The same work to its end, here and now. Throws what it throws. */
export function atOnce<Result>(work: Turns<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
