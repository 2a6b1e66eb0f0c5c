/** What models can be called for, by entry and by name. */
import t from 'tap'
import {
  endpointsByName,
  endpointsIn,
  isChat,
} from '../../../../plugins/services/model-registry/endpoint-types.js'

const typesOf = (name: string) => endpointsByName(name).map(({ type }) => type)

t.test('what a model is for is reported by its name where it is no chat model', async (t) => {
  const table: Record<string, readonly string[]> = {
    'text-embedding-3-small': ['embeddings'],
    'BAAI/bge-m3': ['embeddings'],
    'BAAI/bge-reranker-v2-m3': ['jina-rerank'],
    'jina-reranker-v2-base-multilingual': ['jina-rerank'],
    'dall-e-3': ['image-generation'],
    'gpt-image-1': ['image-generation'],
    'black-forest-labs/FLUX.1-schnell': ['image-generation'],
    'whisper-1': [],
    'tts-1-hd': [],
    'gpt-4o-mini-tts': [],
    'gpt-4o-transcribe': [],
    'omni-moderation-latest': [],
    'gpt-4o-realtime-preview': [],
    'gemini-live-2.5-flash': [],
    'models/gemini-2.5-flash-native-audio-preview-12-2025': [],
    'gemini-3.1-flash-live-preview': [],
    'sora-2': [],
    mj_imagine: [],
  }
  for (const [name, types] of Object.entries(table)) {
    t.strictSame(typesOf(name), types, name)
    t.notOk(isChat(endpointsByName(name)), name)
  }
  for (const name of ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-flash-image', 'deepseek-chat']) {
    t.strictSame(typesOf(name), ['openai', 'openai-response', 'anthropic', 'gemini'], name)
    t.ok(isChat(endpointsByName(name)), name)
  }
})

t.test('an entry tells it as a list, or as an object with addresses', async (t) => {
  const openai = { type: 'openai', path: '/v1/chat/completions', method: 'POST' }
  const rows = [
    ['', undefined],
    ['[]', undefined],
    ['{}', undefined],
    ['not JSON', undefined],
    ['["openai","own"]', [openai, { type: 'own', method: 'POST' }]],
    ['{"openai":{"path":"/elsewhere"}}', [openai]],
    ['{"own":"/v1/own"}', [{ type: 'own', path: '/v1/own', method: 'POST' }]],
    [
      '{"own":{"path":"/v1/own","method":"GET"}}',
      [{ type: 'own', path: '/v1/own', method: 'GET' }],
    ],
    ['["constructor"]', [{ type: 'constructor', method: 'POST' }]],
  ] as const
  for (const [text, endpoints] of rows) t.strictSame(endpointsIn(text), endpoints, text)
})
