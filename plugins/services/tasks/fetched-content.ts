/**
 * A result that lies at an upstream, passed on as it comes. Its address is the upstream's word, so it is treated as one a stranger
 * named; redirects are followed by hand, each through egress, and the key of a channel goes to no other host (X1). Only media passes.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Egress, EgressReply } from '../../../kernel/contract/services/egress.js'
import { EgressError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { isSingleRange } from './byte-range.js'
import { noSuchStretch } from './data-content.js'
import type { Content, ContentRequest } from './tasks.js'

/** Where a result is fetched, and on whose word. */
export interface Source extends Pick<UpstreamRequest, 'method' | 'url' | 'headers' | 'body'> {
  /** `admin`: the channel's own address, which its key goes to. */
  readonly namedBy: 'admin' | 'user'
  readonly proxy?: Channel['proxy']
}

export interface FetchOptions extends ContentRequest {
  readonly task: string
  /** Types that pass beside media, as bytes of no type. Absent: none. */
  readonly plain?: ReadonlySet<string>
  /** Notified where the upstream did not take the key. */
  keyRefused?(): void
}

const redirectsMax = 3
const headersTimeoutMs = 30_000
const idleTimeoutMs = 60_000
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** The upstream has it no longer, or the time of its address has run out. */
const gone: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** Rejects with a `Refusal`, whatever went wrong. */
export async function fetchedContent(
  egress: Egress,
  first: Source,
  options: FetchOptions,
): Promise<Content> {
  const { task, range } = options
  const stretch = isSingleRange(range) ? range : undefined
  let source = first
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const reply = await opened(egress, source, stretch, task)
    const { status } = reply
    if (!redirects.has(status)) return contentOf(reply, { ...options, range: stretch }, source)
    reply.body.abort()
    source = redirected(source, reply.headers.location, task)
  }
  throw failed('its address leads from one to the next without end.')
}

function opened(
  egress: Egress,
  { method, url, headers, body, namedBy, proxy }: Source,
  range: string | undefined,
  task: string,
): Promise<EgressReply> {
  return egress
    .open({
      ...{ method, url, body, namedBy, proxy, headersTimeoutMs, idleTimeoutMs },
      headers: range === undefined ? headers : { ...headers, range },
    })
    .catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error
      const { code } = error.failure
      if (code === 'channel:address_refused') throw missing(task, error)
      if (code === 'upstream_timeout') {
        throw new Refusal(code, { limit: 'fetching a result' }, { cause: error })
      }
      throw failed('its result could not be fetched.', error)
    })
}

/** The key stays with the host it is for, and what is posted goes nowhere else. */
function redirected(from: Source, location: string | undefined, task: string): Source {
  const to = location === undefined ? undefined : webAddress(location, from.url)
  if (to === undefined || from.method !== 'GET') throw missing(task)
  const isSameOrigin = new URL(to).origin === new URL(from.url).origin
  return isSameOrigin ? { ...from, url: to } : publicSource(to)
}

/** Something at an address of an upstream's word, which anybody may read. */
export function publicSource(url: string): Source {
  return { method: 'GET', url, headers: {}, namedBy: 'user' }
}

/** As it goes out. Undefined: no http(s) address. */
export function webAddress(address: string, base?: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  url.hash = ''
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}

function contentOf(
  { status, headers, body }: EgressReply,
  options: FetchOptions,
  { namedBy }: Source,
): Content {
  const { task, range } = options
  const isWhole = status === 200
  const isStretch = status === 206 && range !== undefined
  if (isWhole || isStretch) {
    const type = passedType(headers['content-type'], options.plain)
    if (type !== undefined) return { status, headers: described(headers, type), body }
    body.abort()
    throw new Refusal('task_result_refused', { task, reason: 'its type is not taken' })
  }
  body.abort()
  if (status === 416 && range !== undefined) return noSuchStretch(sizeIn(headers['content-range']))
  const { keyRefused } = options
  if (namedBy === 'admin' && keyRefused !== undefined && (status === 401 || status === 403)) {
    keyRefused()
    throw failed('it does not take the credentials of this channel.')
  }
  if (gone.has(status)) throw missing(task)
  throw failed(`it answered ${status} in place of a result.`)
}

const passed = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

function described(headers: EgressReply['headers'], type: string): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': type }
  if (type === untyped) kept['content-disposition'] = 'attachment'
  for (const name of passed) {
    const value = headers[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

const untyped = 'application/octet-stream'
/** How upstreams call bytes they know nothing of. */
const untypedNames: ReadonlySet<string> = new Set(['', untyped, 'binary/octet-stream'])
const medium = /^(?:image|video|audio)\/[\w.+-]{1,100}$/
/** A picture that is a document can hold a script. */
const documents = /svg|xml|html/

/** Lower case, without parameters. Undefined: it does not pass. */
function passedType(
  declared: string | undefined,
  plain: FetchOptions['plain'],
): string | undefined {
  const type = (declared ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (untypedNames.has(type) || plain?.has(type) === true) return untyped
  return medium.test(type) && !documents.test(type) ? type : undefined
}

function sizeIn(contentRange: string | undefined): number | undefined {
  const size = /^bytes \*\/(\d{1,15})$/.exec(contentRange ?? '')?.[1]
  return size === undefined ? undefined : Number(size)
}

function missing(task: string, cause?: Error): Refusal {
  return new Refusal('task_result_missing', { task }, { cause })
}

function failed(reason: string, cause?: Error): Refusal {
  return new Refusal('upstream_error', { reason }, { cause })
}
