/** The OpenRouter provider under the conformance kit: three chat formats and embeddings. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/openrouter/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { callsOf, wires } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/openrouter/${name}`)
const formats = { chat, messages, responses }
const hello = [{ role: 'user', content: 'Hello' }]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/openrouter/manifest.json').toString('utf8'),
  create,
  formats: (name) => formats[name as keyof typeof formats](),
  settings: { site_url: 'https://example.org', site_name: 'Grüße' },
  calls: [
    { operation: 'chat', wire: { model: 'openai/gpt-5', messages: hello, stream: true } },
    {
      operation: 'chat',
      format: 'messages',
      wire: { model: 'anthropic/claude-sonnet-4.6', max_tokens: 10, messages: hello },
    },
    { operation: 'chat', format: 'responses', wire: { model: 'openai/gpt-5', input: 'Hello' } },
    ...callsOf(['embeddings', 'rerank', 'speech', 'transcriptions', 'images', 'edits']),
  ],
  answers: [
    drawn('bytes', {}, { b64_json: 'iVBORw0KGgo=' }),
    drawn('an address', { response_format: 'url' }, { url: 'data:image/png;base64,iVBORw0KGgo=' }),
    { name: 'no picture', operation: 'images', request: wires.images, body: { data: [] } },
  ],
  inquiries: inquiriesOf('openrouter'),
  streams: [
    { name: 'reasoning and cost', operation: 'chat', bytes: fixture('reasoning-cost.sse') },
  ],
  refusals: [
    refusal(400, {}, 'client'),
    refusal(402, {}, 'channel'),
    refusal(403, { reasons: ['violence'], flagged_input: '…' }, 'client'),
    refusal(403, {}, 'channel'),
    refusal(404, {}, 'channel'),
    refusal(408, {}, 'upstream'),
    refusal(429, { provider_name: 'Azure' }, 'channel'),
    refusal(502, { provider_name: 'Azure', raw: 'x' }, 'upstream'),
    refusal(503, {}, 'upstream'),
  ],
})

function drawn(name: string, over: JsonObject, picture: JsonObject) {
  return {
    name,
    operation: 'images' as const,
    request: { model: 'bytedance-seed/seedream-4.5', prompt: 'A house', ...over },
    body: {
      created: 0,
      data: [{ b64_json: 'iVBORw0KGgo=' }],
      usage: { prompt_tokens: 9, completion_tokens: 4175, total_tokens: 4184, cost: 0.04 },
    },
    json: {
      created: 0,
      data: [picture],
      usage: { input_tokens: 9, output_tokens: 4175, total_tokens: 4184 },
    },
  }
}

function refusal(code: number, metadata: JsonObject, blame: 'client' | 'channel' | 'upstream') {
  const error = { code, message: `Refused with ${code}`, metadata }
  return { operation: 'chat' as const, status: code, body: { error }, blame }
}
