/** A route as a call: base URL and path, the model in its placeholder, the key where the route wants it. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { sent } from './auth.js'
import type { Route } from './routes.js'

export function callOf(
  route: Route | undefined,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  // It served when it was picked: the operator's edit since then took it away.
  if (route === undefined) throw new Refusal('channel:address_refused')
  const { headers, query } = sent(route.auth, credentials)
  const path = verbed(route, context).replaceAll('{model}', () => modelSegment(context.model))
  return {
    method: 'POST',
    url: joined(upstreamUrl(channel.baseUrl, path), query),
    headers: {
      'content-type': 'application/json',
      accept: context.stream ? 'text/event-stream' : '*/*',
      ...given(context),
      ...headers,
    },
  }
}

/** What the client sent along and this adapter forwards. */
function given({ forwarded }: AddressContext): Record<string, string> {
  const reported: Record<string, string> = {}
  for (const [name, value] of Object.entries(forwarded.headers)) if (value) reported[name] = value
  return reported
}

const verb = /:(?:generateContent|streamGenerateContent)(?=\?|$)/

/** In the generative form the verb decides whether the answer streams; a path without one is taken as it is. */
function verbed({ path, format }: Route, { stream }: AddressContext): string {
  if (format !== 'generative' || !verb.test(path)) return path
  if (!stream) return path.replace(verb, ':generateContent').replace(/([?&])alt=sse(?:&|$)/, end)
  const streamed = path.replace(verb, ':streamGenerateContent')
  return /[?&]alt=sse(?:&|$)/.test(streamed) ? streamed : joined(streamed, 'alt=sse')
}

/** What stood before the parameter stays only where more follows. */
function end(found: string, before: string): string {
  return found.endsWith('&') ? before : ''
}

export function joined(url: string, query: string): string {
  if (query === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}
