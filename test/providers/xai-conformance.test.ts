/** The xAI provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/xai/index.js'
import { conformingProvider } from '../conformance/provider.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const fixture = (name: string) => read(`../fixtures/xai/${name}`)
const hello = [{ role: 'user', content: 'Hello' }]

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: read('../../providers/xai/manifest.json').toString('utf8'),
  create,
  formats: (name) => (name === 'responses' ? responses() : chat()),
  calls: [
    { operation: 'chat', wire: { model: 'grok-4', messages: hello, stream: true } },
    { operation: 'chat', format: 'responses', wire: { model: 'grok-4', input: 'Hello' } },
    { operation: 'images', wire: { model: 'grok-imagine-image', prompt: 'A house', n: 2 } },
    { operation: 'images', wire: { model: 'grok-imagine-image', size: '1792x1024' } },
    { operation: 'images', wire: { model: 'grok-imagine-image', size: '1024x100' } },
  ],
  streams: [{ name: 'reasoning', operation: 'chat', bytes: fixture('reasoning.sse') }],
  refusals: [
    refusal(400, 'bad-key.json', 'channel'),
    refusal(403, 'no-credit.json', 'channel'),
    refusal(403, 'guidelines.json', 'client'),
    {
      operation: 'chat',
      status: 400,
      body: { code: 'invalid-argument', error: 'Argument not supported: stop' },
      blame: 'client',
    },
    {
      operation: 'chat',
      status: 429,
      body: { code: 'Some resource has been exhausted', error: 'Your team has used all credits' },
      blame: 'channel',
    },
  ],
})

function refusal(status: number, name: string, blame: 'client' | 'channel') {
  const body = JSON.parse(fixture(name).toString('utf8'))
  return { operation: 'chat' as const, status, body, blame }
}
