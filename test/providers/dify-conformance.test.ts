/** The Dify provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/dify/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { query: 'Hello', inputs: {}, response_mode: 'streaming', user: 'user' }

const usage = { input: 1033, output: 135 }
const source = { url: 'https://x.example/a.png' }
const picture = { kind: 'media', type: 'image', source } as const

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/dify/manifest.json').toString(),
  create,
  formats: () => chat(),
  calls: [{ operation: 'chat', wire: question, model: 'helpdesk' }],
  streams: [
    stream('chatflow.sse', { text: 'Grüße aus Bern 🐻', stop: 'end', usage }),
    stream('agent.sse', { text: 'I draw it.There it is.', stop: 'end', usage }),
    stream('replaced.sse', { text: 'How to', stop: 'filter', usage }),
    stream('blocking.json', { text: 'Grüße aus Bern', stop: 'end', usage }),
    stream('failed.sse', { failure: 'upstream' }),
    stream('error.sse', { failure: 'channel' }),
  ],
  writes: [
    {
      name: 'a question',
      call: { user: 'u-1' },
      wire: { ...question, response_mode: 'streaming', user: 'u-1', auto_generate_name: false },
    },
    {
      name: 'a conversation with a picture',
      call: {
        turns: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'Where am I?' }] },
          { role: 'assistant', parts: [{ kind: 'text', text: 'In Bern.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'And this?' }, picture] },
        ],
      },
      wire: {
        ...question,
        query: 'System: Be brief.\n\nUser: Where am I?\n\nAssistant: In Bern.\n\nUser: And this?',
        files: [{ type: 'image', transfer_method: 'remote_url', ...source }],
        auto_generate_name: false,
      },
    },
  ],
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

function stream(file: string, expected: DecodedResponse) {
  return {
    name: file,
    operation: 'chat' as const,
    bytes: beside(`../fixtures/dify/${file}`),
    expected,
  }
}
