/** A span of time cut in two: whole hours that are summed already, and what has to be read row by row. */

/** From `since`, until just before `until`. Unix seconds; infinite: without end. */
export interface Span {
  readonly since: number
  readonly until: number
}

export interface Parts {
  /** Begins and ends with an hour, or has no end: every hour summed so far. */
  readonly hours?: Span
  readonly rows: readonly Span[]
}

export const hourSeconds = 3_600

/** @param mark every row before it is summed, none from it on */
export function partsOf({ since, until }: Span, mark: number): Parts {
  const hoursSince = Math.ceil(since / hourSeconds) * hourSeconds
  // The hour of the mark is summed as far as there is anything of it.
  const isOpen = until >= mark
  const hoursUntil = isOpen ? mark : Math.floor(until / hourSeconds) * hourSeconds
  if (hoursSince >= hoursUntil) return { rows: [{ since, until }] }
  const ends = [
    { since, until: hoursSince },
    { since: hoursUntil, until },
  ]
  return {
    hours: { since: hoursSince, until: isOpen ? Number.POSITIVE_INFINITY : hoursUntil },
    rows: ends.filter((end) => end.since < end.until),
  }
}
