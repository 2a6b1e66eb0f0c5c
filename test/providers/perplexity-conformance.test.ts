/** The Perplexity provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/perplexity/index.js'
import { conformingProvider } from '../conformance/provider.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const user = { role: 'user', content: 'Hello' }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/perplexity/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'sonar', input: 'Hello', stream: true } },
    { operation: 'chat', wire: { model: 'sonar-pro', input: 'Hello', user: 'u' } },
    { operation: 'chat', format: 'chat', wire: { model: 'sonar', messages: [user, user] } },
  ],
  streams: [
    {
      name: 'search',
      operation: 'chat',
      bytes: read('../fixtures/perplexity/agent-search.sse'),
    },
    {
      name: 'no end',
      operation: 'chat',
      format: 'chat',
      bytes: read('../fixtures/perplexity/no-end.sse'),
    },
  ],
  refusals: [
    refusal(400, 'invalid_message', 'Last message must have role `user`.', 'client'),
    refusal(400, 'invalid_model', 'Invalid model', 'client'),
    refusal(401, 'authentication_error', 'Invalid API key', 'channel'),
    refusal(401, 'insufficient_quota', 'You exceeded your current quota', 'channel'),
    refusal(429, 'rate_limit', 'Request rate limit exceeded', 'channel'),
  ],
})

function refusal(status: number, type: string, message: string, blame: 'client' | 'channel') {
  const error = { message, type, code: status }
  return { operation: 'chat' as const, status, body: { error }, blame }
}
