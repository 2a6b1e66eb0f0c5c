/** The Cloudflare provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/cloudflare/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { inquiriesOf } from './upstream-query-cases.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const model = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const least = { model, messages: [{ role: 'user', content: 'Hello' }] }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/cloudflare/manifest.json').toString(),
  create,
  formats: () => chat(),
  settings: { account: '023e105f4ecef8ad9ca31a8372d0c353' },
  calls: [
    { operation: 'chat', wire: least },
    { operation: 'chat', wire: { ...least, stream: true } },
    { operation: 'embeddings', wire: { model: '@cf/baai/bge-m3', input: ['a', 'b'] } },
  ],
  inquiries: inquiriesOf('cloudflare'),
  streams: [{ name: 'text', operation: 'chat', bytes: beside('../fixtures/cloudflare/text.sse') }],
  refusals: [
    refusal(400, 5007, 'No such model @cf/x or task', 'channel'),
    refusal(
      400,
      7003,
      'Could not route to /accounts/x/ai, perhaps your identifier is invalid?',
      'channel',
    ),
    refusal(400, 6003, 'Invalid request headers', 'channel'),
    refusal(400, 5006, 'AiError: Bad input: messages is required', 'client'),
    refusal(401, 10000, 'Authentication error', 'channel'),
    refusal(403, 5016, 'User has not agreed to the model terms', 'channel'),
    refusal(413, 3006, 'Request is too large', 'client'),
    refusal(429, 3036, 'You have used up your daily free allocation', 'channel'),
  ],
})

function refusal(status: number, code: number, message: string, blame: 'client' | 'channel') {
  const body = { success: false, errors: [{ code, message }], messages: [], result: null }
  return { operation: 'chat' as const, status, body, blame }
}
