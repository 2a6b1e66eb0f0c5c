/** The Perplexity provider under the conformance kit; its stream as it is once its end is there. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/perplexity/index.js'
import { terminated } from '../../providers/perplexity/terminated.js'
import { conformingProvider } from './provider.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const user = { role: 'user', content: 'Hello' }

function ended(bytes: Buffer): Buffer {
  const frames = terminated()
  return Buffer.concat([...frames.push(bytes), ...frames.flush()])
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/perplexity/manifest.json').toString('utf8'),
  create,
  formats: () => chat(),
  calls: [
    { operation: 'chat', wire: { model: 'sonar', messages: [user], stream: true } },
    { operation: 'chat', wire: { model: 'sonar', messages: [user, user] } },
  ],
  streams: [
    {
      name: 'no end',
      operation: 'chat',
      bytes: ended(read('../fixtures/perplexity/no-end.sse')),
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
