/** The anthropic provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import messages from '../../plugins/formats/messages/index.js'
import create from '../../providers/anthropic/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { stream } from '../plugins/formats/messages/recorded.js'
import { inquiriesOf } from './upstream-query-cases.js'

const least = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../providers/anthropic/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  formats: () => messages(),
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    {
      operation: 'chat',
      wire: {
        ...least,
        model: 'claude-opus-4-8',
        thinking: { type: 'enabled', budget_tokens: 2048 },
      },
    },
    { operation: 'count', format: 'messages', wire: least },
  ],
  inquiries: inquiriesOf('anthropic'),
  streams: ['text', 'tools', 'thinking', 'web-search', 'stop-sequence', 'refusal'].map((name) => ({
    name,
    operation: 'chat',
    bytes: stream(name),
  })),
  refusals: [
    refusal(400, 'invalid_request_error', 'max_tokens: Field required', 'client'),
    refusal(400, 'invalid_request_error', 'Your credit balance is too low to…', 'channel'),
    refusal(400, 'invalid_request_error', 'This organization has been disabled.', 'channel'),
    refusal(401, 'authentication_error', 'invalid x-api-key', 'channel'),
    refusal(402, 'billing_error', 'Payment required', 'channel'),
    refusal(403, 'permission_error', 'Not allowed', 'channel'),
    refusal(404, 'not_found_error', 'model: claude-x', 'channel'),
    refusal(413, 'request_too_large', 'Request exceeds the maximum size', 'client'),
    refusal(429, 'rate_limit_error', 'This would exceed your rate limit', 'channel'),
    refusal(500, 'api_error', 'Internal server error', 'upstream'),
    refusal(529, 'overloaded_error', 'Overloaded', 'upstream'),
  ],
})

function refusal(
  status: number,
  type: string,
  message: string,
  blame: 'client' | 'channel' | 'upstream',
) {
  const body = { type: 'error', error: { type, message }, request_id: 'req_011' }
  return { operation: 'chat' as const, status, body, blame }
}
