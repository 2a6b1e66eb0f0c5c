/**
 * Services that take the formats and forms clients know, with a bearer key. The manifest is their table of names and bases; what
 * each serves stands in `services.ts`.
 */
import type {
  AdapterBase,
  AddressContext,
  ChannelView,
  Credentials,
  FormatAdapter,
  Provider,
  SameFormAdapter,
} from '../../kernel/contract/provider.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest, modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { modelList } from './models.js'
import { ofChat, ofMessages, servesResponses } from './refused.js'
import type { Place } from './service.js'
import { bearerOf, pathOf, serviceOf } from './services.js'
import { ofBaidu, ofTencent, unpacked } from './vectors-facts.js'

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
      embeddings,
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

function format(place: 'chat' | 'messages' | 'responses' | 'generative'): FormatAdapter {
  return { format: place, ...at(place) }
}

function same(place: Place, accept?: string): SameFormAdapter {
  return { format: 'same', ...at(place, accept) }
}

/** `split` is not given the channel, so services that take so many texts at once have an adapter each. */
const embeddings: readonly SameFormAdapter[] = [
  ...[ofBaidu, ofTencent].map(
    (fact): SameFormAdapter => ({
      ...same('embeddings'),
      serves: ({ type }) => serviceOf(type).vectors === fact,
      adjust: (wire) => unpacked(fact, wire),
      split: (wire, model) => splitInput(wire, fact.textsAtOnce(model)),
    }),
  ),
  {
    ...same('embeddings'),
    serves: ({ type }) => {
      const { vectors, paths } = serviceOf(type)
      return vectors === undefined && paths.embeddings !== undefined
    },
  },
]

/** `accept` where the answer is media or text as well as JSON. */
function at(place: Place, accept?: string): AdapterBase {
  return {
    serves: ({ type }) => serviceOf(type).paths[place] !== undefined,
    address(_wire, channel, credentials, context) {
      const url = urlOf(channel, place, context)
      const sent = { ...credentials, key: bearerOf(channel, credentials) }
      const request = bearerRequest(url, sent, context, {
        accept,
        appid: appId(channel, credentials),
      })
      const headers = withoutKey(request.headers, channel, credentials)
      return { ...request, headers: place === 'messages' ? keyed(headers, channel) : headers }
    },
    fail,
  }
}

function urlOf(channel: ChannelView, place: Place, { model, stream }: AddressContext): string {
  const url = upstreamUrl(channel.baseUrl, pathOf(channel, place, model))
  if (place !== 'generative') return url
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `${url.replace('{model}', () => modelSegment(model))}:${verb}`
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

/** The messages format as its maker is called, where the service documents it so. */
function keyed(
  headers: Readonly<Record<string, string>>,
  { type }: ChannelView,
): Readonly<Record<string, string>> {
  const { messagesKey } = serviceOf(type)
  const { authorization, ...rest } = headers
  if (messagesKey === undefined || authorization === undefined) return headers
  return { ...rest, [messagesKey]: authorization.replace(/^Bearer /, '') }
}

/** An application of the operator's account the call is counted for; Baidu knows them. */
function appId({ type, settings }: ChannelView, { key }: Credentials): string | undefined {
  const { appid } = settings
  return (typeof appid === 'string' && appid.trim()) || serviceOf(type).appId?.(key)
}
