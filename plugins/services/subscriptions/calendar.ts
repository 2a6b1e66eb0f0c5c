/** When durations end, and when periods and windows follow one another: by the calendar of a time zone. */
import { DateTime } from 'luxon'

export interface Span {
  readonly unit: 'second' | 'hour' | 'day' | 'week' | 'month' | 'year'
  readonly count: number
}

/** A span later: a month after the 31st of January is the last day of February. */
export function later(at: Date, { unit, count }: Span, zone: string): Date {
  return DateTime.fromJSDate(at, { zone })
    .plus({ [unit]: count })
    .toJSDate()
}

/**
 * The first moment after `at` at which a span begins: the full hour, midnight, Monday, the first of the month or the year. A
 * span of several, or of seconds, is counted from `anchor`.
 */
export function nextStart(at: Date, span: Span, { anchor, zone }: Calendar): Date {
  const { unit, count } = span
  if (unit !== 'second' && count === 1) {
    return DateTime.fromJSDate(at, { zone })
      .plus({ [unit]: 1 })
      .startOf(unit)
      .toJSDate()
  }
  const passed = elapsed(at, span, { anchor, zone })
  const start = (steps: number) => later(anchor, { unit, count: count * steps }, zone)
  const next = start(passed + 1)
  return next > at ? next : start(passed + 2)
}

export interface Calendar {
  /** Where spans are counted from. */
  readonly anchor: Date
  readonly zone: string
}

/** Whole spans since the anchor. */
function elapsed(at: Date, { unit, count }: Span, { anchor, zone }: Calendar): number {
  const between = DateTime.fromJSDate(at, { zone }).diff(
    DateTime.fromJSDate(anchor, { zone }),
    unit,
  )
  return Math.max(Math.floor(between.as(unit) / count), 0)
}

export function isZone(name: string): boolean {
  return DateTime.utc().setZone(name).isValid
}
