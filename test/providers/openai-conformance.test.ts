/** The OpenAI provider under the conformance kit: both chat formats and every operation. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { OperationName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/openai/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'
import { callsOf, chatWire } from './wires.js'

const operations: readonly OperationName[] = [
  'completions',
  'embeddings',
  'images',
  'edits',
  'speech',
  'transcriptions',
  'translations',
  'moderations',
  'rerank',
  'compact',
  'realtime',
]

const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(new URL('../../providers/openai/manifest.json', import.meta.url), 'utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : chat()),
  settings: { organization: 'org-1', project: 'proj-1' },
  calls: [
    { operation: 'chat', wire: chatWire },
    { operation: 'chat', wire: { ...chatWire, model: 'o3-mini', max_tokens: 0, stream: true } },
    { operation: 'chat', format: 'responses', wire: { model: 'gpt-5.1', input: 'Hello' } },
    {
      operation: 'chat',
      format: 'responses',
      wire: { model: 'gpt-5.1', input: 'Hello', stream: true },
    },
    ...callsOf(operations),
  ],
  inquiries: inquiriesOf('openai'),
  streams: [
    { name: 'chat', operation: 'chat', bytes: fixture('chat/openai-text.sse') },
    { name: 'tools', operation: 'chat', bytes: fixture('chat/openai-parallel-tools.sse') },
    {
      name: 'responses',
      operation: 'chat',
      format: 'responses',
      bytes: fixture('responses/text.sse'),
    },
  ],
  refusals: [
    refusal(400, 'Unsupported parameter: top_k', 'unsupported_parameter', 'client'),
    refusal(400, 'Billing hard limit has been reached', 'billing_hard_limit_reached', 'channel'),
    refusal(429, 'You exceeded your current quota', 'insufficient_quota', 'channel'),
    refusal(404, 'The model does not exist', 'model_not_found', 'channel'),
    refusal(403, 'Country not supported', 'unsupported_country_region_territory', 'channel'),
    refusal(503, 'Overloaded', 'server_error', 'upstream'),
  ],
})

function refusal(
  status: number,
  message: string,
  code: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  const body = { error: { message, type: 'invalid_request_error', param: null, code } }
  return { operation: 'chat' as const, status, body, blame }
}
