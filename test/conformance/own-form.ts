/**
 * What a provider with a chat form of its own is held to: its calls are written as its author states, whatever it states it
 * expresses shows in what is sent, and recorded answers are read as they were meant, cut anywhere, damaged anywhere.
 */
import assert from 'node:assert/strict'
import type { Call, MediaSource, Part } from '../../kernel/contract/call.js'
import type { Event } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter, ChannelView, Expressible } from '../../kernel/contract/provider.js'
import { isIssuedBy } from '../../kernel/toolkit/format/issuer.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import {
  assertBeginning,
  assertDecoded,
  type DecodedResponse,
  readAnswer,
} from './decoded-response.js'
import { cuttings, frozen, run, type TestFunction } from './kit.js'

/** A call and what the provider makes of it. */
export interface WriteCase {
  readonly name: string
  /** Over a call that states hello. */
  readonly call: Partial<Call>
  readonly wire: JsonObject
}

/** An answer recorded from the upstream, and what it states. */
interface ReadCase {
  readonly name: string
  readonly bytes: Buffer
  readonly expected: DecodedResponse
}

export interface OwnFormCases {
  /** Of the plugin. */
  readonly id: string
  readonly adapter: Adapter
  readonly channel: ChannelView
  readonly writes: readonly WriteCase[]
  readonly reads: readonly ReadCase[]
  /** Recorded streams no answer is written down for. */
  readonly withoutExpected: readonly string[]
}

export function conformingOwnForm(test: TestFunction, cases: OwnFormCases): void {
  const { adapter, writes, reads } = cases
  test('own form: there are calls with their wire, and streams with their answers', () => {
    assert.ok(writes.length > 0, 'no call with its wire was given ("writes")')
    assert.ok(
      reads.some(({ expected }) => 'stop' in expected && expected.usage),
      'no answer with counts was given',
    )
    assert.deepEqual(
      cases.withoutExpected,
      [],
      'these streams lack "expected", what they decode to',
    )
    if (adapter.expresses?.includes('tools') !== true) return
    const callsTools = ({ expected }: ReadCase) =>
      'stop' in expected && (expected.tools ?? []).length > 0
    assert.ok(reads.some(callsTools), 'tools are expressed, and no stream calls one')
  })
  for (const one of writes) conformingWrite(test, cases, one)
  for (const word of adapter.expresses ?? []) conformingWord(test, cases, word)
  for (const one of reads) conformingRead(test, cases, one)
  conformingGarbage(test, adapter)
}

const hello = { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] } as const

function callOf(over: Partial<Call>): Call {
  const plain: Call = {
    ...{ model: 'a-model', turns: [hello], tools: [], stream: false, wantsUsage: false },
    sampling: {},
  }
  return frozen({ ...plain, ...over })
}

function conformingWrite(
  test: TestFunction,
  { adapter, channel }: OwnFormCases,
  { name, call: over, wire }: WriteCase,
): void {
  test(`write ${name}: the call is written as it should be, each time alike`, () => {
    const call = callOf(over)
    assert.deepEqual(
      ownFormUnsupportedFields(adapter, call).refuse,
      [],
      'the gateway would refuse it',
    )
    const written = () => adapter.encode!(call, frozen(channel))
    const first = JSON.parse(JSON.stringify(written()))
    assert.deepEqual(first, wire)
    assert.deepEqual(JSON.parse(JSON.stringify(written())), wire, 'the same again')
  })
}

/** A call that holds what the word states, and the same call without it; absent: one that states hello. */
type Sample = readonly [over: Partial<Call>, bare?: Partial<Call>]

const tools = [tool()]
const called = [hello, assistant(call())]

const samples: Readonly<Record<Expressible, readonly Sample[]>> = {
  system: [[{ turns: [{ role: 'system', parts: [text('Be brief.')] }, hello] }]],
  tools: [
    [{ tools }],
    [{ tools, turns: called }, { tools }],
    [
      { tools, turns: [...called, result()] },
      { tools, turns: called },
    ],
  ],
  toolChoice: [
    [{ tools, toolChoice: { kind: 'required' } }, { tools }],
    [{ tools, toolChoice: { kind: 'named', name: 'get_weather' } }, { tools }],
    [{ tools, toolChoice: { kind: 'none' } }, { tools }],
  ],
  parallelTools: [[{ tools, parallelTools: false }, { tools }]],
  'toolResult.failed': [
    [
      { tools, turns: [...called, result(true)] },
      { tools, turns: [...called, result()] },
    ],
  ],
  serverTools: [[{ tools: [{ kind: 'server', name: 'web_search', only: {} }] }]],
  image: shown('image', 'image/png'),
  audio: shown('audio', 'audio/mpeg'),
  video: shown('video', 'video/mp4'),
  file: shown('file', 'application/pdf'),
  'media.detail': [
    [showing('image', address('image/png'), 'high'), showing('image', address('image/png'))],
  ],
  'output.json': [[{ output: { kind: 'json' } }]],
  'output.schema': [[{ output: { kind: 'schema', name: 'a', schema: { type: 'object' } } }]],
  modalities: [[{ modalities: ['text', 'audio'] }]],
  reasoning: [[{ reasoning: { effort: 'high' } }], [{ reasoning: { budget: 2048 } }]],
  'reasoning.history': [
    [
      { tools, turns: [hello, assistant({ kind: 'reasoning', text: 'Hm.' }, call()), result()] },
      { tools, turns: [...called, result()] },
    ],
  ],
  limit: [[{ limit: { tokens: 77, field: 'max_tokens' } }]],
  'sampling.temperature': [[{ sampling: { temperature: 0 } }]],
  'sampling.topP': [[{ sampling: { topP: 0.5 } }]],
  'sampling.topK': [[{ sampling: { topK: 5 } }]],
  'sampling.seed': [[{ sampling: { seed: 0 } }]],
  'sampling.presencePenalty': [[{ sampling: { presencePenalty: 0.5 } }]],
  'sampling.frequencyPenalty': [[{ sampling: { frequencyPenalty: 0.5 } }]],
  'sampling.logitBias': [[{ sampling: { logitBias: { 5: 1 } } }]],
  'sampling.stop': [[{ sampling: { stop: ['END'] } }]],
  'sampling.choices': [[{ sampling: { choices: 2 } }]],
  'sampling.logprobs': [[{ sampling: { logprobs: 2 } }]],
  user: [[{ user: 'somebody' }]],
  metadata: [[{ metadata: { of: 'the client' } }]],
  'turns.name': [[{ turns: [{ ...hello, name: 'ada' }] }]],
  cache: [[{ turns: [{ ...hello, parts: [{ ...text('Hello'), cache: {} }] }] }]],
}

function conformingWord(
  test: TestFunction,
  { adapter, channel, writes }: OwnFormCases,
  word: Expressible,
): void {
  test(`own form: "${word}" shows in what is sent, as "expresses" states`, () => {
    const models = new Set(writes.map(({ call: { model = 'a-model' } }) => model))
    const write = (over: Partial<Call>) =>
      JSON.stringify(adapter.encode!(callOf(over), frozen(channel)))
    for (const [over, bare = {}] of samples[word]) {
      const isShown = [...models].some((model) => {
        const { refuse, report } = ownFormUnsupportedFields(adapter, callOf({ ...over, model }))
        // What is reported as lost need not be written.
        if (refuse.length + report.length > 0) return true
        return write({ ...over, model }) !== write({ ...bare, model })
      })
      assert.ok(isShown, `it makes no difference: ${JSON.stringify(over)}`)
    }
  })
}

function conformingRead(
  test: TestFunction,
  { id, adapter }: OwnFormCases,
  { name, bytes, expected }: ReadCase,
): void {
  const read = (pieces: readonly Buffer[]) => readAnswer(run(adapter.read!(), pieces))
  test(`read ${name}: text, tools, counts and reason to stop are what the bytes say`, () => {
    const events = run(adapter.read!(), [bytes])
    assertDecoded(readAnswer(events), expected)
    for (const event of events) if (event.type === 'usage') assertCounts(event)
    assert.ok(
      events.every((event) => isIssuedBy(id, event)),
      `seals, opaque parts and notes are issued under the id ${id}`,
    )
  })
  test(`read ${name}: what breaks off anywhere has no end, and reports nothing that was not there`, () => {
    const whole = read([bytes])
    for (const at of prefixes(bytes))
      assertBeginning(read([bytes.subarray(0, at)]), whole, `cut at ${at}`)
  })
  test(`read ${name}: two answers at once do not touch each other`, () => {
    const [one, other] = [adapter.read!(), adapter.read!()]
    const events: Event[] = []
    for (let at = 0; at < bytes.length; at += 7) {
      const piece = bytes.subarray(at, at + 7)
      events.push(...one.push(piece))
      other.push(piece)
    }
    events.push(...one.flush())
    other.flush()
    assert.deepEqual(readAnswer(events), read([bytes]))
  })
  test(`read ${name}: a byte that is damaged is no reason to throw`, () => {
    for (const at of prefixes(bytes, 200)) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x15
      assert.ok(read([damaged]).ends <= 1, `byte ${at}`)
    }
  })
  if (bytes[0] === 0x7b || 'failure' in expected) return
  test(`read ${name}: it streams, and does not wait for the end`, () => {
    const reader = adapter.read!()
    let before = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const events = reader.push(bytes.subarray(at, at + 1))
      if (events.some(({ type }) => type === 'stop' || type === 'end')) break
      before += events.filter(({ type }) => type === 'delta').length
    }
    assert.ok(before > 0, 'nothing was reported before the end')
  })
}

function assertCounts({ usage }: Extract<Event, { type: 'usage' }>): void {
  for (const [name, count] of Object.entries(usage)) {
    if (typeof count === 'number') assert.ok(count >= 0, `${name} is not negative`)
  }
}

/** Every place of small streams; of larger ones, so many. */
function* prefixes(bytes: Buffer, most = 1500): Generator<number> {
  const step = Math.max(1, Math.floor(bytes.length / most))
  for (let at = 0; at < bytes.length; at += step) yield at
}

const garbage: Readonly<Record<string, string>> = {
  nothing: '',
  'a page': '<!doctype html><html><title>502</title></html>',
  'half a JSON': '{"answer":"Hel',
  'an empty JSON': '{}',
  'another JSON': '[null,"x",12]',
  'an error': '{"error":{"message":"no","code":1},"code":1,"message":"no","msg":"no"}',
  'bytes of nothing': '\u0000\u0001\ufffd',
  'frames of nothing': 'data: {}\n\ndata: null\n\ndata: 12\n\ndata: []\n\ndata: "x"\n\n',
  'a frame that is no JSON': 'data: {"half\n\n',
  'a frame of an error': 'event: error\ndata: {"error":{"message":"no"},"message":"no"}\n\n',
  'a terminator alone': 'data: [DONE]\n\n',
}

function conformingGarbage(test: TestFunction, adapter: Adapter): void {
  test('own form: garbage is no answer, and no reason to throw', () => {
    for (const [name, message] of Object.entries(garbage)) {
      for (const { name: cut, pieces } of cuttings(Buffer.from(message))) {
        const { ends } = readAnswer(run(adapter.read!(), pieces))
        assert.equal(ends, 0, `${name}, ${cut}: an end was invented`)
      }
    }
  })
}

function text(message: string): Extract<Part, { kind: 'text' }> {
  return { kind: 'text', text: message }
}

function tool() {
  const schema = { type: 'object', properties: { place: { type: 'string' } } }
  return { kind: 'function', name: 'get_weather', description: 'The weather', schema } as const
}

function call() {
  return { kind: 'toolCall', id: 'call_1', name: 'get_weather', input: '{"place":"Bern"}' } as const
}

function assistant(...parts: Part[]) {
  return { role: 'assistant', parts } as const
}

function result(failed?: true) {
  const content = { kind: 'toolResult', callId: 'call_1', parts: [text('Rain')] } as const
  return { role: 'tool', parts: [failed ? { ...content, failed } : content] } as const
}

type MediaType = 'image' | 'audio' | 'video' | 'file'

function address(mime: string): MediaSource {
  return { url: 'https://files.example/one', mime }
}

/** By its address and by its bytes. */
function shown(type: MediaType, mime: string): readonly Sample[] {
  return [[showing(type, address(mime))], [showing(type, { base64: 'AAAA', mime })]]
}

function showing(type: MediaType, source: MediaSource, detail?: string): Partial<Call> {
  const part: Part = { kind: 'media', type, source, ...(detail !== undefined && { detail }) }
  return { turns: [{ ...hello, parts: [...hello.parts, part] }] }
}
