/** How limits are sent to clients: in the form of OpenAI, and for clients of Anthropic in theirs as well. */

/** A limit, and what is left of it until it begins anew. */
export interface Meter {
  readonly name: 'requests' | 'tokens' | 'budget'
  readonly limit: number | bigint
  readonly left: number | bigint
  /** Unix milliseconds. */
  readonly resetsAt: number
}

export function headersOf(
  meters: readonly Meter[],
  format: string,
  now: number,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const meter of meters) {
    const { name, limit } = meter
    const left = String(meter.left > 0 ? meter.left : 0)
    headers[`x-ratelimit-limit-${name}`] = String(limit)
    headers[`x-ratelimit-remaining-${name}`] = left
    headers[`x-ratelimit-reset-${name}`] = durationOf(meter.resetsAt - now)
    if (format === 'messages') {
      headers[`anthropic-ratelimit-${name}-limit`] = String(limit)
      headers[`anthropic-ratelimit-${name}-remaining`] = left
      headers[`anthropic-ratelimit-${name}-reset`] = timeOf(meter.resetsAt)
    }
  }
  return headers
}

/** `6m0s`, `17h3m20s`; never 0, so that nobody tries again within the same window. */
function durationOf(ms: number): string {
  const seconds = Math.max(Math.ceil(ms / 1000), 1)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`
}

function timeOf(ms: number): string {
  return new Date(Math.ceil(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}
