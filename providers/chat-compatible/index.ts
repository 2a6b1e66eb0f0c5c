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
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { splitInput } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest, modelSegment, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { modelList } from './models.js'
import { ofChat, ofMessages, servesResponses } from './refused.js'
import { bearerOf, type Place, serviceOf } from './services.js'

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
      embeddings: [baiduEmbeddings, otherEmbeddings],
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

/** Baidu takes fewer texts at once than clients may send (cloud.baidu.com/doc/qianfan-api/s/Fm7u3ropn). */
const baidu = 46
const textsAtOnce = (model: string) => (model === 'tao-8k' ? 1 : 16)

const baiduEmbeddings: SameFormAdapter = {
  ...same('embeddings'),
  serves: ({ type }) => type === baidu,
  split: (wire, model) => splitInput(wire, textsAtOnce(model)),
}

const otherEmbeddings: SameFormAdapter = {
  ...same('embeddings'),
  serves: ({ type }) => type !== baidu && serviceOf(type).paths.embeddings !== undefined,
}

/** `accept` where the answer is media or text as well as JSON. */
function at(place: Place, accept?: string): AdapterBase {
  return {
    serves: ({ type }) => serviceOf(type).paths[place] !== undefined,
    address(_wire, channel, credentials, context) {
      const url = upstreamUrl(channel.baseUrl, pathOf(channel, place, context))
      const sent = { ...credentials, key: bearerOf(channel, credentials) }
      const request = bearerRequest(url, sent, context, {
        accept,
        appid: appId(channel, credentials),
      })
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
function appId({ type, settings }: ChannelView, { key }: Credentials): string | undefined {
  const { appid } = settings
  return (typeof appid === 'string' && appid.trim()) || serviceOf(type).appId?.(key)
}
