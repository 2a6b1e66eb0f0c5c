/** The two custom providers under the conformance kit: a whole address, and routes of every kind. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import advanced from '../../providers/advanced-custom/index.js'
import { operations } from '../../providers/advanced-custom/paths.js'
import custom from '../../providers/custom/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { callsOf, chatWire } from './wires.js'

const manifest = (name: string) =>
  readFileSync(new URL(`../../providers/${name}/manifest.json`, import.meta.url), 'utf8')
const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))

const formats = { chat, messages, generative, responses }
const formatOf = (name: FormatName) => formats[name]()

const refusals = [
  {
    operation: 'chat' as const,
    status: 400,
    body: { error: { message: 'Unsupported parameter: top_k' } },
    blame: 'client' as const,
  },
]

conformingProvider((title, run) => t.test(`custom: ${title}`, async () => run()), {
  manifest: manifest('custom'),
  create: custom,
  baseUrl: 'https://upstream.example/{model}/chat',
  formats: formatOf,
  calls: [
    { operation: 'chat', wire: chatWire },
    { operation: 'chat', wire: { ...chatWire, stream: true } },
  ],
  streams: [{ name: 'chat', operation: 'chat', bytes: fixture('chat/openai-text.sse') }],
  refusals,
})

const incoming: Readonly<Record<(typeof operations)[number], string>> = {
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
  edits: '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  rerank: '/v1/rerank',
  moderations: '/v1/moderations',
  compact: '/v1/responses/compact',
  search: '/v1/alpha/search',
  realtime: '/v1/realtime',
}

const routes: JsonObject[] = [
  { incoming_path: '/v1/chat/completions', upstream_path: '/v1/chat/completions' },
  { incoming_path: '/v1/messages', upstream_path: '/v1/messages', converter: 'none' },
  { incoming_path: '/v1/responses', upstream_path: '/v1/responses', auth: { type: 'none' } },
  {
    incoming_path: '/v1beta/models/{model}:generateContent',
    upstream_path: '/v1beta/models/{model}:generateContent',
    auth: { type: 'header', name: 'X-Goog-Api-Key', value: '{api_key}' },
  },
  {
    incoming_path: '/v1/embeddings',
    upstream_path: 'https://vectors.example/v1/{model}/embed',
    models: ['elsewhere'],
  },
  {
    incoming_path: '/v1beta/models/{model}:batchEmbedContents',
    upstream_path: '/v1beta/models/{model}:batchEmbedContents',
  },
  {
    incoming_path: '/v1/rerank',
    upstream_path: '/v1/rerank',
    converter: 'jina_rerank_to_sglang',
    models: ['ranker'],
  },
  ...operations.map((name) => ({ incoming_path: incoming[name], upstream_path: `/x/${name}` })),
  {
    incoming_path: '/v1/models',
    upstream_path: '/list',
    auth: { type: 'header', name: 'X-Upstream-Key' },
  },
  { incoming_path: '/v1/dashboard/billing/credit_grants', upstream_path: '/left?x=1' },
]

conformingProvider((title, run) => t.test(`advanced custom: ${title}`, async () => run()), {
  manifest: manifest('advanced-custom'),
  create: advanced,
  baseUrl: 'https://upstream.example',
  settings: { routes: { routes } },
  formats: formatOf,
  calls: [
    { operation: 'chat', wire: chatWire },
    { operation: 'chat', format: 'messages', wire: { ...chatWire, max_tokens: 5 } },
    { operation: 'chat', format: 'responses', wire: { model: 'gpt-5', input: 'Hello' } },
    { operation: 'chat', format: 'generative', wire: { contents: [], stream: true } },
    ...callsOf(operations),
    { operation: 'embeddings', wire: { model: 'elsewhere', input: 'one' } },
    { operation: 'embeddings', format: 'own', wire: { model: 'm', input: ['one', 'two'] } },
    {
      operation: 'rerank',
      format: 'own',
      wire: { model: 'ranker', query: 'one', documents: ['a', 'b'] },
    },
  ],
  inquiries: inquiriesOf('advanced-custom'),
  streams: [
    { name: 'chat', operation: 'chat', bytes: fixture('chat/openai-text.sse') },
    {
      name: 'messages',
      operation: 'chat',
      format: 'messages',
      bytes: fixture('messages/text.sse'),
    },
    {
      name: 'responses',
      operation: 'chat',
      format: 'responses',
      bytes: fixture('responses/text.sse'),
    },
    {
      name: 'generative',
      operation: 'chat',
      format: 'generative',
      bytes: fixture('generative/text.sse'),
    },
  ],
  refusals,
})
