/** A route as a call: its address with the model in its placeholder, the key where the route wants it. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { modelSegment } from '../../kernel/toolkit/provider/index.js'
import { sent } from './auth.js'
import type { Route } from './routes.js'
import { addressOf, joined } from './target.js'

export function callOf(
  route: Route | undefined,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  // It served when it was picked: the operator's edit since then took it away.
  if (route === undefined) throw new Refusal('channel:address_refused')
  const { headers, query } = sent(route.auth, credentials)
  const target = verbed(route, context).replaceAll('{model}', () => modelSegment(context.model))
  return {
    method: 'POST',
    url: joined(addressOf(target, channel.baseUrl), query),
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
function verbed({ target, form }: Route, { stream }: AddressContext): string {
  if (form !== 'generative' || !verb.test(target)) return target
  if (!stream) return target.replace(verb, ':generateContent').replace(/([?&])alt=sse(?:&|$)/, end)
  const streamed = target.replace(verb, ':streamGenerateContent')
  return /[?&]alt=sse(?:&|$)/.test(streamed) ? streamed : joined(streamed, 'alt=sse')
}

/** What stood before the parameter stays only where more follows. */
function end(found: string, before: string): string {
  return found.endsWith('&') ? before : ''
}
