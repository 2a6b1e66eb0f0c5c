/** The smallest request there is for each kind of endpoint, in the words of the family and a few it has no word for. */
import type { Body } from '../../../kernel/contract/body.js'
import type { RequestHints } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../../kernel/contract/names.js'
import { silence } from './silence.js'

/** The request of a probe, without channel and key. */
export interface TestRequest {
  readonly operation: OperationName
  readonly format: FormatName
  readonly body: Body
  readonly hints?: RequestHints
}

export interface Wanted {
  readonly model: string
  readonly stream: boolean
}

/** Some upstreams refuse a smaller limit. */
const outputTokens = 16
const hi = 'hi'
const turns = [{ role: 'user', content: hi }]

const requests: Readonly<Record<string, (wanted: Wanted) => TestRequest>> = {
  openai: ({ model, stream }) =>
    chat('chat', { model, messages: turns, max_tokens: outputTokens, ...streamed(stream) }),
  'openai-response': ({ model, stream }) =>
    chat('responses', { model, input: hi, max_output_tokens: outputTokens, ...streamed(stream) }),
  anthropic: ({ model, stream }) =>
    chat('messages', { model, messages: turns, max_tokens: outputTokens, ...streamed(stream) }),
  gemini: (wanted) => ({
    ...chat('generative', {
      contents: [{ role: 'user', parts: [{ text: hi }] }],
      generationConfig: { maxOutputTokens: outputTokens },
    }),
    hints: wanted,
  }),
  'openai-response-compact': ({ model }) => ({
    ...operation('compact', { model, input: hi }),
    format: 'responses',
  }),
  embeddings: ({ model }) => operation('embeddings', { model, input: hi }),
  'jina-rerank': ({ model }) =>
    operation('rerank', { model, query: hi, documents: [hi, 'bye'], top_n: 1 }),
  'image-generation': ({ model }) =>
    operation('images', { model, prompt: 'A dot', n: 1, ...smallest(model) }),
  'vendor-alpha-search': ({ model }) => operation('search', { model, query: hi }),
  speech: ({ model }) => operation('speech', { model, input: hi, voice: 'alloy' }),
  transcription: ({ model }) => ({
    operation: 'transcriptions',
    format: 'chat',
    body: { kind: 'form', fields: { model }, files: [silence()] },
  }),
  moderation: ({ model }) => operation('moderations', { model, input: hi }),
}

/** Every name of a kind of test. */
export const testTypes: readonly string[] = Object.keys(requests)

/** Undefined: no such word. */
export function requestOf(type: string, wanted: Wanted): TestRequest | undefined {
  return Object.hasOwn(requests, type) ? requests[type]!(wanted) : undefined
}

function chat(format: FormatName, value: JsonObject): TestRequest {
  return { operation: 'chat', format, body: { kind: 'json', value } }
}

function operation(name: OperationName, value: JsonObject): TestRequest {
  return { operation: name, format: 'chat', body: { kind: 'json', value } }
}

function streamed(stream: boolean): JsonObject {
  return stream ? { stream } : {}
}

/** The cheapest picture each family of models makes; the others know best themselves. */
function smallest(model: string): JsonObject {
  if (/^dall-e-2/.test(model)) return { size: '256x256' }
  return /^(?:chat)?gpt-image/.test(model) ? { size: '1024x1024', quality: 'low' } : {}
}
