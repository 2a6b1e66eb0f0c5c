/** Dify: a conversation as one question, what no app can be queried, and its stream as an answer. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Call } from '../../kernel/contract/call.js'
import type { Event } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import chatFormat from '../../plugins/formats/chat/index.js'
import create from '../../providers/dify/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { json, events as sent } from '../kit/upstream.js'

const chat = adapterOf(create(), 'chat')
const channel = { id: 1, type: 37, baseUrl: 'https://api.dify.ai', settings: {} }

function call(over: object = {}): Call {
  const body = { model: 'helpdesk', messages: [{ role: 'user', content: 'Hi' }], ...over }
  return chatFormat().decodeRequest(body as never)
}

function encoded(over: object = {}) {
  return chat.encode!(call(over), channel)
}

function recorded(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/dify/${name}`, import.meta.url))
}

function eventsOf(bytes: Buffer): Event[] {
  const reader = chat.read!()
  return [...reader.push(bytes), ...reader.flush()]
}

function textOf(events: readonly Event[]): string {
  return events.map((event) => (event.type === 'delta' ? (event.text ?? '') : '')).join('')
}

t.test('one question is queried as it is, always as a stream', async (t) => {
  t.strictSame(encoded(), {
    query: 'Hi',
    inputs: {},
    response_mode: 'streaming',
    user: 'user',
    auto_generate_name: false,
  })
  t.match(encoded({ stream: true, user: 'u-1', inputs: { lang: 'de' } }), {
    response_mode: 'streaming',
    user: 'u-1',
    inputs: { lang: 'de' },
  })
})

const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where am I?' },
  { role: 'assistant', content: 'In Bern.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And this?' },
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ],
  },
]

t.test('a conversation is written into the question, its files stand beside it', async (t) => {
  t.match(encoded({ messages: conversation }), {
    query: 'System: Be brief.\n\nUser: Where am I?\n\nAssistant: In Bern.\n\nUser: And this?',
    files: [{ type: 'image', transfer_method: 'remote_url', url: 'https://x.example/a.png' }],
  })
  const kept = encoded({ messages: conversation, conversation_id: 'c-1' })
  t.match(kept, { query: 'And this?', conversation_id: 'c-1' })
})

t.test('bytes wait for their upload, under the kind the service finds by the name', async (t) => {
  const data = (mime: string) => `data:${mime};base64,QUJD`
  const shown = encoded({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'These?' },
          { type: 'image_url', image_url: { url: data('image/jpeg') } },
          { type: 'file', file: { filename: '../a/b.PDF', file_data: data('application/pdf') } },
          { type: 'file', file: { filename: 'c.zip', file_data: data('application/zip') } },
          { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
        ],
      },
    ],
  })
  const kinds = (shown.files as { type: string; upload: { name: string } }[]).map(
    ({ type, upload }) => [type, upload.name],
  )
  t.strictSame(kinds, [
    ['image', 'file.jpg'],
    ['document', '.._a_b.PDF'],
    ['custom', 'c.zip'],
    ['audio', 'file.mp3'],
  ])
})

const inputsOf = (settings: object, over: object = {}) => {
  const provided = create().operations.chat as readonly (typeof chat)[]
  const here = { ...channel, settings: { app: 'workflow', ...settings } as never }
  const [adapter] = provided.filter(({ serves }) => serves!(here, 'helpdesk'))
  return adapter!.encode!(call(over), here)
}

t.test(
  'a workflow and a text generator are given inputs, as their channel names them',
  async (t) => {
    const image = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } }
    const file = { type: 'image', transfer_method: 'remote_url', url: 'https://x.example/a.png' }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'And this?' }, image] }]
    const base = { response_mode: 'streaming', user: 'user' }
    t.strictSame(inputsOf({}), { inputs: { query: 'Hi' }, ...base })
    t.strictSame(inputsOf({ input: ' q ' }, { inputs: { lang: 'de', q: 'no' } }), {
      inputs: { lang: 'de', q: 'Hi' },
      ...base,
    })
    t.strictSame(inputsOf({}, { messages }), {
      inputs: { query: 'And this?' },
      ...base,
      files: [file],
    })
    t.match(inputsOf({ file_input: 'f' }, { messages }), {
      inputs: { f: [file] },
      files: undefined,
    })
    const single = { app: 'completion', file_input: 'f', file_input_kind: 'file' }
    t.match(inputsOf(single, { messages }), { inputs: { f: file } })
    const two = [{ role: 'user', content: [image, image] }]
    t.throws(() => inputsOf(single, { messages: two }), { code: 'not_expressible', param: 'media' })
  },
)

t.test(
  'a workflow’s answer is the text it streams, else its only text, else the usual one',
  async (t) => {
    const provided = create().operations.chat as readonly (typeof chat)[]
    const read = (data: object, settings: JsonObject = {}) => {
      const reader = provided[1]!.read!({ id: 1, type: 37, baseUrl: '', settings })
      const finished = { event: 'workflow_finished', data: { status: 'succeeded', ...data } }
      const bytes = Buffer.from(`data: ${JSON.stringify(finished)}\n\n`)
      return [...reader.push(bytes), ...reader.flush()]
    }
    const rows: readonly (readonly [outputs: object, text: string])[] = [
      [{ translation: 'Hallo', score: 5 }, 'Hallo'],
      [{ note: 'n', answer: 'a', text: 't' }, 't'],
      [{ note: 'n', result: 'r' }, 'r'],
      [{ a: 'x', b: 'y' }, '{"a":"x","b":"y"}'],
      [{ score: 5 }, '{"score":5}'],
      [{}, ''],
    ]
    for (const [outputs, text] of rows) t.equal(textOf(read({ outputs })), text, text)
    const named = (outputs: object) => textOf(read({ outputs }, { output: 'summary' }))
    t.equal(named({ text: 'draft', summary: 'short' }), 'short', 'the one the operator names')
    t.equal(named({ text: 'a', summary: { n: 1 } }), '{"n":1}')
    t.equal(named({ text: 'only' }), 'only', 'one that is not there counts as none')
    t.equal(textOf(read({ status: 'partial-succeeded', outputs: { text: 'some' } })), 'some')
    t.match(read({ status: 'stopped' }), [{ type: 'failure', failure: { blame: 'upstream' } }])
    const counted = usageOf(read({ outputs: { text: 'Hello there, Bern' }, total_tokens: 40 }))
    t.equal(counted!.input! + counted!.output!, 40, 'the sum is what the service counted')
    t.ok(counted!.output! > 2)
    t.strictSame(usageOf(read({ outputs: { text: 'Hello there, Bern' }, total_tokens: 1 })), {
      input: 0,
      output: 1,
    })
  },
)

t.test('[FMT-9] what no app can be queried is refused by name, tuning is reported', async (t) => {
  const refuse = (over: object) => ownFormUnsupportedFields(chat, call(over)).refuse
  const tool = { type: 'function', function: { name: 'now' } }
  t.strictSame(refuse({ messages: conversation }), [])
  t.strictSame(refuse({ tools: [tool] }), ['tools'])
  t.strictSame(refuse({ tools: [tool], tool_choice: 'none' }), [])
  t.strictSame(refuse({ response_format: { type: 'json_object' } }), ['output'])
  t.strictSame(refuse({ n: 2, logprobs: true, stop: 'x', logit_bias: { 5: 1 } }), [
    'sampling.choices',
    'sampling.logprobs',
    'sampling.logitBias',
    'sampling.stop',
  ])
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const pictures = (count: number) => [{ role: 'user', content: Array(count).fill(image) }]
  t.strictSame(refuse({ messages: pictures(64) }), [])
  t.strictSame(refuse({ messages: pictures(65) }), ['media'], 'more than are uploaded for one call')
  const kept = { type: 'file', file: { file_id: 'file-1' } }
  t.strictSame(refuse({ messages: [{ role: 'user', content: [kept] }] }), ['media'])
  const round = [
    { role: 'user', content: 'x' },
    { role: 'assistant', tool_calls: [{ id: 'c', ...tool }] },
    { role: 'tool', tool_call_id: 'c', content: 'y' },
  ]
  t.strictSame(refuse({ messages: round }), ['toolCall', 'toolResult'])
  t.strictSame(
    ownFormUnsupportedFields(
      chat,
      call({ temperature: 0, max_tokens: 5, reasoning_effort: 'low', store: true }),
    ).report,
    ['reasoning', 'limit', 'sampling.temperature', 'store'],
  )
})

t.test('a chatflow’s stream: the text, what it cost, and nothing of the workflow', async (t) => {
  const events = eventsOf(recorded('chatflow.sse'))
  t.equal(textOf(events), 'Grüße aus Bern 🐻')
  t.strictSame(usageOf(events), { input: 1033, output: 135 })
  t.match(events[0], {
    type: 'start',
    id: '663c5084-a254-4040-8ad3-51f2a3c1a77c',
    created: 1_796_083_200,
  })
  t.equal(events.at(-1)?.type, 'end')
  const whole = eventsOf(recorded('blocking.json'))
  t.equal(textOf(whole), 'Grüße aus Bern')
  t.strictSame(usageOf(whole), { input: 1033, output: 135 })
})

t.test('an agent’s thoughts are reported once, its images by address', async (t) => {
  const events = eventsOf(recorded('agent.sse'))
  t.equal(textOf(events), 'I draw it.There it is.')
  t.match(
    events.filter(({ type }) => type === 'close'),
    [{}, { whole: { url: 'https://files.example/cat.png' } }, {}],
  )
})

t.test('a replaced answer goes no further and states why', async (t) => {
  const events = eventsOf(recorded('replaced.sse'))
  t.equal(textOf(events), 'How to')
  t.match(
    events.find(({ type }) => type === 'stop'),
    { reason: 'filter', word: 'message_replace' },
  )
  const first = recorded('replaced.sse').toString().split('\n\n').slice(1).join('\n\n')
  t.equal(textOf(eventsOf(Buffer.from(first))), 'I cannot help with that.')
})

t.test('[ERR-2] errors in a stream are failures that tell nothing they should not', async (t) => {
  const events = eventsOf(recorded('error.sse'))
  t.match(events, [{ type: 'failure', failure: { blame: 'channel', status: 400 } }])
  t.notMatch(JSON.stringify(events), /app-1234/)
  const failed = eventsOf(recorded('failed.sse'))
  t.match(failed.at(-1), { type: 'failure', failure: { blame: 'upstream', status: 500 } })
  t.notMatch(JSON.stringify(failed), /10\.0\.0\.7/)
  for (const bad of ['{"code":"x"}', '{"answer":1}', 'data: nonsense\n\n']) {
    t.match(eventsOf(Buffer.from(bad)), [{ type: 'failure' }], bad)
  }
  t.notOk(eventsOf(recorded('chatflow.sse').subarray(0, 900)).some(({ type }) => type === 'end'))
})

const gateway = await scriptedGateway(t, { channel: { type: 37 } })

t.test('a whole request is a folded stream, charged by what the app tells', async (t) => {
  gateway.upstream.script(sent(recorded('chatflow.sse')))
  const before = await gateway.balance()
  const answer = await gateway.chat(ask({ temperature: 0 }))
  t.equal(answer.headers.get('x-waybill-lost'), 'sampling.temperature')
  t.match(await answer.json(), {
    choices: [{ message: { content: 'Grüße aus Bern 🐻' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1033, completion_tokens: 135 },
  })
  t.equal(before - (await gateway.balance()), 1033n + 4n * 135n)
  t.match(gateway.upstream.requests[0], {
    path: '/v1/chat-messages',
    headers: { accept: 'text/event-stream' },
  })
})

t.test('[FMT-9] tools are a 400 that names them', async (t) => {
  const tools = [{ type: 'function', function: { name: 'now' } }]
  const answer = await gateway.chat(ask({ tools }))
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: { code: 'not_expressible', param: 'tools' } })
})

t.test('an error in the place of a stream is an error, and nothing is charged', async (t) => {
  gateway.upstream.script(json(200, { code: 'app_unavailable', message: 'x', status: 400 }))
  const before = await gateway.balance()
  const answer = await gateway.chat(ask({ stream: true }))
  t.equal(answer.status, 502)
  t.match(await answer.json(), { error: { code: 'upstream_error' } })
  t.equal(await gateway.balance(), before)
})
