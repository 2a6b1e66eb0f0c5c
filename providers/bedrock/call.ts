/** Calls: where the region has them, signed or with an API key. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { baseOf, type Endpoint, serviceOf } from './endpoint.js'
import { readKey } from './key.js'
import { modelInPath, regionOfArn } from './model.js'
import { signedHeaders } from './sign.js'

type Verb =
  | 'invoke'
  | 'invoke-with-response-stream'
  | 'converse'
  | 'converse-stream'
  | 'count-tokens'

export interface ModelCall {
  readonly verb: Verb
  readonly body: string | Buffer
}

/** What a stream comes as. */
export const eventStream = 'application/vnd.amazon.eventstream'

/** A call of the model in the address. */
export function callOf(
  { verb, body }: ModelCall,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
): UpstreamRequest {
  const accept = verb.endsWith('-stream') ? eventStream : 'application/json'
  const path = `/model/${modelInPath(context.model)}/${verb}`
  return post({ endpoint: 'runtime', path, accept, body }, channel, credentials, context)
}

export interface Post {
  readonly endpoint: Endpoint
  readonly path: string
  readonly accept: string
  readonly body: string | Buffer
}

export function post(
  { endpoint, path, accept, body }: Post,
  channel: ChannelView,
  credentials: Credentials,
  { model, now }: AddressContext,
): UpstreamRequest {
  const headers = { 'content-type': 'application/json', accept }
  const request = { method: 'POST', path, headers, body } as const
  return authorized(request, { endpoint, region: regionOfArn(model), channel, credentials, now })
}

interface Place {
  readonly endpoint: Endpoint
  /** Absent: the key's. */
  readonly region?: string | undefined
  readonly channel: ChannelView
  readonly credentials: Credentials
  /** Unix milliseconds. */
  readonly now: number
}

interface PlainRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export function authorized(
  { path, ...request }: PlainRequest,
  { endpoint, region, channel, credentials, now }: Place,
): UpstreamRequest {
  const key = readKey(credentials.key, channel)
  const place = region ?? key.region
  const call = { ...request, url: upstreamUrl(baseOf(channel, place, endpoint), path) }
  if (key.kind === 'api') {
    return { ...call, headers: { ...call.headers, authorization: `Bearer ${key.apiKey}` } }
  }
  const options = { ...key, region: place, service: serviceOf(endpoint), now }
  return { ...call, headers: signedHeaders(call, options) }
}
