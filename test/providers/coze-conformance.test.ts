/** The Coze provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/coze/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { bot_id: '7379462189365198898', user_id: 'user', additional_messages: [] }

const source = { url: 'https://x.example/a.png' }
const picture = { kind: 'media', type: 'image', source } as const

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/coze/manifest.json').toString(),
  create,
  formats: () => chat(),
  calls: [{ operation: 'chat', wire: { ...question, stream: true }, model: 'bot-7379462189' }],
  streams: [
    stream('answer', {
      ...{ text: 'Grüße aus Bern 🐻', reasoning: 'A greeting.', stop: 'end' },
      usage: { input: 614, output: 19 },
    }),
    stream('whole-message', {
      ...{ text: 'All at once.', stop: 'end' },
      usage: { input: 614, output: 19 },
    }),
    stream('failed', { failure: 'channel' }),
    stream('error', { failure: 'client' }),
  ],
  writes: [
    {
      name: 'a conversation',
      call: {
        model: 'bot-7379462189365198898',
        turns: [
          { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
          { role: 'assistant', parts: [{ kind: 'text', text: 'Hi.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'And this?' }, picture] },
        ],
      },
      wire: {
        ...question,
        additional_messages: [
          { role: 'user', type: 'question', content: 'Hello', content_type: 'text' },
          { role: 'assistant', type: 'answer', content: 'Hi.', content_type: 'text' },
          {
            role: 'user',
            type: 'question',
            content:
              '[{"type":"text","text":"And this?"},{"type":"image","file_url":"https://x.example/a.png"}]',
            content_type: 'object_string',
          },
        ],
        stream: true,
        auto_save_history: false,
      },
    },
  ],
  refusals: [
    refusal(400, 4000, 'client'),
    refusal(400, 4015, 'channel'),
    refusal(400, 4028, 'channel'),
    refusal(401, 4100, 'channel'),
    refusal(403, 4101, 'channel'),
    refusal(500, 5000, 'upstream'),
  ],
})

function refusal(status: number, code: number, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { code, msg: 'What went wrong.' }, blame }
}

function stream(name: string, expected: DecodedResponse) {
  const bytes = beside(`../fixtures/coze/${name}.sse`)
  return { name, operation: 'chat' as const, bytes, expected }
}
