import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FrameVerdict, SocketSession } from '../../../kernel/contract/operation.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { fieldOf } from '../../../plugins/operations/realtime/frame.js'
import create from '../../../plugins/operations/realtime/index.js'
import { answerUsage, transcriptionUsage } from '../../../plugins/operations/realtime/usage.js'
import { answer } from '../../kit/socket-upstream.js'

const operation = create()
const session = (): SocketSession =>
  operation.session!({ model: 'asked', upstreamModel: 'upstream' })
const bytes = (event: unknown) => Buffer.from(JSON.stringify(event))

function hears(watched: SocketSession, ...events: readonly unknown[]): FrameVerdict[] {
  return events.map((event) => watched.fromUpstream(bytes(event)))
}

function eventOf(watched: SocketSession, event: unknown): FrameVerdict {
  const verdict = watched.fromClient(typeof event === 'string' ? Buffer.from(event) : bytes(event))
  if (verdict instanceof Promise) throw new Error('what is small is read at once')
  return verdict
}

function read(frame: Buffer | undefined): JsonObject {
  return JSON.parse(String(frame))
}

function error(verdict: FrameVerdict): JsonObject {
  if (verdict.kind !== 'stop') throw new Error('the frame went on')
  return read(verdict.answer).error as JsonObject
}

t.test('the address names the model, and it has to be one', async (t) => {
  const none = { kind: 'none' } as const
  t.match(operation.check(none, { model: 'm', stream: true }), { model: 'm', stream: true })
  for (const model of ['', 'a b\u0000', '../x']) {
    t.throws(() => operation.check(none, { model, stream: true }), Refusal)
  }
  t.throws(() => operation.check(none), Refusal)
})

t.test('counts of an answer are made disjoint', async (t) => {
  t.strictSame(answerUsage(answer.usage(119, 30, 13, 91, 64))?.usage, {
    input: 55,
    cacheRead: 64,
    inputAudio: 13,
    inputImage: 0,
    output: 30,
    outputAudio: 91,
  })
  const cachedAudio = {
    input_tokens: 300,
    output_tokens: 0,
    input_token_details: {
      text_tokens: 200,
      audio_tokens: 100,
      cached_tokens: 130,
      cached_tokens_details: { text_tokens: 50, audio_tokens: 80 },
    },
  }
  t.match(answerUsage(cachedAudio)?.usage, { input: 150, cacheRead: 130, inputAudio: 20 })
  t.match(answerUsage({ input_tokens: 9, output_tokens: 4 })?.usage, { input: 9, output: 4 })
  t.equal(answerUsage(undefined), undefined)
  t.equal(answerUsage({ anything: 'else' }), undefined)
  t.match(transcriptionUsage({ type: 'duration', seconds: 12.34 })?.usage, { inputAudio: 123 })
})

t.test('whatever an upstream counts, the parts add up to it and are never negative', async () => {
  const count = fc.option(fc.nat(5000), { nil: undefined })
  const counts = fc.record({ text_tokens: count, audio_tokens: count, image_tokens: count })
  const usage = fc.record({
    input_tokens: count,
    output_tokens: count,
    input_token_details: fc.tuple(counts, counts, count).map(([own, cached, cached_tokens]) => ({
      ...own,
      cached_tokens,
      cached_tokens_details: cached,
    })),
    output_token_details: counts,
  })
  fc.assert(
    fc.property(usage, (raw) => {
      const result = answerUsage(raw as JsonObject)
      if (result === undefined) return true
      const { input, cacheRead, inputAudio, inputImage, output, outputAudio } = result.usage
      const parts = [input, cacheRead, inputAudio, inputImage, output, outputAudio].map(Number)
      const inputs = parts.slice(0, 4).reduce((sum, part) => sum + part, 0)
      const { text_tokens = 0, audio_tokens = 0, image_tokens = 0 } = raw.input_token_details
      const total = Math.max(raw.input_tokens ?? 0, text_tokens + audio_tokens + image_tokens)
      return parts.every((part) => part >= 0) && inputs === total
    }),
    { seed: 7 },
  )
})

t.test('hostile counts are clamped and flagged (M21)', async (t) => {
  const hostile = {
    input_tokens: -5,
    output_tokens: 1e18,
    output_token_details: { audio_tokens: '7' },
  }
  t.match(answerUsage(hostile), { anomaly: true, usage: { input: 0, output: 100_000_000 } })
  const watched = session()
  hears(watched, answer.created('a'), answer.done('a', hostile))
  t.equal(watched.anomaly, true)
})

t.test(
  '[BILL-9] usage adds up over the answers, and an answer reported twice counts once',
  async (t) => {
    const watched = session()
    t.equal(watched.busy, false)
    t.equal(hears(watched, answer.created('a'))[0]!.kind, 'begin')
    t.equal(hears(watched, answer.created('a'))[0]!.kind, 'pass', 'begun already')
    t.equal(watched.busy, true)
    hears(watched, answer.done('a', answer.usage(10, 2)), answer.done('a', answer.usage(10, 2)))
    t.equal(watched.busy, false)
    hears(watched, answer.created('b'), answer.done('b', answer.usage(5, 1, 3, 4)))
    t.match(watched.usage, { input: 15, output: 3, inputAudio: 3, outputAudio: 4, quantity: 2 })
    t.strictSame(watched.confirmed, watched.usage)
    t.strictSame(watched.estimated, [])
  },
)

t.test(
  '[BILL-9] an answer counted again for more is paid the difference, and passes once',
  async (t) => {
    const watched = session()
    hears(watched, answer.created('a'), answer.done('a', answer.usage(10, 2)))
    const again = hears(watched, answer.done('a', answer.usage(15, 2)), answer.done('a'))
    t.strictSame(again, [{ kind: 'stop' }, { kind: 'pass' }])
    t.match(watched.usage, { input: 15, output: 2, quantity: 1 })
    hears(watched, answer.created('b'), answer.text('b', 'One two three.'), answer.done('b'))
    const estimate = Number(watched.usage.output) - 2
    t.ok(estimate > 0)
    hears(watched, answer.done('b', answer.usage(7, 100)))
    t.match(watched.usage, { input: 22, output: 102, quantity: 2 }, 'in the place of the estimate')
  },
)

t.test('an answer that is not counted yet is estimated by its sound and text', async (t) => {
  const watched = session()
  eventOf(watched, {
    type: 'input_audio_buffer.append',
    audio: Buffer.alloc(96_000).toString('base64'),
  })
  eventOf(watched, {
    type: 'conversation.item.create',
    item: { type: 'message', content: [{ type: 'input_text', text: 'What is the time in Oslo?' }] },
  })
  hears(watched, answer.created('a'))
  t.strictSame(watched.usage, {}, 'nothing delivered, nothing used (M10)')
  hears(watched, answer.audio('a', 48_000), answer.text('a', 'It is noon.'))
  const { input, inputAudio, output, outputAudio } = watched.usage
  t.equal(outputAudio, 20, 'one second')
  t.ok(inputAudio! >= 20 && inputAudio! <= 21, 'two seconds')
  t.ok(output! > 1 && output! < 8)
  t.ok(input! > 4 && input! < 12)
  t.strictSame(watched.confirmed, {}, 'only what has ended is certain')
  t.strictSame(watched.estimated, ['input', 'output'])
  hears(watched, answer.done('a', answer.usage(40, 4, 20, 21)))
  t.match(watched.usage, { input: 40, output: 4, inputAudio: 20, outputAudio: 21 })
  t.strictSame(watched.estimated, [], 'the upstream knows better')
})

t.test(
  'an answer the upstream never counts stays estimated; of nothing it is nothing',
  async (t) => {
    const watched = session()
    hears(watched, answer.created('a'), answer.text('a', 'some words'), answer.done('a'))
    t.match(watched.usage, { quantity: 1 })
    t.ok(watched.usage.output! > 0)
    t.strictSame(watched.estimated, ['input', 'output'])
    hears(watched, answer.created('b'), answer.done('b'))
    t.equal(watched.usage.quantity, 1)
    const zero = session()
    hears(
      zero,
      answer.created('a'),
      answer.text('a', 'some words'),
      answer.done('a', answer.usage(9, 0)),
    )
    t.match(zero.usage, { input: 9 })
    t.ok(zero.usage.output! > 0, 'an output of 0 beside text is a missing one (FMT-3)')
  },
)

t.test(
  'telephone audio has fewer bytes to the second, in either shape of the session',
  async (t) => {
    for (const settings of [
      { output_audio_format: 'g711_ulaw' },
      { audio: { output: { format: { type: 'audio/pcmu' } } } },
    ]) {
      const watched = session()
      hears(watched, { type: 'session.created', session: settings })
      hears(watched, answer.created('a'), answer.audio('a', 8_000))
      t.equal(watched.usage.outputAudio, 20)
    }
  },
)

t.test(
  'answers side by side are kept apart, and one without a name is the last begun',
  async (t) => {
    const watched = session()
    hears(watched, answer.created('a'), answer.created('b'), answer.audio('a', 48_000))
    const { response_id: _, ...nameless } = answer.audio('b', 96_000)
    hears(watched, nameless)
    t.equal(watched.usage.outputAudio, 60)
    hears(watched, answer.done('a', answer.usage(1, 1)))
    t.equal(watched.usage.outputAudio, 40)
    t.equal(watched.busy, true)
    t.strictSame(watched.cancel().map(read), [{ type: 'response.cancel', response_id: 'b' }])
  },
)

t.test('what is ahead grows with the session and with answers side by side', async (t) => {
  const watched = session()
  const first = watched.ahead()
  t.ok(first.outputAudio! >= 1000 && first.quantity === 1)
  hears(watched, answer.created('a'), answer.created('b'))
  t.equal(watched.ahead().outputAudio, first.outputAudio! * 2)
  hears(watched, answer.done('a', answer.usage(5000, 50)), answer.done('b', answer.usage(5000, 50)))
  t.ok(watched.ahead().input! > 15_000, 'the next prompt is at least the last one')
  const short = session()
  hears(short, {
    type: 'session.updated',
    session: { output_modalities: ['text'], max_output_tokens: 100 },
  })
  t.match(short.ahead(), { output: 100, outputAudio: undefined })
})

t.test('transcriptions are counted beside the answers', async (t) => {
  const watched = session()
  const completed = 'conversation.item.input_audio_transcription.completed'
  const [verdict] = hears(watched, {
    type: completed,
    usage: {
      type: 'tokens',
      input_tokens: 30,
      output_tokens: 5,
      input_token_details: { audio_tokens: 30 },
    },
  })
  t.strictSame(verdict, { kind: 'pass' })
  t.match(watched.confirmed, { inputAudio: 30, output: 5 })
  t.equal(watched.estimatedTokens, 35)
})

t.test('the model of an event is the planned one, by the upstream’s name', async (t) => {
  const watched = session()
  t.strictSame(eventOf(watched, { type: 'session.update', session: { voice: 'x' } }), {
    kind: 'pass',
  })
  const same = { type: 'session.update', session: { model: 'upstream' } }
  t.strictSame(eventOf(watched, same), { kind: 'pass' })
  const verdict = eventOf(watched, { type: 'response.create', response: { model: 'asked', n: 1 } })
  t.equal(verdict.kind, 'begin')
  t.strictSame(verdict.kind === 'begin' && read(verdict.frame), {
    type: 'response.create',
    response: { model: 'upstream', n: 1 },
  })
  t.match(
    error(eventOf(watched, { event_id: 'e', type: 'session.update', session: { model: 'x' } })),
    {
      ...{ type: 'invalid_request_error', code: 'invalid_request' },
      ...{ param: 'session.model', event_id: 'e' },
    },
  )
  t.equal(error(eventOf(watched, { type: 'y', response: { model: 5 } })).param, 'response.model')
})

t.test('an event cannot hide in a piece of audio', async (t) => {
  const watched = session()
  const audio = '{"type":"input_audio_buffer.append","audio":"AAAA"'
  t.strictSame(eventOf(watched, `${audio}}`), { kind: 'pass' })
  for (const tail of [
    ',"type":"response.create"}',
    ',"type":"session.update","session":{"model":"x"}}',
    ',"ty\\u0070e":"session.update","se\\u0073sion":{"model":"x"}}',
  ]) {
    t.match(error(eventOf(watched, audio + tail)), { code: 'duplicate_key' })
  }
  t.match(error(eventOf(watched, '{"type":"response.create"')), { code: 'invalid_json' })
  t.match(error(eventOf(watched, '[]')), { code: 'invalid_json' })
  t.equal(eventOf(watched, '{"type":"response.cre\\u0061te"}').kind, 'begin')
})

t.test('[ERR-1] errors are events with four strings, each with an id of its own', async (t) => {
  const watched = session()
  const words = {
    status: 403,
    message: 'm',
    type: 'billing_error',
    param: '',
    code: 'out_of_funds',
  }
  const first = read(watched.encodeError(words))
  const { status: _, ...result } = words
  t.strictSame(first, { type: 'error', event_id: 'event_gateway_1', error: result })
  t.not(read(watched.encodeError(words)).event_id, first.event_id)
})

t.test('[ERR-2] errors of the upstream are reported in words that may be reported', async (t) => {
  const watched = session()
  const passed = (event: unknown) => {
    const [verdict] = hears(watched, event)
    return verdict?.kind === 'pass' ? read(verdict.frame) : {}
  }
  t.match(
    passed({
      type: 'error',
      event_id: 'event_1',
      error: {
        ...{ type: 'invalid_request_error', code: 'unknown_parameter', param: 'session.foo' },
        ...{ message: 'Unknown parameter: session.foo at https://internal.example.com/x' },
        event_id: 'mine',
      },
    }),
    {
      event_id: 'event_1',
      error: {
        ...{ type: 'invalid_request_error', code: 'unknown_parameter', param: 'session.foo' },
        ...{ message: 'The upstream refused the request: Unknown parameter: session.foo at ***' },
        event_id: 'mine',
      },
    },
  )
  const account = {
    type: 'invalid_request_error',
    code: 'insufficient_quota',
    message: 'org-123 pays',
  }
  const hidden = { type: 'upstream_error', code: 'upstream_error', param: '' }
  t.match(passed({ type: 'error', error: account }), { error: hidden })
  t.notMatch(JSON.stringify(passed({ type: 'error', error: account })), 'org-123')
  const failed = answer.done('f', undefined, {
    status: 'failed',
    status_details: { type: 'failed', error: { type: 'server_error', message: 'org-123' } },
  })
  t.match(passed(failed), { response: { status_details: { type: 'failed', error: hidden } } })
  t.strictSame(hears(watched, { type: 'rate_limits.updated' }), [{ kind: 'stop' }])
  t.strictSame(watched.fromUpstream(Buffer.from('{"type":"error", broken')), { kind: 'stop' })
})

t.test('a first frame that is an error is a failure, blamed by what it states', async (t) => {
  const watched = session()
  const failure = (error: JsonObject) => watched.refusal(bytes({ type: 'error', error }))
  t.equal(watched.refusal(bytes({ type: 'session.created' })), undefined)
  t.match(failure({ type: 'invalid_request_error', code: 'invalid_api_key' }), {
    ...{ blame: 'channel', status: 401 },
  })
  t.match(failure({ type: 'invalid_request_error', code: 'model_not_found' }), { blame: 'channel' })
  t.match(failure({ code: 'insufficient_quota' }), { blame: 'channel', status: 429 })
  t.match(failure({ type: 'server_error' }), { blame: 'upstream', status: 500 })
  t.match(failure({ type: 'invalid_request_error' }), { blame: 'client', status: 400 })
})

t.test('fields are found at the top level only, wherever they stand', async (t) => {
  const tricky = [
    ['{"type":"a"}', 'a'],
    [
      ' {\n "event_id" : "x\\"y\\\\" , "item":{"type":"no","list":[{"type":"no"},"}"]},"type" : "b"}',
      'b',
    ],
    ['{"n":-1.5e3,"ok":true,"none":null,"type":"c"}', 'c'],
    ['{"item":{"type":"no"}}', ''],
    ['{"type":5}', ''],
    ['{"type":"a', 'a'],
    ['["type","a"]', ''],
    ['', ''],
    ['{', ''],
    ['{"type"', ''],
    ['{"type":{"type":"no"}}', ''],
  ] as const
  for (const [text, found] of tricky) {
    t.equal(fieldOf(Buffer.from(text), 'type'), found, text)
  }
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, type) => {
      const { type: _, ...rest } = object
      const text = JSON.stringify({ ...rest, type })
      const inside = JSON.stringify(type).slice(1, -1)
      return Buffer.from(fieldOf(Buffer.from(text), 'type'), 'latin1').toString() === inside
    }),
    { seed: 3 },
  )
})
