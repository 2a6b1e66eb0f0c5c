/** One call of a model: where the region has it, signed or with an API key. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { readKey } from './key.js'
import { modelInPath } from './model.js'
import { signedHeaders } from './sign.js'

type Verb = 'invoke' | 'invoke-with-response-stream' | 'converse' | 'converse-stream'

export interface ModelCall {
  readonly verb: Verb
  readonly body: string | Buffer
}

/** What a stream comes as. */
export const eventStream = 'application/vnd.amazon.eventstream'

export function callOf(
  { verb, body }: ModelCall,
  channel: ChannelView,
  credentials: Credentials,
  { model, now }: AddressContext,
): UpstreamRequest {
  const key = readKey(credentials.key, channel)
  const base = channel.baseUrl.replace('{region}', key.region)
  const url = upstreamUrl(base, `/model/${modelInPath(model)}/${verb}`)
  const headers = {
    'content-type': 'application/json',
    accept: verb.endsWith('-stream') ? eventStream : 'application/json',
  }
  const call = { method: 'POST', url, headers, body } as const
  if (key.kind === 'api') {
    return { ...call, headers: { ...headers, authorization: `Bearer ${key.apiKey}` } }
  }
  return { ...call, headers: signedHeaders(call, { ...key, service: 'bedrock', now }) }
}
