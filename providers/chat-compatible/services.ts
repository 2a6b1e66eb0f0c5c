/**
 * What each channel type of the manifest serves, and at which path below its base. Sources and dates are in README.md. A type that
 * has no number of its own in other gateways is known by that of its key.
 */
import type { ChannelView, Credentials } from '../../kernel/contract/provider.js'
import { channelTypeNumber } from '../../kernel/toolkit/provider/index.js'
import { templates } from '../../kernel/toolkit/vendors/index.js'
import {
  cerebras,
  fastgpt,
  fireworks,
  groq,
  nvidia,
  together,
  unheededByFastgpt,
} from './chat-facts.js'
import { huawei, iflytek, mimo, modelscope, stepfun, tencent } from './chinese-facts.js'
import { baiduKey, sparkBearer } from './keys.js'
import { ofHy, ofMiMo, ofStep } from './responses-facts.js'
import { type Place, type Service, serving, withGenerative, withMessages } from './service.js'
import { ofBaidu, ofTencent } from './vectors-facts.js'

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
  ...withMessages(serving([...texts, 'responses', 'images', 'rerank'], '/v2'), '/anthropic/v1'),
  vectors: ofBaidu,
  bearer: (key) => baiduKey(key).bearer,
  appId: (key) => baiduKey(key).appId,
}

const numbered: Readonly<Record<number, Service>> = {
  // Baidu ERNIE
  15: baidu,
  // 360
  19: serving(['chat', 'embeddings']),
  // iFlytek Spark
  18: {
    ...serving(['chat']),
    apart: { models: /^spark-x$/, paths: { chat: '/v2/chat/completions' } },
    bearer: sparkBearer,
    chat: iflytek,
  },
  // FastGPT
  22: { ...serving(['chat']), chat: fastgpt, unheeded: unheededByFastgpt },
  // Tencent TokenHub
  23: {
    ...serving(['chat', 'messages', 'responses', 'embeddings']),
    messagesKey: 'x-api-key',
    responses: ofHy,
    vectors: ofTencent,
    chat: tencent,
  },
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
  groq: {
    ...serving(['chat', 'responses', ...sounds]),
    chat: groq,
  },
  'huawei-maas': {
    paths: {
      chat: '/openai/v1/chat/completions',
      messages: '/anthropic/v1/messages',
      embeddings: '/v1/embeddings',
    },
    models: '/v2/models',
    messagesKey: 'x-api-key',
    chat: huawei,
  },
  huggingface: serving(['chat', 'messages', 'responses']),
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
    ...withMessages(serving(['chat', 'responses']), '/anthropic/v1'),
    responses: ofMiMo,
    chat: mimo,
  },
  modelscope: { ...serving(['chat', 'messages']), chat: modelscope },
  nvidia: { ...serving(texts), chat: nvidia },
  stepfun: {
    ...serving(['chat', 'messages', 'responses', 'images', 'speech', 'transcriptions']),
    responses: ofStep,
    chat: stepfun,
  },
  together: { ...serving([...texts, 'images', 'rerank', ...sounds]), chat: together },
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

/** What a type does not serve is never addressed; chat is what every one of them is made like. */
export function pathOf({ type }: Pick<ChannelView, 'type'>, place: Place, model: string): string {
  const { paths, apart } = serviceOf(type)
  const moved = apart?.models.test(model) === true ? apart.paths[place] : undefined
  return moved ?? paths[place] ?? '/v1/chat/completions'
}
