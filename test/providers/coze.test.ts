/** Coze: which bot is queried and in what words, and its stream as an answer. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Call } from '../../kernel/contract/call.js'
import type { Event } from '../../kernel/contract/event.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import chatFormat from '../../plugins/formats/chat/index.js'
import create from '../../providers/coze/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { json, events as sent } from '../kit/upstream.js'

const chat = adapterOf(create(), 'chat')

function call(over: object = {}): Call {
  const body = { model: 'bot-738', messages: [{ role: 'user', content: 'Hi' }], ...over }
  return chatFormat().decodeRequest(body as never)
}

function encoded(over: object = {}, settings = {}) {
  const channel = { id: 1, type: 49, baseUrl: 'https://api.coze.cn', settings }
  return chat.encode!(call(over), channel)
}

function recorded(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/coze/${name}.sse`, import.meta.url))
}

function eventsOf(bytes: Buffer): Event[] {
  const reader = chat.read!()
  return [...reader.push(bytes), ...reader.flush()]
}

function parts(events: readonly Event[]): string[] {
  const results: string[] = []
  for (const event of events) {
    if (event.type === 'open') results.push(`${event.part.kind}: `)
    if (event.type === 'delta') results[event.at.part] += event.text ?? ''
  }
  return results
}

t.test('the bot is named by the model, else by the channel, else it is the model', async (t) => {
  t.equal(encoded({}, { bot_id: '999' }).bot_id, '738')
  t.equal(encoded({ model: 'helper' }, { bot_id: ' 999 ' }).bot_id, '999')
  t.equal(encoded({ model: '741' }, { bot_id: '' }).bot_id, '741')
})

t.test('turns are messages of a user and a bot, and nothing is saved', async (t) => {
  const url = 'https://x.example/a.png'
  const sent = encoded({
    user: 'u-1',
    custom_variables: { lang: 'de' },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where am I?' },
      { role: 'assistant', reasoning_content: 'Easy.', content: 'In Bern.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And this?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  })
  const objects = [
    { type: 'text', text: 'And this?' },
    { type: 'image', file_url: url },
  ]
  t.strictSame(sent, {
    bot_id: '738',
    user_id: 'u-1',
    additional_messages: [
      { role: 'user', type: 'question', content: 'Be brief.', content_type: 'text' },
      { role: 'user', type: 'question', content: 'Where am I?', content_type: 'text' },
      { role: 'assistant', type: 'answer', content: 'In Bern.', content_type: 'text' },
      {
        role: 'user',
        type: 'question',
        content: JSON.stringify(objects),
        content_type: 'object_string',
      },
    ],
    stream: true,
    auto_save_history: false,
    custom_variables: { lang: 'de' },
  })
  t.equal(encoded().user_id, 'user')
})

t.test('[FMT-9] what no bot can be queried is refused by name, the rest is reported', async (t) => {
  const losses = (over: object) => ownFormUnsupportedFields(chat, call(over))
  const tool = { type: 'function', function: { name: 'now' } }
  t.strictSame(losses({}), { refuse: [], report: [] })
  t.strictSame(losses({ tools: [tool] }).refuse, ['tools'])
  t.strictSame(losses({ response_format: { type: 'json_object' } }).refuse, ['output'])
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  t.strictSame(losses({ messages: [{ role: 'user', content: [image] }] }).refuse, [])
  const kept = { type: 'file', file: { file_id: 'file-1' } }
  t.strictSame(losses({ messages: [{ role: 'user', content: [kept] }] }).refuse, ['media'])
  const system = { role: 'system', content: 'x' }
  t.strictSame(losses({ messages: [system], top_p: 1, max_tokens: 5 }).report, [
    'limit',
    'sampling.topP',
    'turns.system',
  ])
})

t.test('a stream: thoughts, the answer once, what it cost, one end', async (t) => {
  const events = eventsOf(recorded('answer'))
  t.strictSame(parts(events), ['reasoning: A greeting.', 'text: Grüße aus Bern 🐻'])
  t.strictSame(usageOf(events), { input: 614, output: 19 })
  t.match(events[0], { type: 'start', id: '7382159487131697202', created: 1_796_083_200 })
  t.strictSame(
    events.slice(-3).map(({ type }) => type),
    ['stop', 'usage', 'end'],
  )
})

t.test('an answer that comes whole is reported, a card is not', async (t) => {
  t.strictSame(parts(eventsOf(recorded('whole-message'))), ['text: All at once.'])
})

t.test('a stream that completed ends, one that broke off does not', async (t) => {
  const text = recorded('answer').toString()
  const ends = (cut: string) => eventsOf(Buffer.from(cut)).some(({ type }) => type === 'end')
  t.ok(ends(text.slice(0, text.indexOf('event:done'))))
  t.notOk(ends(text.slice(0, text.indexOf('event:conversation.chat.completed'))))
})

t.test('[ERR-2] errors are failures by their code and tell nothing they should not', async (t) => {
  t.match(eventsOf(recorded('error')), [
    { type: 'failure', failure: { blame: 'client', status: 400, message: /user_id/ } },
  ])
  const failed = eventsOf(recorded('failed'))
  t.match(failed.at(-1), { type: 'failure', failure: { blame: 'channel', status: 402 } })
  t.notMatch(JSON.stringify(failed), /pat_/)
  const rows = [
    [4101, 'channel', 403],
    [700012006, 'channel', 401],
    [4008, 'channel', 429],
    [4013, 'upstream', 502],
    [4019, 'channel', 402],
    [4010, 'client', 400],
    [4302, 'client', 413],
    [720702222, 'upstream', 502],
  ] as const
  for (const [code, blame, status] of rows) {
    const [event] = eventsOf(Buffer.from(JSON.stringify({ code, msg: 'x' })))
    t.match(event, { type: 'failure', failure: { blame, status } }, String(code))
  }
  const waits = 'event:conversation.chat.requires_action\ndata:{}\n\n'
  t.match(eventsOf(Buffer.from(waits)), [{ type: 'failure', failure: { blame: 'channel' } }])
  for (const bad of ['{', 'event:x\ndata:nonsense\n\n']) {
    t.match(eventsOf(Buffer.from(bad)), [{ type: 'failure' }], bad)
  }
})

const gateway = await scriptedGateway(t, { channel: { type: 49, settings: { bot_id: '738' } } })

t.test('a whole request is a folded stream, charged by what the bot tells', async (t) => {
  gateway.upstream.script(sent(recorded('answer')))
  const before = await gateway.balance()
  const answer = await gateway.chat(ask())
  t.match(await answer.json(), {
    choices: [
      {
        message: { content: 'Grüße aus Bern 🐻', reasoning_content: 'A greeting.' },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 614, completion_tokens: 19 },
  })
  t.equal(before - (await gateway.balance()), 614n + 4n * 19n)
  t.match(gateway.upstream.requests[0], { path: '/v3/chat', json: { stream: true } })
})

t.test('an error with status 200 is an error for the client too', async (t) => {
  gateway.upstream.script(json(200, { code: 4101, msg: 'The token is incorrect.' }))
  const answer = await gateway.chat(ask({ stream: true }))
  t.equal(answer.status, 502)
  t.match(await answer.json(), { error: { code: 'upstream_error' } })
})
