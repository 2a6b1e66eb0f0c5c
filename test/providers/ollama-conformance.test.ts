/** The Ollama provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/ollama/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))

const source = { base64: 'AAAA', mime: 'image/png' }
const picture = { kind: 'media', type: 'image', source } as const
const least = { model: 'qwen3:8b', messages: [{ role: 'user', content: 'Hello' }] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/ollama/manifest.json').toString(),
  create,
  formats: (name) => (name === 'messages' ? messages() : chat()),
  calls: [
    { operation: 'chat', format: 'chat', wire: least },
    { operation: 'chat', format: 'chat', wire: { ...least, stream: true } },
    { operation: 'chat', format: 'messages', wire: { ...least, max_tokens: 64, stream: true } },
    { operation: 'chat', format: 'own', wire: least },
    { operation: 'chat', format: 'own', wire: { ...least, stream: true } },
    { operation: 'completions', wire: { model: 'qwen3:8b', prompt: 'Once' } },
    { operation: 'embeddings', wire: { model: 'embeddinggemma', input: ['a', 'b'] } },
    { operation: 'embeddings', format: 'own', wire: { model: 'embeddinggemma', input: 'a' } },
    { operation: 'images', wire: { model: 'x/z-image-turbo', prompt: 'A robot' } },
  ],
  inquiries: inquiriesOf('ollama'),
  streams: [
    {
      name: 'tools',
      operation: 'chat',
      format: 'chat',
      bytes: beside('../fixtures/ollama/tools.sse'),
    },
    {
      name: 'messages',
      operation: 'chat',
      format: 'messages',
      bytes: beside('../fixtures/ollama/messages.sse'),
    },
    native('native-tools.ndjson', {
      reasoning: 'They ask for Zürich.',
      text: 'I look it up.',
      tools: [
        { name: 'get_weather', input: '{"place":"Zürich"}' },
        { name: 'now', input: '{}' },
      ],
      stop: 'tool',
      usage: { input: 131, cacheRead: 40, output: 33 },
    }),
    native('native-whole.json', {
      text: 'Grüße aus Zürich 🚠',
      stop: 'length',
      usage: { input: 26, output: 11 },
    }),
    native('native-failed.ndjson', { failure: 'upstream' }),
    native('native-unpulled.ndjson', { failure: 'channel' }),
  ],
  writes: [
    {
      name: 'a round of tools with an image',
      call: {
        model: 'qwen3:8b',
        turns: [
          { role: 'developer', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'Where?' }, picture] },
          {
            role: 'assistant',
            parts: [
              { kind: 'reasoning', text: 'The clock.' },
              { kind: 'toolCall', id: 'c1', name: 'now', input: '{"zone":"CET"}' },
              { kind: 'toolCall', id: 'c2', name: 'here', input: '' },
            ],
          },
          {
            role: 'tool',
            parts: [
              { kind: 'toolResult', callId: 'c1', parts: [{ kind: 'text', text: '12:00' }] },
              { kind: 'toolResult', callId: 'c2', parts: [{ kind: 'text', text: 'Bern' }] },
            ],
          },
        ],
        tools: [{ kind: 'function', name: 'now', schema: { type: 'object' } }],
        limit: { tokens: 50, field: 'max_tokens' },
        sampling: { temperature: 0, topP: 1, topK: 40, seed: 7, stop: ['END'] },
        reasoning: { effort: 'low' },
        output: { kind: 'schema', name: 'place', schema: { type: 'object' } },
        stream: true,
        only: {
          chat: { options: { num_ctx: 8192, min_p: 0.1, temperature: 1 }, keep_alive: '10m' },
        },
      },
      wire: {
        model: 'qwen3:8b',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Where?', images: ['AAAA'] },
          {
            role: 'assistant',
            content: '',
            thinking: 'The clock.',
            tool_calls: [
              { function: { name: 'now', arguments: { zone: 'CET' } } },
              { function: { name: 'here', arguments: {} } },
            ],
          },
          { role: 'tool', tool_name: 'now', content: '12:00' },
          { role: 'tool', tool_name: 'here', content: 'Bern' },
        ],
        stream: true,
        tools: [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }],
        format: { type: 'object' },
        think: 'low',
        keep_alive: '10m',
        options: {
          ...{ num_ctx: 8192, min_p: 0.1, temperature: 0, num_predict: 50 },
          ...{ top_p: 1, top_k: 40, seed: 7, stop: ['END'] },
        },
      },
    },
  ],
  answers: [
    embedded('floats', {}, [0.5, -0.25]),
    embedded('packed', { encoding_format: 'base64' }, 'AAAAPwAAgL4='),
  ],
  refusals: [
    refusal(400, 'registry.ollama.ai/library/x does not support tools', 'client'),
    refusal(400, 'model requires more system memory (9.1 GiB) than is available', 'channel'),
    refusal(404, 'model "x" not found, try pulling it first', 'channel'),
    {
      operation: 'embeddings',
      status: 400,
      body: { error: 'invalid input type' },
      blame: 'client',
    },
    { operation: 'chat', status: 500, body: { error: 'llama runner stopped' }, blame: 'upstream' },
    {
      operation: 'chat',
      status: 500,
      body: { error: 'unexpected server status: llm server loading model' },
      blame: 'channel',
    },
  ],
})

function native(file: string, expected: DecodedResponse) {
  const bytes = beside(`../fixtures/ollama/${file}`)
  return { name: file, operation: 'chat' as const, format: 'own' as const, bytes, expected }
}

function embedded(name: string, over: JsonObject, embedding: Json) {
  return {
    name,
    operation: 'embeddings' as const,
    request: { model: 'embeddinggemma', input: 'a', ...over },
    body: Buffer.from('{"model":"x","embeddings":[[0.5,-0.25]],"prompt_eval_count":3}'),
    json: {
      ...{ object: 'list', model: 'embeddinggemma' },
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    },
  }
}

function refusal(status: number, message: string, blame: 'client' | 'channel') {
  const error = { message, type: 'invalid_request_error', param: null, code: null }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
