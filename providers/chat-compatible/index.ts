/**
 * Services that take the formats and forms clients know, with a bearer key. The manifest is their table of names and bases; what
 * each serves stands in `services.ts`.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type {
  AdapterBase,
  AddressContext,
  ChannelView,
  Credentials,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { bearerRequest, modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { modelList } from './models.js'
import { ofChat, ofMessages, servesResponses } from './refused.js'
import { type Place, serviceOf } from './services.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [
        { ...format('chat'), ...ofChat },
        {
          ...format('messages'),
          ...ofMessages,
          forwards: ['anthropic-version', 'anthropic-beta'],
        },
        { ...format('responses'), serves: servesResponses },
        format('generative'),
      ],
      completions: same('completions'),
      embeddings: same('embeddings'),
      images: same('images'),
      edits: same('edits'),
      rerank: same('rerank'),
      speech: same('speech', '*/*'),
      transcriptions: same('transcriptions', '*/*'),
      translations: same('translations', '*/*'),
      moderations: same('moderations'),
    },
    models: modelList(fail),
  }
}

const fail: AdapterBase['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head })

function format(place: 'chat' | 'messages' | 'responses' | 'generative'): FormatAdapter {
  return { format: place, ...at(place) }
}

function same(place: Place, accept?: string): SameFormAdapter {
  return { format: 'same', ...at(place, accept) }
}

/** `accept` where the answer is media or text as well as JSON. */
function at(place: Place, accept?: string): AdapterBase {
  return {
    serves: ({ type }) => serviceOf(type).paths[place] !== undefined,
    address(_wire, channel, credentials, context) {
      const url = upstreamUrl(channel.baseUrl, pathOf(channel, place, context))
      const sent = { ...credentials, key: bearerOf(channel, credentials) }
      const request = bearerRequest(url, sent, context, { accept, appid: appId(channel) })
      return { ...request, headers: withoutKey(request.headers, channel, credentials) }
    },
    fail,
  }
}

/** What a type does not serve is never addressed; chat is what every one of them is made like. */
function pathOf({ type }: ChannelView, place: Place, { model, stream }: AddressContext): string {
  const { paths } = serviceOf(type)
  const path = paths[place] ?? '/v1/chat/completions'
  if (place !== 'generative') return path
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `${path.replace('{model}', () => modelSegment(model))}:${verb}`
}

function bearerOf({ type }: ChannelView, { key }: Credentials): string {
  return serviceOf(type).bearer?.(key) ?? key
}

/** A server of one's own need not have a key; what stands for none is not sent. */
function withoutKey(
  headers: Readonly<Record<string, string>>,
  { type }: ChannelView,
  { key }: Credentials,
): Readonly<Record<string, string>> {
  const isNone = key.trim() === '' || key.trim() === '-'
  if (!isNone || serviceOf(type).keyIsOptional !== true) return headers
  const { authorization: _, ...rest } = headers
  return rest
}

/** An application of the operator's account the call is counted for; Baidu knows them. */
function appId({ settings }: { readonly settings: JsonObject }): string | undefined {
  return typeof settings.appid === 'string' ? settings.appid.trim() : undefined
}
