/** The Coze provider under the conformance kit. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/coze/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { conformingProvider } from '../conformance/provider.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const question = { bot_id: '7379462189365198898', user_id: 'user', additional_messages: [] }

const bytes = Buffer.from('what the file holds')
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
  preparations: [
    {
      name: 'a picture and a document as bytes',
      operation: 'chat',
      wire: {
        ...question,
        additional_messages: [said('Hi'), shown(waiting('image'), waiting('file', 'b.pdf'))],
      },
      calls: [
        upload('file.png', { code: 0, data: { id: '73' } }),
        upload('b.pdf', { code: 0, data: { id: '74' } }),
      ],
      json: {
        ...question,
        additional_messages: [
          said('Hi'),
          {
            ...said(
              '[{"type":"text","text":"And this?"},{"type":"image","file_id":"73"},{"type":"file","file_id":"74"}]',
            ),
            content_type: 'object_string',
          },
        ],
      },
    },
    failing(4302, 'client'),
    failing(4303, 'client'),
    failing(4300, 'client'),
    failing(4020, 'channel'),
    failing(4100, 'channel'),
    failing(5000, 'upstream'),
  ],
  refusals: [
    refusal(400, 4000, 'client'),
    refusal(400, 4015, 'channel'),
    refusal(400, 4005, 'client'),
    refusal(400, 4008, 'channel'),
    refusal(400, 4009, 'upstream'),
    refusal(400, 4010, 'client'),
    refusal(400, 4011, 'channel'),
    refusal(400, 4013, 'upstream'),
    refusal(400, 4019, 'channel'),
    refusal(400, 4020, 'channel'),
    refusal(400, 4022, 'channel'),
    refusal(400, 4028, 'channel'),
    refusal(401, 4100, 'channel'),
    refusal(403, 4101, 'channel'),
    refusal(500, 5000, 'upstream'),
  ],
})

function said(text: string) {
  return { role: 'user', type: 'question', content: text, content_type: 'text' }
}

function shown(...items: readonly JsonObject[]): JsonObject {
  const content = [{ type: 'text', text: 'And this?' }, ...items]
  return { role: 'user', type: 'question', content, content_type: 'object_string' }
}

function waiting(type: string, name?: string) {
  const mime = 'image/png'
  return { type, upload: { base64: bytes.toString('base64'), mime, ...(name && { name }) } }
}

function upload(name: string, json: JsonObject) {
  const holds = [`name="file"; filename="${name}"`, bytes]
  return { url: 'https://api.coze.cn/v1/files/upload', holds, answer: { status: 200, json } }
}

function failing(code: number, blame: 'client' | 'channel' | 'upstream') {
  return {
    name: `code ${code}`,
    operation: 'chat' as const,
    wire: { ...question, additional_messages: [shown(waiting('image'))] },
    calls: [upload('file.png', { code, msg: 'What went wrong.' })],
    blame,
  }
}

function refusal(status: number, code: number, blame: 'client' | 'channel' | 'upstream') {
  return { operation: 'chat' as const, status, body: { code, msg: 'What went wrong.' }, blame }
}

function stream(name: string, expected: DecodedResponse) {
  const bytes = beside(`../fixtures/coze/${name}.sse`)
  return { name, operation: 'chat' as const, bytes, expected }
}
