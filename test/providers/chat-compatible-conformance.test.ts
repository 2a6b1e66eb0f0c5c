/** The table of chat-compatible upstreams under the conformance kit, with every channel type of its manifest. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import compatible from '../../providers/chat-compatible/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf } from './wires.js'

const formats = { chat, generative, messages, responses }
const hello = { role: 'user', content: 'Hello' }
const least = { model: 'gpt-4o', messages: [hello] }

const streamed = Buffer.from(
  [
    {
      id: 'c-1',
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Grüße ' } }],
    },
    { choices: [{ index: 0, delta: { content: '🚀' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
  ]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join('')
    .concat('data: [DONE]\n\n'),
)

const error = (message: string, type: string) => ({
  error: { message, type, param: null, code: null },
})

const manifest = new URL('../../providers/chat-compatible/manifest.json', import.meta.url)

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(manifest, 'utf8'),
  create: compatible,
  formats: (name) => formats[name as keyof typeof formats](),
  settings: { appid: 'app-1' },
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, model: 'o3-mini', max_tokens: 0, stream: true } },
    {
      operation: 'chat',
      wire: { ...least, messages: [{ ...hello, name: 'ada' }], logprobs: true },
    },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'm', max_tokens: 10, messages: [hello] },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'm', input: 'Hello' } },
    {
      operation: 'chat',
      format: 'generative',
      wire: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    },
    ...callsOf(['completions', 'embeddings', 'images', 'edits', 'rerank', 'moderations']),
    ...callsOf(['speech', 'transcriptions', 'translations']),
  ],
  streams: [{ name: 'text', operation: 'chat', bytes: streamed }],
  refusals: [
    {
      operation: 'chat',
      status: 400,
      body: error('Unsupported parameter: top_k', 'invalid_request_error'),
      blame: 'client',
    },
    {
      operation: 'chat',
      status: 429,
      body: error('You exceeded your current quota', 'insufficient_quota'),
      blame: 'channel',
    },
  ],
})
