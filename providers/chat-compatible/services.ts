/**
 * What each channel type of the manifest serves, and at which path below its base. Sources and dates are in README.md. A type that
 * has no number of its own in other gateways is known by that of its key.
 */
import type { OperationName } from '../../kernel/contract/names.js'
import type { ChannelView, Credentials } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { channelTypeNumber } from '../../kernel/toolkit/provider/index.js'
import { type ChatFacts, templates } from '../../kernel/toolkit/vendors/index.js'
import { cerebras, fastgpt, fireworks, groq, nvidia, unheededByFastgpt } from './chat-facts.js'
import type { UnheededFact } from './unheeded.js'

/** Chat in one of four formats, or another operation in the form its clients send. */
export type Place =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'generative'
  | Exclude<OperationName, 'chat'>

export interface Service {
  /** Paths below the base; `{model}` stands for the model. What is not named is not served. */
  readonly paths: Readonly<Partial<Record<Place, string>>>
  /** Where models are listed. */
  readonly models: string
  /** A server of the operator's own, whose key may be blank or `-`. */
  readonly keyIsOptional?: true
  /** The key as it is sent, where the channel holds another. */
  readonly bearer?: (key: string) => string
  /** The application a key of several parts names. */
  readonly appId?: (key: string) => string | undefined
  /** What chat is refused, and how it must be written. Absent: all of the format is taken. */
  readonly chat?: ChatFacts
  /** What chat is not heeded though the answer hangs on it. Absent: everything is. */
  readonly unheeded?: readonly UnheededFact[]
  /** It passes the formats on to whatever stands behind it, so what its maker sends is not taken out of them. */
  readonly passesOn?: true
}

/** As the services call the paths that clients of the form know. */
const usual = {
  chat: '/chat/completions',
  messages: '/messages',
  responses: '/responses',
  completions: '/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  edits: '/images/edits',
  rerank: '/rerank',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  moderations: '/moderations',
} as const

function serving(places: readonly (keyof typeof usual)[], version = '/v1'): Service {
  const paths = places.map((place) => [place, `${version}${usual[place]}`])
  return { paths: Object.fromEntries(paths), models: `${version}/models` }
}

const texts = ['chat', 'completions', 'embeddings'] as const
const sounds = ['speech', 'transcriptions', 'translations'] as const
const pictures = ['images', 'edits'] as const
const ofGateways = [
  ...texts,
  'messages',
  'responses',
  ...pictures,
  'rerank',
  'moderations',
  ...sounds,
] as const

/** Qianfan, under the number of its retired first version too. */
const baidu: Service = {
  ...serving([...texts, 'images', 'rerank'], '/v2'),
  bearer: (key) => baiduKey(key).bearer,
  appId: (key) => baiduKey(key).appId,
}

const numbered: Readonly<Record<number, Service>> = {
  // Baidu ERNIE
  15: baidu,
  // 360
  19: serving(['chat', 'embeddings']),
  // iFlytek Spark
  18: { ...serving(['chat']), bearer: sparkBearer },
  // FastGPT
  22: { ...serving(['chat']), chat: fastgpt, unheeded: unheededByFastgpt },
  // Tencent Hunyuan
  23: serving(['chat', 'embeddings']),
  // 01.AI
  31: serving(['chat']),
  // MokaAI
  44: serving(['embeddings']),
  // Baidu Qianfan v2
  46: baidu,
  // Submodel
  53: serving(['chat']),
  // New API
  60: { ...withGenerative(serving(ofGateways)), passesOn: true },
  // vLLM
  62: {
    ...serving([...texts, 'messages', 'responses', 'rerank', 'transcriptions', 'translations']),
    keyIsOptional: true,
    chat: templates,
  },
  // SGLang
  63: { ...serving(texts), keyIsOptional: true, chat: templates },
}

const named: Readonly<Record<string, Service>> = {
  cerebras: { ...serving(['chat', 'completions']), chat: cerebras },
  fireworks: { ...serving([...texts, 'messages', 'responses', 'rerank']), chat: fireworks },
  'github-models': {
    ...serving(['chat', 'embeddings'], '/inference'),
    models: '/catalog/models',
  },
  groq: {
    ...serving(['chat', 'responses', ...sounds]),
    chat: groq,
  },
  'huawei-maas': serving(['chat']),
  huggingface: serving(['chat']),
  litellm: {
    ...serving(ofGateways),
    keyIsOptional: true,
    passesOn: true,
  },
  'llama-cpp': {
    ...serving([...texts, 'messages', 'responses', 'rerank']),
    keyIsOptional: true,
    chat: templates,
  },
  'lm-studio': {
    ...serving([...texts, 'messages', 'responses']),
    keyIsOptional: true,
    chat: templates,
  },
  mimo: {
    paths: { chat: '/v1/chat/completions', messages: '/anthropic/v1/messages' },
    models: '/v1/models',
  },
  modelscope: serving(['chat']),
  nvidia: { ...serving(texts), chat: nvidia },
  stepfun: serving(['chat', 'messages', 'images', 'speech', 'transcriptions']),
  together: serving([...texts, 'images', ...sounds]),
}

/** Channels of the family hold `<app id>|<secret>|<key>`; by HTTP the service takes `<key>:<secret>`, or one password. */
function sparkBearer(key: string): string {
  const [, secret, name, more] = key.trim().split('|')
  const isThree = secret !== undefined && name !== undefined && more === undefined
  return isThree ? `${name.trim()}:${secret.trim()}` : key
}

/**
 * A key of the second version, alone or with the id of an application. Throws `channel:invalid_key` for an application's API key
 * and secret of the first: they are taken nowhere any more, and the secret is not to stand in a header.
 */
function baiduKey(key: string): { readonly bearer: string; readonly appId?: string } {
  const [bearer = '', appId, more] = key.split('|').map((part) => part.trim())
  if (appId === undefined) return { bearer }
  if (!bearer.startsWith('bce-v3/') || more !== undefined) throw new Refusal('channel:invalid_key')
  return { bearer, appId }
}

function withGenerative(service: Service): Service {
  return { ...service, paths: { ...service.paths, generative: '/v1beta/models/{model}' } }
}

const services: ReadonlyMap<number, Service> = new Map([
  ...Object.entries(numbered).map(([id, service]) => [Number(id), service] as const),
  ...Object.entries(named).map(
    ([name, service]) => [channelTypeNumber(`chat-compatible/${name}`), service] as const,
  ),
])

const unknown = serving(['chat'])

export function serviceOf(type: number): Service {
  return services.get(type) ?? unknown
}

/** The key as the service takes it. */
export function bearerOf({ type }: Pick<ChannelView, 'type'>, { key }: Credentials): string {
  return serviceOf(type).bearer?.(key) ?? key
}
