/** The Dify provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/dify/index.js'
import { conformingProvider } from './provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { query: 'Hello', inputs: {}, response_mode: 'streaming', user: 'user' }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/dify/manifest.json').toString(),
  create,
  formats: () => chat(),
  calls: [{ operation: 'chat', wire: question, model: 'helpdesk' }],
  streams: ['chatflow', 'agent', 'replaced'].map((name) => ({
    name,
    operation: 'chat',
    bytes: beside(`../fixtures/dify/${name}.sse`),
  })),
  refusals: [
    refusal(400, 'invalid_param', 'client'),
    refusal(400, 'app_unavailable', 'channel'),
    refusal(400, 'not_chat_app', 'channel'),
    refusal(400, 'provider_not_initialize', 'channel'),
    refusal(400, 'provider_quota_exceeded', 'channel'),
    refusal(400, 'model_currently_not_support', 'channel'),
    refusal(400, 'completion_request_error', 'upstream'),
    refusal(401, 'unauthorized', 'channel'),
    refusal(404, 'not_found', 'channel'),
    refusal(500, 'internal_server_error', 'upstream'),
  ],
})

function refusal(status: number, code: string, blame: 'client' | 'channel' | 'upstream') {
  const body = { code, message: 'What went wrong.', status }
  return { operation: 'chat' as const, status, body, blame }
}
