/** The one stretch of bytes a client requests. Several at once, and units other than bytes, count as no range (RFC 9110 section 14.2). */

export interface Stretch {
  readonly from: number
  /** Not included. */
  readonly to: number
}

const single = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/** Whether a header requests one stretch. */
export function isSingleRange(range: string | undefined): range is string {
  return range !== undefined && single.test(range)
}

/** Undefined: none is requested, so everything is sent. `outside`: there is no such stretch. */
export function stretchOf(
  range: string | undefined,
  size: number,
): Stretch | 'outside' | undefined {
  const [, first, last, final] = single.exec(range ?? '') ?? []
  if (first === undefined && final === undefined) return undefined
  const from = first === undefined ? Math.max(0, size - Number(final)) : Number(first)
  const to = last ? Math.min(size, Number(last) + 1) : size
  // The last byte before the first is a header that means nothing.
  if (last && Number(last) < from) return undefined
  return from < to ? { from, to } : 'outside'
}
