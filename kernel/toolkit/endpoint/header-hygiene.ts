/**
 * Which headers cross the gateway, in both directions (ERR-3, S13). Hop-by-hop headers, those named in
 * `Connection`, `set-cookie` and malformed ones never do.
 *
 * Toward the client an allow-list decides, since an upstream's headers reveal the operator: its account limits
 * (`x-ratelimit-*`), organisation, edge network and request id stay here. What passes is the description of the
 * content, how long the upstream took (any `*-processing-ms`) and the gateway's own `x-waybill-*`. Limits and
 * `retry-after` pass on errors only, because errors are the gateway's own words (ERR-2).
 */

/**
 * What every answer of an upstream is stripped of before anyone sees it: headers that are not forwarded, and those in
 * which the gateway speaks for itself. Values that repeat: the last one wins.
 */
export function upstreamHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const named = namedInConnection(headers.connection)
  const kept: Record<string, string> = {}
  for (const name in headers) {
    if (notForwarded.has(name) || named?.has(name) === true || name === '__proto__') continue
    if (name.toLowerCase().startsWith(ownPrefix)) continue
    const value = headers[name]
    const last = typeof value === 'string' ? value : value?.at(-1)
    if (last !== undefined) kept[name] = last
  }
  return kept
}

/** Outgoing headers as the flat list undici takes. The gateway speaks for itself on encoding, length and host (S12). */
export function outgoingHeaders(headers: Readonly<Record<string, string>>): string[] {
  const named = namedInConnection(headers.connection)
  const flat = ['accept-encoding', 'identity']
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (notForwarded.has(lower) || setHere.has(lower) || named?.has(lower) === true) continue
    const value = headers[name]!
    if (isHeaderName(lower) && isHeaderValue(value)) flat.push(lower, value)
  }
  return flat
}

/** Appends to `flat` what of `headers` the client may see; returns the same list. */
export function appendClientHeaders(
  flat: string[],
  headers: Readonly<Record<string, string>>,
  status: number,
): string[] {
  const named = namedInConnection(headers.connection)
  for (const name in headers) {
    const verdict = verdicts.get(name) ?? judged(name)
    if (verdict === 'never' || (verdict === 'onError' && status < 400)) continue
    if (named?.has(name.toLowerCase()) === true) continue
    const value = headers[name]
    if (typeof value === 'string' && isHeaderValue(value)) flat.push(name, value)
  }
  return flat
}

/** The same for content that passes through as it is: what describes it and the stretch of it that is sent. */
export function appendContentHeaders(
  flat: string[],
  headers: Readonly<Record<string, string>>,
): string[] {
  for (const name of ofContent) {
    const value = headers[name]
    if (value !== undefined && isHeaderValue(value)) flat.push(name, value)
  }
  return flat
}

export function isHeaderName(name: string): boolean {
  return tokenPattern.test(name)
}

export function isHeaderValue(value: string): boolean {
  return !badValuePattern.test(value)
}

const ownPrefix = 'x-waybill-'

type Verdict = 'always' | 'onError' | 'never'

/** Hop-by-hop (RFC 9110 section 7.6.1), `set-cookie`, and what is known to be misused to smuggle requests. */
const notForwarded: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'set-cookie',
  'set-cookie2',
])

/** Decided by the outgoing connection itself. */
const setHere: ReadonlySet<string> = new Set([
  'accept-encoding',
  'content-length',
  'expect',
  'host',
])

const toClient: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'content-language',
])

const ofContent = [
  'content-type',
  'content-disposition',
  'content-language',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
] as const

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const limitPrefix = /^(?:x|anthropic)-ratelimit-/
const badValuePattern = /[^\t\x20-\x7e\x80-\xff]/

/** Names repeat from request to request; bounded, since upstreams choose them (P14). */
const verdicts = new Map<string, Verdict>()
const verdictsMax = 1000

function judged(name: string): Verdict {
  const verdict = judge(name.toLowerCase())
  if (verdicts.size < verdictsMax) verdicts.set(name, verdict)
  return verdict
}

function judge(name: string): Verdict {
  if (!isHeaderName(name) || notForwarded.has(name)) return 'never'
  if (toClient.has(name) || name.startsWith(ownPrefix)) return 'always'
  if (name.endsWith('-processing-ms')) return 'always'
  return name === 'retry-after' || limitPrefix.test(name) ? 'onError' : 'never'
}

function namedInConnection(
  connection: string | string[] | undefined,
): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return
  const names = String(connection).toLowerCase().split(',')
  return new Set(names.map((name) => name.trim()))
}
