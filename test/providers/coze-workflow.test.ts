/** Workflows of Coze: under the conformance kit, and what of their messages and outputs is the answer. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Event } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter, ChatAdapter } from '../../kernel/contract/provider.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/coze/index.js'
import type { DecodedResponse } from '../conformance/decoded-response.js'
import { usageOf } from '../conformance/events.js'
import { conformingProvider } from '../conformance/provider.js'
import { channelOf, manifestOf } from './provider-kit.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url))
const model = 'workflow-73664689170551'
const settings = { workflow_file_input: 'papers' }
const manifest = manifestOf('coze')
const channel = (over: JsonObject = {}) => channelOf(manifest, over)
const [bot, workflow] = [create().operations.chat!].flat() as readonly Adapter[]

const bytes = Buffer.from('what the file holds')
const source = { url: 'https://x.example/a.png' }
const picture = { kind: 'media', type: 'image', source } as const
const asked = { workflow_id: '73664689170551', parameters: { input: 'Hello' } }

conformingProvider((title, run) => t.test(title, async () => run()), {
  manifest: beside('../../providers/coze/manifest.json').toString(),
  create: () => ({ operations: { chat: workflow as ChatAdapter } }),
  formats: () => chat(),
  settings,
  calls: [{ operation: 'chat', wire: asked, model }],
  streams: [
    stream('workflow', {
      ...{ text: 'Grüße aus Bern 🐻', stop: 'end' },
      usage: { input: 614, output: 19 },
    }),
    stream('workflow-error', { failure: 'client' }),
    stream('workflow-interrupt', { failure: 'channel' }),
  ],
  writes: [
    { name: 'a question', call: { model }, wire: asked },
    {
      name: 'a conversation about a picture',
      call: {
        model,
        user: 'u-1',
        turns: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'And this?' }, picture] },
        ],
      },
      wire: {
        workflow_id: '73664689170551',
        parameters: {
          input: 'System: Be brief.\n\nUser: And this?',
          papers: ['https://x.example/a.png'],
        },
        ext: { user_id: 'u-1' },
      },
    },
  ],
  preparations: [
    {
      name: 'a document beside an address',
      operation: 'chat',
      model,
      wire: { ...asked, parameters: { papers: [source.url, waitingFor('b.pdf')] } },
      calls: [
        {
          url: 'https://api.coze.cn/v1/files/upload',
          holds: ['name="file"; filename="b.pdf"', bytes],
          answer: { status: 200, json: { code: 0, data: { id: '74' } } },
        },
      ],
      json: { ...asked, parameters: { papers: [source.url, '{"file_id":"74"}'] } },
    },
  ],
  refusals: [
    { operation: 'chat', status: 400, body: { code: 4200, msg: 'No such.' }, blame: 'channel' },
  ],
})

function waitingFor(name: string) {
  return { upload: { base64: bytes.toString('base64'), mime: 'application/pdf', name } }
}

t.test('the name of the model shows whether it is a bot or a workflow', async (t) => {
  for (const [name, isWorkflow] of [
    [model, true],
    ['bot-738', false],
    ['helper', false],
  ] as const) {
    t.equal(bot!.serves!(channel(), name), !isWorkflow, name)
    t.equal(workflow!.serves!(channel(), name), isWorkflow, name)
  }
})

function encoded(over: object, set: JsonObject = {}): JsonObject {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }], ...over }
  return workflow!.encode!(chat().decodeRequest(body as never), channel(set))
}

t.test('a channel names the inputs, and the app or the bot a workflow runs for', async (t) => {
  t.match(encoded({ parameters: { lang: 'de', input: 'x' } }), {
    parameters: { lang: 'de', input: 'Hi' },
  })
  t.match(encoded({}, { workflow_input: ' question ' }), { parameters: { question: 'Hi' } })
  t.match(encoded({}, { bot_id: '738' }), { bot_id: '738', app_id: undefined })
  t.match(encoded({}, { bot_id: '738', app_id: '74' }), { bot_id: undefined, app_id: '74' })
})

t.test('[FMT-9] files no parameter is there for are refused by name', async (t) => {
  const image = { type: 'image_url', image_url: source }
  const showing = (...content: readonly object[]) => ({ messages: [{ role: 'user', content }] })
  const one = { ...settings, workflow_file_kind: 'file' }
  t.match(encoded(showing(image), one), { parameters: { papers: source.url } })
  t.throws(() => encoded(showing(image, image), one), { code: 'not_expressible' })
  t.throws(() => encoded(showing(image)), { code: 'not_expressible' })
})

const message = (content: string, over: object = {}) =>
  frame('Message', { content, node_seq_id: '0', node_is_finish: true, ...over })
const done = frame('Done', {})

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function read(frames: readonly string[], set: JsonObject = {}): readonly Event[] {
  const reader = workflow!.read!(channel(set))
  return [...reader.push(Buffer.from(frames.join(''))), ...reader.flush()]
}

function textOf(events: readonly Event[]): string {
  return events.map((event) => (event.type === 'delta' ? (event.text ?? '') : '')).join('')
}

t.test('messages are paragraphs, and outputs are said once', async (t) => {
  const outputs = JSON.stringify({ a: 'One.', b: 'Two.' })
  t.equal(textOf(read([message('One.'), message('Two.'), message(outputs), done])), 'One.\n\nTwo.')
  t.equal(textOf(read([message('Three.'), message(outputs), done])), `Three.\n\n${outputs}`)
  t.equal(textOf(read([message(outputs), done])), outputs)
  t.equal(textOf(read([message(outputs), done], { workflow_output: 'b' })), 'Two.')
  t.equal(textOf(read([message('{"a":[1]}'), done])), '[1]')
})

t.test('JSON that another message follows is no output', async (t) => {
  t.equal(textOf(read([message('{"a":"1"}'), message('End.'), done])), '{"a":"1"}\n\nEnd.')
})

t.test('a workflow that says nothing ends, and one that is cut off does not', async (t) => {
  t.strictSame(
    read([done]).map(({ type }) => type),
    ['start', 'stop', 'end'],
  )
  const cut = read([message('One.')])
  t.notOk(cut.some(({ type }) => type === 'end' || type === 'stop'))
})

t.test(
  'the last counts are those of the run, and what it does not count is left out',
  async (t) => {
    const usage = (input_count: number, output_count: number) => ({
      usage: { input_count, output_count, token_count: input_count + output_count },
    })
    const counted = [
      message('One.', usage(5, 1)),
      message('Two.', usage(50, 10)),
      message('Three.'),
    ]
    t.strictSame(usageOf(read([...counted, done])), { input: 50, output: 10 })
    t.strictSame(usageOf(read([message('One.'), done])), undefined)
  },
)

function stream(name: string, expected: DecodedResponse) {
  return {
    name,
    operation: 'chat' as const,
    bytes: beside(`../fixtures/coze/${name}.sse`),
    expected,
  }
}
