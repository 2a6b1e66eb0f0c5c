/** Days of UTC, as the sums are kept by. */
import type { Days } from '../api/analytics.js'

const daySeconds = 86_400

/** The last so many, today included. */
export function lastDays(count: number, now = Date.now()): Days {
  const today = Math.floor(now / 1000 / daySeconds) * daySeconds
  return { from: dayOf(today - (count - 1) * daySeconds), to: dayOf(today) }
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function beginOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000
}

/** The last second of it. */
export function endOf(day: string): number {
  return beginOf(day) + daySeconds - 1
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(beginOf(text))
}

export function countOf({ from, to }: Days): number {
  return Math.round((beginOf(to) - beginOf(from)) / daySeconds) + 1
}
