/** Moments for people, in their language and time zone. The API returns them in Unix seconds. */
import { locale } from '../shell/i18n.js'

const never: ReadonlySet<number> = new Set([0, -1])

export function momentText(seconds: number): string {
  if (never.has(seconds)) return '—'
  const style = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat(locale.value, style).format(seconds * 1000)
}

export function dayText(seconds: number): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium' }).format(seconds * 1000)
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `3 minutes ago`. */
export function agoText(seconds: number, nowMs = Date.now()): string {
  if (never.has(seconds)) return '—'
  const since = seconds - nowMs / 1000
  const [unit, size] = steps.find(([, length]) => Math.abs(since) >= length) ?? ['second', 1]
  const relative = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })
  return relative.format(Math.round(since / size), unit)
}

/** `1.24 s`, `380 ms`. */
export function lastingText(ms: number): string {
  const number = new Intl.NumberFormat(locale.value, { maximumFractionDigits: 2 })
  return ms >= 1000 ? `${number.format(ms / 1000)} s` : `${number.format(Math.round(ms))} ms`
}

export function countText(count: number | string | bigint): string {
  return new Intl.NumberFormat(locale.value).format(
    typeof count === 'string' ? BigInt(count) : count,
  )
}

/** `12:03`, of a moment in milliseconds. */
export function clockText(ms: number): string {
  const style = { hour: '2-digit', minute: '2-digit', hour12: false } as const
  return new Intl.DateTimeFormat(locale.value, style).format(ms)
}
