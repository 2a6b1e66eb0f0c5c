/** The code-assistant provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import responses from '../../plugins/formats/responses/index.js'
import create from '../../providers/code-assistant/index.js'
import { conformingProvider } from '../conformance/provider.js'
import { accessToken, sessionKey } from './code-assistant-session.js'
import { inquiriesOf } from './upstream-query-cases.js'

const token = accessToken(4_000_000_000_000)
const recorded = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))

const turn = {
  model: 'gpt-5-codex',
  instructions: 'Be brief.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
}

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: readFileSync(
    new URL('../../providers/code-assistant/manifest.json', import.meta.url),
    'utf8',
  ),
  create,
  formats: () => responses(),
  credentials: { key: sessionKey({ access_token: token }), token },
  calls: [
    { operation: 'chat', wire: turn },
    { operation: 'chat', wire: { ...turn, input: 'Hello', temperature: 0, stream: false } },
    { operation: 'compact', wire: turn },
    {
      operation: 'search',
      wire: { id: 's', model: 'gpt-5-codex', commands: {}, x: { deep: [0] } },
    },
  ],
  inquiries: inquiriesOf('code-assistant'),
  streams: [
    { name: 'text', operation: 'chat', bytes: recorded('code-assistant/text.sse') },
    ...['tools', 'reasoning', 'web-search', 'incomplete'].map((name) => ({
      name,
      operation: 'chat' as const,
      bytes: recorded(`responses/${name}.sse`),
    })),
  ],
  refusals: [
    refusal(400, { detail: 'Unsupported parameter: previous_response_id' }, 'client'),
    refusal(
      400,
      { detail: 'The model is not supported when using Codex with a ChatGPT account.' },
      'channel',
    ),
    refusal(
      400,
      { detail: 'The ’gpt-6-astra’ model requires a newer version of Codex. Please upgrade.' },
      'channel',
    ),
    refusal(401, { detail: 'Could not parse your authentication token.' }, 'channel'),
    refusal(402, { detail: { code: 'deactivated_workspace' } }, 'channel'),
    refusal(429, { error: { type: 'usage_limit_reached', resets_in_seconds: 60 } }, 'channel'),
    refusal(429, { error: { type: 'usage_not_included' } }, 'channel'),
    refusal(503, { error: { code: 'server_is_overloaded' } }, 'upstream'),
  ],
})

function refusal(status: number, body: object, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { ...body }, blame }
}
