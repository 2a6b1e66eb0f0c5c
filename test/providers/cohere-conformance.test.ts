/** The Cohere provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/cohere/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'
import { recorded } from './cohere-recorded.js'
import { inquiriesOf } from './upstream-query-cases.js'

const least = { model: 'command-a-03-2025', messages: [{ role: 'user', content: 'Hello' }] }
const texts = { model: 'embed-v4.0', input: ['hello', 'goodbye'] }
const ranking = { model: 'rerank-v4.0', query: 'capital', documents: ['a', { text: 'b' }, 'c'] }
const usage = { prompt_tokens: 4, total_tokens: 4 }
const meta = {
  api_version: { version: '2', is_experimental: false },
  billed_units: { search_units: 1 },
}
const id = '07734bd2-2473-4f07-94e1-0d9f0e6843cf'

const calling: DecodedResponse = {
  reasoning: 'I will look up the weather.',
  tools: [
    { name: 'get_weather', input: '{"location": "Zürich"}' },
    { name: 'now', input: '{}' },
  ],
  stop: 'tool',
  usage: { input: 37, output: 22 },
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/cohere/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: () => chat(),
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    { operation: 'embeddings', wire: texts },
    {
      operation: 'embeddings',
      wire: { ...texts, input: [{ image: 'data:image/png;base64,AA==' }] },
    },
    { operation: 'rerank', wire: ranking },
  ],
  inquiries: inquiriesOf('cohere'),
  streams: [
    stream('text.sse', {
      text: 'Grüße aus Zürich 🚠',
      stop: 'end',
      usage: { input: 8, output: 11 },
    }),
    stream('tools.sse', calling),
    stream('tools.json', calling),
    stream('citations.sse', {
      ...{ text: 'Bern is it.', reasoning: 'They ask for the capital.', stop: 'end' },
      usage: { input: 20, output: 14 },
    }),
    stream('failed.sse', { failure: 'upstream' }),
  ],
  writes: [
    {
      name: 'a round of tools',
      call: {
        model: 'command-a-03-2025',
        turns: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
          {
            role: 'assistant',
            parts: [
              { kind: 'reasoning', text: 'The clock.' },
              { kind: 'toolCall', id: 'c1', name: 'now', input: '{"zone":"CET"}' },
            ],
          },
          {
            role: 'tool',
            parts: [{ kind: 'toolResult', callId: 'c1', parts: [{ kind: 'text', text: '12:00' }] }],
          },
        ],
        tools: [{ kind: 'function', name: 'now', schema: { type: 'object' } }],
        limit: { tokens: 50, field: 'max_tokens' },
        sampling: { temperature: 0, topP: 1, stop: ['END'] },
        stream: true,
      },
      wire: {
        model: 'command-a-03-2025',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            tool_plan: 'The clock.',
            tool_calls: [
              {
                ...{ id: 'c1', type: 'function' },
                function: { name: 'now', arguments: '{"zone":"CET"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: '12:00' },
        ],
        stream: true,
        tools: [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }],
        max_tokens: 50,
        temperature: 0,
        p: 0.99,
        stop_sequences: ['END'],
      },
    },
  ],
  answers: [
    {
      name: 'embeddings',
      operation: 'embeddings',
      request: texts,
      body: recorded('embed.json'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: [0.5, -0.25] },
          { object: 'embedding', index: 1, embedding: [1, 0.125] },
        ],
        model: 'embed-v4.0',
        usage,
      },
    },
    {
      name: 'packed embeddings',
      operation: 'embeddings',
      request: { ...texts, encoding_format: 'base64' },
      body: recorded('embed.json'),
      json: {
        object: 'list',
        data: [
          { object: 'embedding', index: 0, embedding: 'AAAAPwAAgL4=' },
          { object: 'embedding', index: 1, embedding: 'AACAPwAAAD4=' },
        ],
        model: 'embed-v4.0',
        usage,
      },
    },
    {
      name: 'rerank',
      operation: 'rerank',
      request: ranking,
      body: recorded('rerank.json'),
      json: {
        id,
        results: [
          { index: 2, relevance_score: 0.99 },
          { index: 0, relevance_score: 0.78 },
        ],
        meta,
        model: 'rerank-v4.0',
      },
    },
    {
      name: 'rerank with documents',
      operation: 'rerank',
      request: { ...ranking, return_documents: true },
      body: recorded('rerank.json'),
      json: {
        id,
        results: [
          { index: 2, relevance_score: 0.99, document: { text: 'c' } },
          { index: 0, relevance_score: 0.78, document: { text: 'a' } },
        ],
        meta,
        model: 'rerank-v4.0',
      },
    },
    { name: 'no vectors', operation: 'embeddings', request: texts, body: { embeddings: {} } },
    { name: 'no ranking', operation: 'rerank', request: ranking, body: Buffer.from('<html>') },
  ],
  refusals: [
    refusal(400, 'invalid request: list of documents must not be empty', 'client'),
    refusal(401, 'invalid api token', 'channel'),
    refusal(402, 'Please add or update your payment method', 'channel'),
    refusal(404, "model 'command-x' not found", 'channel'),
    refusal(422, 'messages must be at least 1', 'client'),
    refusal(
      429,
      'You are using a Trial key, which is limited to 40 API calls / minute.',
      'channel',
    ),
    refusal(498, 'blocked output: found a blocked term', 'client'),
    refusal(503, 'service unavailable', 'upstream'),
  ],
})

function refusal(status: number, message: string, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { id: 'x', message }, blame }
}

function stream(file: string, expected: DecodedResponse) {
  return { name: file, operation: 'chat' as const, bytes: recorded(file), expected }
}
