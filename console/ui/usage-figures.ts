/** What is computed from sums to be shown. */
import type { UsageCounts, UsageFigures } from '../api/analytics.js'
import { locale } from '../shell/i18n.js'

export function totalRequests({ requests, errors }: UsageCounts): number {
  return Number(requests) + Number(errors)
}

export function tokensOf({ input_tokens, output_tokens }: UsageCounts): number {
  return Number(input_tokens) + Number(output_tokens)
}

/** Undefined: there is nothing to be a share of. */
export function errorShare(of: UsageCounts): number | undefined {
  return share(Number(of.errors), totalRequests(of))
}

export function cachedShare(of: UsageCounts): number | undefined {
  return share(Number(of.cache_read_tokens), Number(of.input_tokens))
}

function share(part: number, all: number): number | undefined {
  return all === 0 ? undefined : part / all
}

export function shareText(value: number | undefined): string {
  if (value === undefined) return '—'
  const style = { style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 } as const
  return new Intl.NumberFormat(locale.value, style).format(value)
}

export function changeText(now: number, before: number): string {
  const style = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat(locale.value, style).format(now / before - 1)
}

/** Millions would be wider than their place. */
export function shortCount(count: number): string {
  const style =
    Math.abs(count) < 100_000
      ? { maximumFractionDigits: 0 }
      : ({ notation: 'compact', maximumFractionDigits: 1 } as const)
  return new Intl.NumberFormat(locale.value, style).format(count)
}

export function speedText({ tokens_per_second }: UsageFigures): string {
  if (tokens_per_second === null) return '—'
  return new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }).format(tokens_per_second)
}
