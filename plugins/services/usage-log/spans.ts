/** A span of time cut into what is summed already, by days and by hours, and what has to be read row by row. */

/** From `since`, until just before `until`. Unix seconds; infinite: without end. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** How far sums reach, Unix seconds. */
export interface Summed {
  /** Every row before it is in the sums of its hour, none from it on. */
  readonly until: number
  /** Every hour from it on is in the sums of its day. */
  readonly daysFrom: number
}

/** Each begins and ends with what it is of, or has no end: all that is summed so far. */
export interface Parts {
  readonly months: readonly Span[]
  readonly days: readonly Span[]
  readonly hours: readonly Span[]
  readonly rows: readonly Span[]
}

export const hourSeconds = 3_600
const daySeconds = 86_400

export function partsByHour(span: Span, { until }: Summed): Parts {
  const { whole, ends } = wholesOf(span, until, hourSeconds)
  return { months: [], days: [], hours: whole, rows: ends }
}

export function partsByDay(span: Span, summed: Summed): Parts {
  const { whole, ends } = wholesOf(span, summed.until, daySeconds)
  const [days, older] = splitAt(whole, Math.ceil(summed.daysFrom / daySeconds) * daySeconds)
  // Without end means as far as there are sums.
  const closed = older.map(({ since, until }) => ({ since, until: Math.min(until, summed.until) }))
  const rest = [...closed, ...ends].map((end) => partsByHour(end, summed))
  return {
    months: [],
    days,
    hours: rest.flatMap(({ hours }) => hours),
    rows: rest.flatMap(({ rows }) => rows),
  }
}

/** Calendar months, UTC, with days before and after them. */
export function partsByMonth(span: Span, summed: Summed): Parts {
  const parts = partsByDay(span, summed)
  const [of] = parts.days
  if (of === undefined) return parts
  const first = monthAt(of.since, of.since === monthAt(of.since, 0) ? 0 : 1)
  const last = Number.isFinite(of.until) ? monthAt(of.until, 0) : of.until
  if (first >= last || first >= summed.until) return parts
  const days = [
    { since: of.since, until: first },
    { since: last, until: of.until },
  ].filter(isSpan)
  return { ...parts, months: [{ since: first, until: last }], days }
}

/** What is whole in units of so many seconds, and what is left at both ends. */
function wholesOf({ since, until }: Span, mark: number, seconds: number) {
  const first = Math.ceil(since / seconds) * seconds
  // The unit of the mark is summed as far as there is anything of it.
  const isOpen = until >= mark
  const last = isOpen ? mark : Math.floor(until / seconds) * seconds
  if (first >= last) return { whole: [], ends: [{ since, until }].filter(isSpan) }
  const ends = [
    { since, until: first },
    { since: last, until },
  ]
  return {
    whole: [{ since: first, until: isOpen ? Number.POSITIVE_INFINITY : last }],
    ends: ends.filter(isSpan),
  }
}

/** What is from that moment on, and what is before it. */
function splitAt(spans: readonly Span[], moment: number): readonly [Span[], Span[]] {
  const later = spans.map(({ since, until }) => ({ since: Math.max(since, moment), until }))
  const older = spans.map(({ since, until }) => ({ since, until: Math.min(until, moment) }))
  return [later.filter(isSpan), older.filter(isSpan)]
}

function isSpan({ since, until }: Span): boolean {
  return since < until
}

/** The beginning of the month so many months later. */
function monthAt(seconds: number, later: number): number {
  const date = new Date(seconds * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000
}

/** The beginnings of the days that have sums. */
export function daysIn(spans: readonly Span[], summed: Summed): readonly string[] {
  return beginnings(spans, summed, (seconds) => seconds + daySeconds)
}

export function monthsIn(spans: readonly Span[], summed: Summed): readonly string[] {
  return beginnings(spans, summed, (seconds) => monthAt(seconds, 1))
}

function beginnings(
  spans: readonly Span[],
  summed: Summed,
  next: (seconds: number) => number,
): readonly string[] {
  return spans.flatMap(({ since, until }) => {
    const units: string[] = []
    for (let at = since; at < Math.min(until, summed.until); at = next(at)) {
      units.push(new Date(at * 1000).toISOString())
    }
    return units
  })
}
