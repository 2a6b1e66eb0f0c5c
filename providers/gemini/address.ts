/** Where a model's verbs are, and the header its key goes in. */
import type {
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { modelSegment, normalBase } from '../../kernel/toolkit/provider/index.js'

type Verb =
  | 'generateContent'
  | 'streamGenerateContent?alt=sse'
  | 'embedContent'
  | 'batchEmbedContents'
  | 'countTokens'
  | 'predict'

export interface ModelCall {
  readonly model: string
  readonly verb: Verb
}

export function modelCall(
  { model, verb }: ModelCall,
  channel: ChannelView,
  { key, token }: Credentials,
  { stream }: Pick<AddressContext, 'stream'>,
): UpstreamRequest {
  return {
    method: 'POST',
    url: `${root(channel)}/models/${modelSegment(bareName(model))}:${verb}`,
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      'x-goog-api-key': (token ?? key).trim(),
    },
  }
}

/** The service lists its models as `models/…`; the name is what follows. */
export function bareName(model: string): string {
  return model.startsWith('models/') ? model.slice('models/'.length) : model
}

/** People copy the address with its version. */
export function root({ baseUrl, settings }: ChannelView): string {
  const version = typeof settings.api_version === 'string' ? settings.api_version : 'v1beta'
  return `${normalBase(baseUrl).replace(/\/v1(?:alpha|beta)$/, '')}/${version}`
}
