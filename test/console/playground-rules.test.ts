/** The Playground's rules without a browser: parameters, stored values, the pieces of a stream. */
import t from 'tap'
import { readEvents } from '../../console/api/event-stream.js'
import { AnswerDraft } from '../../console/modules/playground/answer-draft.js'
import { messagesOf, newAnswer, type Turn } from '../../console/modules/playground/conversation.js'
import {
  normalized,
  type ParameterName,
  parameterNames,
  readParameters,
  sentParameters,
  stepped,
  usualParameters,
} from '../../console/modules/playground/parameters.js'
import { curlOf, requestBody } from '../../console/modules/playground/request-body.js'
import { readSettings, usualSettings } from '../../console/modules/playground/settings.js'
import {
  readTurns,
  storedMax,
  storedText,
} from '../../console/modules/playground/stored-conversation.js'

const table: readonly (readonly [ParameterName, number, number, number])[] = [
  ['temperature', 0, 2, 0.1],
  ['top_p', 0, 1, 0.05],
  ['frequency_penalty', -2, 2, 0.1],
  ['presence_penalty', -2, 2, 0.1],
  ['max_tokens', 1, 200_000, 1],
  ['seed', 0, 2_147_483_647, 1],
]

for (const [name, min, max, step] of table) {
  t.test(`[UI-1] ${name} stays between ${min} and ${max}, in steps of ${step}`, async (t) => {
    t.equal(normalized(name, min), min)
    t.equal(normalized(name, max), max)
    t.equal(normalized(name, min - step), min)
    t.equal(normalized(name, max + step), max)
    t.equal(normalized(name, '-1e9'), min)
    t.equal(normalized(name, '1e12'), max)
    t.equal(normalized(name, min + step * 1.4), Number((min + step).toFixed(2)))
    t.equal(normalized(name, min + step * 1.6), Number((min + 2 * step).toFixed(2)))
    t.equal(stepped(name, min, 1), Number((min + step).toFixed(2)))
    t.equal(stepped(name, max, 1), max)
    t.equal(stepped(name, min, -1), min)
    t.equal(stepped(name, undefined, 1), min)
  })
}

t.test('[UI-1] values are reported as they are meant: 0.15, and never minus zero', async (t) => {
  const requests = Array.from({ length: 21 }, (_, at) => normalized('top_p', at * 0.05))
  t.strictSame(requests.slice(0, 5), [0, 0.05, 0.1, 0.15, 0.2])
  t.equal(JSON.stringify(requests).length < 100, true)
  t.equal(normalized('top_p', 0.575), 0.6)
  t.equal(normalized('top_p', 0.27499999999999997), 0.3, 'a sum that fell a hair short')
  t.equal(normalized('temperature', 0.5499999999999999), 0.6)
  t.equal(normalized('temperature', 0.5499), 0.5, 'and no more than a hair')
  t.ok(Object.is(normalized('presence_penalty', -0.04), 0))
  t.equal(normalized('presence_penalty', -1.25), -1.3)
})

t.test('[UI-1] what is no number is refused', async (t) => {
  const none = [
    '',
    ' ',
    'warm',
    '1,5',
    '0x10',
    'Infinity',
    'NaN',
    '1 2',
    null,
    true,
    [],
    Number.NaN,
  ]
  for (const value of none) t.equal(normalized('temperature', value), undefined, String(value))
  t.equal(normalized('temperature', ' 1.26 '), 1.3)
})

t.test('[UI-1] only what is switched on is sent, and no blank seed', async (t) => {
  const usual = usualParameters()
  t.strictSame(sentParameters(usual), {})
  for (const name of parameterNames.filter((name) => name !== 'seed')) {
    const sent = sentParameters({ ...usual, [name]: { ...usual[name], on: true } })
    t.strictSame(Object.keys(sent), [name])
  }
  t.strictSame(sentParameters({ ...usual, seed: { on: true } }), {})
  t.strictSame(sentParameters({ ...usual, seed: { on: true, value: 0 } }), { seed: 0 })
})

t.test(
  '[UI-1] what was stored comes back field by field, whatever became of the rest',
  async (t) => {
    const stored = {
      temperature: { on: true, value: 9 },
      top_p: { on: 'yes', value: 0.2 },
      frequency_penalty: 'broken',
      presence_penalty: { on: true, value: '1' },
      max_tokens: { on: true, value: null },
      seed: { on: true },
      logit_bias: { on: true, value: 1 },
    }
    t.strictSame(readParameters(stored), {
      temperature: { on: true, value: 2 },
      top_p: { on: false, value: 0.2 },
      frequency_penalty: { on: false, value: 0 },
      presence_penalty: { on: true, value: 0 },
      max_tokens: { on: true, value: 4096 },
      seed: { on: true, value: undefined },
    })
    for (const nothing of [undefined, null, 'text', 7, [], {}]) {
      t.strictSame(readSettings(nothing), usualSettings())
    }
    const odd = {
      group: 7,
      stream: false,
      system: 'Be brief.',
      columns: [{ id: 'a', model: 'm' }, 3],
    }
    const expected = { stream: false, system: 'Be brief.', columns: [{ id: 'a', model: 'm' }] }
    t.strictSame(readSettings(odd), { ...usualSettings(), ...expected })
  },
)

const turn = (id: string, text: string, answers: Turn['answers'] = {}): Turn => ({
  ...{ id, text, pictures: [], answers },
})
const answered = (text: string) => ({ ...newAnswer('m', ''), state: 'done' as const, text })

t.test('each column receives its own answers, one that came later those of another', async (t) => {
  const turns = [turn('1', 'a', { x: answered('X'), y: answered('Y') }), turn('2', 'b')]
  const results = (column: string) => messagesOf(turns, column, '').map(({ content }) => content)
  t.strictSame(results('y'), ['a', 'Y', 'b'])
  t.strictSame(results('new'), ['a', 'X', 'b'])
  t.match(messagesOf(turns, 'x', 'Be brief.')[0], { role: 'system', content: 'Be brief.' })
})

t.test('a command for a shell holds no group and survives quotes', async (t) => {
  const messages = [{ role: 'user', content: "it's" }] as const
  const body = requestBody({ ...usualSettings(), group: 'vip' }, 'm', messages)
  t.match(body, { group: 'vip', stream: true, stream_options: { include_usage: true } })
  const command = curlOf(body, 'https://gateway.example/')
  t.match(command, "it'\\''s")
  t.match(command, 'curl https://gateway.example/v1/chat/completions')
  t.notMatch(command, 'vip')
})

t.test('a kept conversation is bounded: pictures go first, then the oldest turns', async (t) => {
  const picture = { name: 'a.png', url: `data:image/png;base64,${'A'.repeat(storedMax)}` }
  const withPicture = readTurns(
    JSON.parse(storedText([{ ...turn('1', 'a'), pictures: [picture] }])),
  )
  t.match(withPicture, [{ text: 'a', pictures: [{ name: 'a.png', url: '' }] }])
  const many = Array.from({ length: 40 }, (_, at) => turn(String(at), 'x'.repeat(100_000)))
  const text = storedText(many)
  t.ok(text.length <= storedMax)
  const kept = readTurns(JSON.parse(text))
  t.equal(kept.at(-1)?.id, '39')
  t.ok(kept.length >= 10)
  t.strictSame(readTurns('broken'), [])
  t.match(
    readTurns([{ id: '1', text: 'a', answers: { x: { model: 'm', text: 7, usage: null } } }]),
    [{ answers: { x: { model: 'm', state: 'stopped', text: '', usage: undefined } } }],
  )
})

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      }
      controller.close()
    },
  })
  const found: string[] = []
  for await (const { event, data } of readEvents(body)) found.push(`${event}:${data}`)
  return found
}

t.test('[ERR-4] events are read however the stream is cut into pieces', async (t) => {
  const text =
    ': hi\r\n\r\ndata: {"a":"é😀"}\r\n\r\nevent: ping\ndata:1\ndata: 2\n\ndata: x\r\rdata: cut'
  const whole = [':{"a":"é😀"}', 'ping:1\n2', ':x']
  t.strictSame(await read(text), whole)
  const bytes = new TextEncoder().encode(text)
  t.strictSame(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), whole)
  t.strictSame(await read('data: y\r', '\n\r', '\n'), [':y'])
})

t.test('an answer is put together from its pieces', async (t) => {
  const draft = new AnswerDraft()
  const delta = (words: object) => ({ choices: [{ delta: words }] })
  draft.take(delta({ role: 'assistant', content: '' }), 5)
  t.equal(draft.firstMs, undefined)
  draft.take(delta({ reasoning_content: 'Well' }), 10)
  draft.take(delta({ content: 'Hi' }), 30)
  draft.take(
    delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a' } }] }),
    40,
  )
  draft.take(delta({ tool_calls: [{ index: 0, function: { arguments: '":1}' } }] }), 50)
  draft.take({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }, 60)
  t.match(draft, { text: 'Hi', reasoning: 'Well', firstMs: 10, reasoningMs: 20 })
  t.match(draft.usage, { prompt: 3, completion: 4 })
  t.strictSame(draft.calls, [{ id: 'c', name: 'f', arguments: '{"a":1}' }])
  draft.take(null, 70)
  draft.take({ choices: 'odd', usage: 7 }, 80)
  t.equal(draft.text, 'Hi')
})
