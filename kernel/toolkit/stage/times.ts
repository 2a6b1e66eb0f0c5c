/**
 * When a request reached what, as the row of the log keeps it: whole milliseconds since receipt, in the order of these names.
 * Numbers in one array cost next to nothing.
 */

/** Of the request: its body was read, its caller was known, its way was planned. */
export const requestMoments = ['read', 'admitted', 'planned'] as const

/** Of each try: it began, its cost was covered, the call went out, the head of the reply came, its content came or it failed. */
export const tryMoments = ['begun', 'covered', 'sent', 'headed', 'ended'] as const

/** With room for one try, which is all that most requests need. */
export function beginTimes(): number[] {
  return [-1, -1, -1, -1, -1, -1, -1, -1]
}

/** Room for a try, counted from 1. */
export function addTry(times: number[] | undefined, number: number): void {
  if (times !== undefined && number > 1) times.push(-1, -1, -1, -1, -1)
}

export function markRequest(times: number[] | undefined, moment: 0 | 1 | 2, ms: number): void {
  if (times !== undefined) times[moment] = ms
}

/** @param moment place among `tryMoments` */
export function markTry(
  times: number[] | undefined,
  number: number,
  moment: 0 | 1 | 2 | 3 | 4,
  ms: number,
): void {
  if (times !== undefined)
    times[requestMoments.length + (number - 1) * tryMoments.length + moment] = ms
}
