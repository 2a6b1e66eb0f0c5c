/** The Bedrock provider on the bench of the conformance kit. */
import { readFileSync } from 'node:fs'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/bedrock/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import type { ProviderSubject } from '../conformance/provider.js'
import { frames } from './bedrock-recorded.js'
import { inquiriesOf } from './upstream-query-cases.js'

const claude = {
  model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
}

const titan = { model: 'amazon.titan-embed-text-v2:0', input: 'Hello' }
const canvas = { model: 'amazon.nova-canvas-v1:0', prompt: 'A house', n: 2 }
const shown = { ...canvas, image: 'data:image/png;base64,iVBO' }
const ranking = { model: 'cohere.rerank-v3-5:0', query: 'which', documents: ['one', 'two'] }

const nova = {
  model: 'amazon.nova-lite-v1:0',
  messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
}

export const bedrockSubject: ProviderSubject = {
  manifest: readFileSync(new URL('../../providers/bedrock/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : messages()),
  credentials: { key: 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|eu-central-1' },
  calls: [
    { operation: 'chat', format: 'messages', wire: claude },
    { operation: 'chat', format: 'messages', wire: { ...claude, stream: true } },
    { operation: 'chat', format: 'own', wire: nova, model: nova.model },
    { operation: 'chat', format: 'responses', wire: { model: 'openai.gpt-5.5', input: 'Hello' } },
    {
      ...{ operation: 'chat', format: 'responses' },
      wire: { model: 'us.openai.gpt-5.6-sol', input: 'Hello', stream: true },
    },
    { operation: 'embeddings', wire: titan },
    { operation: 'images', wire: canvas },
    { operation: 'edits', wire: shown },
    { operation: 'rerank', wire: ranking },
    { operation: 'count', wire: claude },
    { operation: 'embeddings', wire: { ...titan, input: ['one', 'two'] } },
  ],
  answers: [
    {
      ...{ name: 'vectors', operation: 'embeddings', request: titan },
      body: { embedding: [0.5, 1], inputTextTokenCount: 3 },
      json: {
        ...{ object: 'list', model: titan.model },
        data: [{ object: 'embedding', index: 0, embedding: [0.5, 1] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      },
    },
    {
      ...{ name: 'pictures', operation: 'images', request: canvas },
      body: { images: ['iVBO', 'AAAA'] },
      json: { data: [{ b64_json: 'iVBO' }, { b64_json: 'AAAA' }] },
    },
    {
      ...{ name: 'a picture held back', operation: 'images', request: canvas },
      body: { images: [], error: 'All of the generated images have been blocked.' },
    },
    {
      ...{ name: 'a picture anew', operation: 'edits', request: shown },
      body: { images: ['iVBO'] },
      json: { data: [{ b64_json: 'iVBO' }] },
    },
    {
      ...{ name: 'a ranking', operation: 'rerank', request: ranking },
      body: { results: [{ index: 1, relevance_score: 0.5 }] },
      json: { model: ranking.model, results: [{ index: 1, relevance_score: 0.5 }] },
    },
  ],
  inquiries: inquiriesOf('bedrock'),
  streams: [
    ...['claude-text', 'claude-tool'].map((name) => ({
      name,
      operation: 'chat' as const,
      format: 'messages' as const,
      bytes: frames(name),
    })),
    converse('converse-text', {
      ...{ text: 'Grüße aus Oregon 🚀', stop: 'end' },
      usage: { input: 12, output: 9 },
    }),
    converse('converse-tools', {
      text: 'I will look.',
      reasoning: 'Two cities, two calls.',
      tools: [
        { name: 'weather', input: '{"city":"Zürich"}' },
        { name: 'now', input: '{}' },
      ],
      stop: 'tool',
      usage: { input: 50, output: 61, cacheRead: 300, cacheWrite5m: 40, cacheWrite1h: 60 },
    }),
  ],
  writes: [
    {
      name: 'a round of tools',
      call: {
        model: 'amazon.nova-2-lite-v1:0',
        turns: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
          {
            role: 'assistant',
            parts: [{ kind: 'toolCall', id: 'c1', name: 'now', input: '{"zone":"CET"}' }],
          },
          {
            role: 'tool',
            parts: [{ kind: 'toolResult', callId: 'c1', parts: [{ kind: 'text', text: '12:00' }] }],
          },
        ],
        tools: [{ kind: 'function', name: 'now', schema: { type: 'object' } }],
        limit: { tokens: 50, field: 'max_tokens' },
        sampling: { temperature: 0, stop: ['END'] },
      },
      wire: {
        system: [{ text: 'Be brief.' }],
        messages: [
          { role: 'user', content: [{ text: 'Hello' }] },
          {
            role: 'assistant',
            content: [{ toolUse: { toolUseId: 'c1', name: 'now', input: { zone: 'CET' } } }],
          },
          {
            role: 'user',
            content: [{ toolResult: { toolUseId: 'c1', content: [{ text: '12:00' }] } }],
          },
        ],
        inferenceConfig: { maxTokens: 50, temperature: 0, stopSequences: ['END'] },
        toolConfig: {
          tools: [{ toolSpec: { name: 'now', inputSchema: { json: { type: 'object' } } } }],
        },
      },
    },
  ],
  refusals: [
    refusal(400, 'messages.0.content: Field required', 'client'),
    refusal(400, 'The provided model identifier is invalid.', 'channel'),
    refusal(
      400,
      'Invocation of model ID anthropic.claude-x with on-demand throughput isn’t supported.',
      'channel',
    ),
    refusal(403, 'The security token included in the request is invalid.', 'channel'),
    refusal(429, 'Too many requests, please wait before trying again.', 'channel'),
    refusal(503, 'Service unavailable', 'upstream'),
  ],
}

function refusal(status: number, message: string, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { message }, blame }
}

function converse(name: string, expected: DecodedResponse) {
  return { name, operation: 'chat' as const, format: 'own' as const, bytes: frames(name), expected }
}
