/** The Mistral provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/mistral/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { callsOf } from './wires.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/mistral/${name}`)
const hello = { role: 'user', content: 'Hello' }
const rounds = [
  { role: 'system', content: 'Be brief.' },
  hello,
  {
    role: 'assistant',
    content: '',
    reasoning_content: 'x',
    tool_calls: [{ id: 'call_123456789012', function: { name: 'a', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_123456789012', content: '' },
  hello,
  { role: 'assistant', content: 'Once' },
]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/mistral/manifest.json').toString('utf8'),
  create,
  formats: () => chat(),
  calls: [
    { operation: 'chat', wire: { model: 'mistral-large-latest', messages: [hello], stream: true } },
    {
      operation: 'chat',
      wire: { model: 'm', messages: rounds, max_completion_tokens: 0, seed: 0, user: 'u' },
    },
    ...callsOf(['embeddings', 'moderations', 'transcriptions']),
  ],
  streams: [
    { name: 'thinking', operation: 'chat', bytes: fixture('thinking.sse') },
    { name: 'tools', operation: 'chat', bytes: fixture('tools.sse') },
  ],
  refusals: [
    refusal(422, JSON.parse(fixture('extra-field.json').toString('utf8')), 'client'),
    refusal(422, { detail: [{ type: 'missing', loc: ['body', 'model'], msg: 'x' }] }, 'client'),
    refusal(400, error('invalid_request_message_order', '3230'), 'client'),
    refusal(400, error('invalid_model', '1500'), 'channel'),
    refusal(401, { message: 'Unauthorized', request_id: 'a' }, 'channel'),
    refusal(429, error('service_tier_capacity_exceeded', '3505'), 'channel'),
    refusal(503, error('unreachable_backend', '1100'), 'upstream'),
  ],
})

function error(type: string, code: string): JsonObject {
  return { object: 'error', message: `It is ${type}.`, type, param: null, code }
}

function refusal(status: number, body: JsonObject, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body, blame }
}
