/** Every seam of the line throws once: the hold is closed all the same, once, at the right amount, and the client is informed. */
import t from 'tap'
import type { Call } from '../../../kernel/contract/call.js'
import type { Event } from '../../../kernel/contract/event.js'
import type { Received } from '../../../kernel/contract/line/record.js'
import type { JsonReply } from '../../../kernel/contract/line/reply.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { createDeliver } from '../../../kernel/pipeline/deliver.js'
import { createDisconnectPolicy } from '../../../kernel/pipeline/disconnect-policy.js'
import { createRelay } from '../../../kernel/pipeline/relay.js'
import { order } from '../../../plugins/stages/line.js'
import createSettle from '../../../plugins/stages/settle/index.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeHold, FakeSink, FakeSource, quietLog, tokenPrice } from '../../kit/fakes.js'
import { FakeClaim, lineFormat, opened } from '../../kit/line-fakes.js'
import { FakeSession, FakeSocket, FakeSocketSink } from '../../kit/socket-fakes.js'

const fault = () => {
  throw new Error('a seam gave way')
}

/** The parts of one request, any of which a row may break before it runs. */
function parts(kind: Kind) {
  const clock = new FakeClock()
  const hold = new FakeHold(1_000_000n)
  hold.covered = 500n
  const source = new FakeSource()
  const upstream = new FakeSocket()
  const session = new FakeSession()
  const sink = kind === 'socket' ? new FakeSocketSink() : new FakeSink()
  const watch = lineFormat.watch({ wantsUsage: false })
  const decoder = { push: (chunk: Buffer) => eventsOf(chunk), flush: () => [] as Event[] }
  const encoder = { push: (event: Event) => encoded(event), flush: () => [] as Buffer[] }
  const format = { ...lineFormat, encodeStream: () => encoder }
  const mode =
    kind === 'converted'
      ? ({ kind: 'converted', decoder, head: [delta('hello')] } as const)
      : ({ kind: 'verbatim', watch, head: [watch.push(Buffer.from('data: hello\n\n'))] } as const)
  const replies = {
    verbatim: { kind: 'events', status: 200, headers: {}, source, mode },
    converted: { kind: 'events', status: 200, headers: {}, source, mode },
    json: { ...wholeReply },
    socket: { kind: 'socket', socket: upstream, session, head: [] },
  } as const
  const state = opened({
    ...{
      sink,
      hold,
      format,
      reply: replies[kind],
      claim: new FakeClaim(),
      price: { ...tokenPrice },
      call: () => request,
    },
    estimate: { input: 10 },
  })
  const disconnects = createDisconnectPolicy(clock)
  const answers = createAnswers(clock)
  const services = {
    affinity: { remember() {}, forget() {} },
    health: { broke() {} },
    throttle: { succeeded() {} },
  }
  const traffic = { settled() {}, failed() {} }
  const log = { ...quietLog }
  const refusing = { picked: undefined as undefined | object }
  return {
    ...{ clock, hold, source, upstream, session, sink, watch, decoder, encoder, format, state },
    ...{ disconnects, answers, services, traffic, log, refusing },
  }
}

type Kind = 'verbatim' | 'converted' | 'json' | 'socket'
type Parts = ReturnType<typeof parts>

const wholeReply: JsonReply = {
  ...{
    kind: 'json',
    status: 200,
    headers: {},
    bytes: Buffer.from('{"whole":1}'),
    estimatedTokens: 20,
  },
}

const request: Call = {
  model: 'test-model',
  turns: [],
  tools: [],
  sampling: {},
  stream: true,
  wantsUsage: false,
}

const delta = (text: string): Event => ({ type: 'delta', at: { choice: 0, part: 0 }, text })

/** `word` is a word more, `end` the end. */
function eventsOf(chunk: Buffer): Event[] {
  const text = chunk.toString()
  if (text === 'end') return [{ type: 'end' }]
  return [delta(text)]
}

function encoded(event: Event): Buffer[] {
  if (event.type === 'delta') return [Buffer.from(`${event.text} `)]
  return event.type === 'end' ? [Buffer.from('END')] : []
}

async function run(broken: Parts): Promise<void> {
  const { clock, log, services, state, disconnects, answers, traffic } = broken
  const settings = {} as Kit['settings']
  const settle = createSettle({
    ...{ clock, log, settings },
    services: services as unknown as Kit<'affinity' | 'health' | 'throttle' | 'tasks'>['services'],
  })
  const nothing = { run: () => ({}) }
  const failing = broken.refusing.picked
  const stages = {
    ...{ auth: nothing, 'route-plan': nothing, mapping: nothing, override: nothing, settle },
    ...{ 'channel-pick': { run: () => ({ ...state }) }, 'pre-consume': nothing },
    upstream: { run: () => failing ?? { reply: state.reply } },
  } as unknown as Stages
  const deliver = createDeliver({ disconnects, answers, clock, log })
  const relay = createRelay({ order, stages, deliver, log, clock, traffic })
  const { reply: _, claim, ...received } = state
  await relay({ ...received, claim } as unknown as Received)
}

interface Row {
  readonly kind: Kind
  /** What is charged. */
  readonly quota: bigint
  breaks(parts: Parts): void
  /** What happens once the answer is under way. Absent: it comes to its proper end. */
  drive?(parts: Parts): void
  /** What the client has of it in the end. Absent: the whole answer. */
  readonly client?: RegExp
}

const hello = 15n
const properEnd: Readonly<Record<Kind, (parts: Parts) => void>> = {
  verbatim: ({ source }) => source.push('data: [DONE]\n\n'),
  converted: ({ source }) => source.push('end'),
  json: () => {},
  socket: ({ upstream, sink }) => {
    upstream.say('begun')
    upstream.say('more')
    upstream.say('done')
    if (sink instanceof FakeSocketSink) sink.hangUp(1000)
  },
}
const wholeAnswer: Readonly<Record<Kind, RegExp>> = {
  verbatim: /^data: hello\n\n.*data: \[DONE\]\n\n$/s,
  converted: /^hello .*END$/s,
  json: /^\{"whole":1\}$/,
  socket: /^$/,
}
const inError = /failed internal_error/

/** Called once it runs, so that what stood before works. */
const rows: Readonly<Record<string, Row>> = {
  'the claim hears how the try ended': {
    ...{ kind: 'verbatim', quota: hello },
    breaks: ({ state }) => Object.assign(state.claim, { ended: fault }),
  },
  'the client receives a failure': {
    ...{ kind: 'verbatim', quota: 0n, client: /^$/ },
    breaks: ({ refusing, format }) => {
      refusing.picked = { failure: { status: 500, code: 'upstream_error' }, retry: false }
      Object.assign(format, { encodeError: fault })
    },
    drive: () => {},
  },
  'a failure is counted': {
    ...{ kind: 'verbatim', quota: 0n, client: /upstream_error/ },
    breaks: ({ refusing, traffic }) => {
      refusing.picked = { failure: { status: 500, code: 'upstream_error' }, retry: false }
      traffic.failed = fault
    },
    drive: () => {},
  },
  'the log of a failure': {
    ...{ kind: 'verbatim', quota: 0n, client: /^$/ },
    breaks: ({ refusing, log }) => {
      refusing.picked = { failure: { status: 500, code: 'upstream_error' }, retry: false }
      log.debug = fault
    },
    drive: () => {},
  },
  'the encoder is made': {
    ...{ kind: 'converted', quota: 0n, client: /^$/ },
    breaks: ({ format }) => Object.assign(format, { encodeStream: fault }),
    drive: () => {},
  },
  'the head of the client': {
    ...{ kind: 'verbatim', quota: 0n, client: /^$/ },
    breaks: ({ sink }) => Object.assign(sink, { head: fault }),
    drive: () => {},
  },
  'disconnects begin to watch': {
    ...{ kind: 'verbatim', quota: 0n, client: inError },
    breaks: ({ disconnects }) => Object.assign(disconnects, { watch: fault }),
    drive: () => {},
  },
  'the hold is followed': {
    ...{ kind: 'verbatim', quota: 0n, client: inError },
    breaks: ({ hold }) => Object.assign(hold, { follow: fault }),
    drive: () => {},
  },
  'the head of the stream is encoded': {
    ...{ kind: 'converted', quota: 0n, client: inError },
    breaks: ({ encoder }) => Object.assign(encoder, { push: fault }),
    drive: () => {},
  },
  'the source is consumed': {
    ...{ kind: 'verbatim', quota: hello, client: inError },
    breaks: ({ source }) => Object.assign(source, { consume: fault }),
    drive: () => {},
  },
  'a chunk is watched': {
    ...{ kind: 'verbatim', quota: hello, client: inError },
    breaks: () => {},
    drive: ({ watch, source }) => {
      Object.assign(watch, { push: fault })
      source.push('data: more\n\n')
    },
  },
  'a chunk is decoded': {
    ...{ kind: 'converted', quota: 11n, client: inError },
    breaks: ({ decoder }) => Object.assign(decoder, { push: fault }),
    drive: ({ source }) => source.push('more'),
  },
  'an event is encoded': {
    ...{ kind: 'converted', quota: 11n, client: inError },
    breaks: () => {},
    drive: ({ encoder, source }) => {
      Object.assign(encoder, { push: fault })
      source.push('more')
    },
  },
  'a chunk is written': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: () => {},
    drive: ({ sink, source }) => {
      Object.assign(sink, { write: fault })
      source.push('data: more\n\n')
    },
  },
  'the cost is looked at': {
    ...{ kind: 'verbatim', quota: 0n, client: inError },
    breaks: () => {},
    drive: ({ state, source }) => {
      Object.assign(state.price, { cost: fault })
      source.push(`data: ${'x'.repeat(450)}\n\n`)
    },
  },
  'the step of an extension is computed': {
    ...{ kind: 'verbatim', quota: hello, client: inError },
    breaks: () => {},
    drive: ({ state, source }) => {
      Object.assign(state.price, { hold: fault })
      source.push(`data: ${'x'.repeat(450)}\n\n`)
    },
  },
  'what was held back is written': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: () => {},
    drive: ({ sink, source }) => {
      source.push(`data: ${'x'.repeat(600)}\n\n`)
      Object.assign(sink, { write: fault })
    },
  },
  'the end is flushed': {
    ...{ kind: 'verbatim', quota: hello, client: inError },
    breaks: () => {},
    drive: ({ watch, source }) => {
      Object.assign(watch, { flush: fault })
      source.end()
    },
  },
  'an error is encoded': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: ({ format }) => Object.assign(format, { encodeStreamError: fault }),
    drive: ({ source }) => source.fail(),
  },
  'the call is ended': {
    ...{ kind: 'verbatim', quota: hello, client: /failed upstream_broke_off/ },
    breaks: ({ source }) => Object.assign(source, { abort: fault }),
    drive: ({ source }) => source.fail(),
  },
  'the owner is disabled': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: ({ format }) => Object.assign(format, { encodeStreamError: fault }),
    drive: ({ hold }) => hold.disable(),
  },
  'the gateway stops': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: ({ format }) => Object.assign(format, { encodeStreamError: fault }),
    drive: ({ disconnects }) => disconnects.endAll(),
  },
  'a client has caught up': {
    ...{ kind: 'verbatim', quota: hello, client: inError },
    breaks: ({ source }) => Object.assign(source, { resume: fault }),
    drive: ({ sink }) => sink.drain(),
  },
  'a client leaves': {
    ...{ kind: 'verbatim', quota: hello, client: /^data: hello\n\n$/ },
    breaks: ({ source }) => Object.assign(source, { resume: fault }),
    drive: ({ sink }) => sink.leave(),
  },
  'the answer of a stream is kept': {
    ...{ kind: 'converted', quota: 11n },
    breaks: ({ answers }) => Object.assign(answers, { keep: fault }),
  },
  'the end of the client': {
    ...{ kind: 'verbatim', quota: hello },
    breaks: ({ sink }) => Object.assign(sink, { end: fault }),
  },
  'a whole answer is kept': {
    ...{ kind: 'json', quota: 30n },
    breaks: ({ answers }) => Object.assign(answers, { keep: fault }),
  },
  'a whole answer is sent': {
    ...{ kind: 'json', quota: 0n, client: /^$/ },
    breaks: ({ sink }) => Object.assign(sink, { send: fault }),
  },
  'a whole answer is priced': {
    ...{ kind: 'json', quota: 0n, client: /^$/ },
    breaks: ({ state }) => Object.assign(state.price, { cost: fault }),
  },
  'the price is explained': {
    ...{ kind: 'verbatim', quota: hello },
    breaks: ({ state }) => Object.assign(state.price, { explain: fault }),
  },
  'the throttle learns': {
    ...{ kind: 'verbatim', quota: hello },
    breaks: ({ services }) => Object.assign(services.throttle, { succeeded: fault }),
  },
  'the breaker learns': {
    ...{ kind: 'verbatim', quota: hello, client: /failed upstream_broke_off/ },
    breaks: ({ services }) => Object.assign(services.health, { broke: fault }),
    drive: ({ source }) => source.fail(),
  },
  'a settled request is counted': {
    ...{ kind: 'verbatim', quota: hello },
    breaks: ({ traffic }) => {
      traffic.settled = fault
    },
  },
  'a socket is accepted': {
    ...{ kind: 'socket', quota: 0n, client: /^$/ },
    breaks: ({ sink }) => Object.assign(sink, { accept: fault }),
    drive: () => {},
  },
  'a frame of the upstream is read': {
    ...{ kind: 'socket', quota: 100n, client: /^begun more error internal_error$/ },
    breaks: () => {},
    drive: ({ upstream, session }) => {
      upstream.say('begun')
      upstream.say('more')
      Object.assign(session, { fromUpstream: fault })
      upstream.say('more')
    },
  },
  'a frame of the client is read': {
    ...{ kind: 'socket', quota: 100n, client: /error internal_error$/ },
    breaks: ({ session }) => Object.assign(session, { fromClient: fault }),
    drive: ({ upstream, sink }) => {
      upstream.say('begun')
      upstream.say('more')
      if (sink instanceof FakeSocketSink) sink.socket.say('ask')
    },
  },
  'a frame is sent': {
    ...{ kind: 'socket', quota: 100n, client: /^begun more error internal_error$/ },
    breaks: ({ upstream }) => Object.assign(upstream, { send: fault }),
    drive: ({ upstream, sink }) => {
      upstream.say('begun')
      upstream.say('more')
      if (sink instanceof FakeSocketSink) sink.socket.say('hi')
    },
  },
  'a session counts': {
    ...{ kind: 'socket', quota: 100n, client: /^begun more done$/ },
    breaks: ({ session }) =>
      Object.defineProperty(session, 'estimated', { get: fault, configurable: true }),
  },
  'the upstream of a session closes': {
    ...{ kind: 'socket', quota: 0n, client: /^$/ },
    breaks: ({ session, upstream }) => {
      Object.assign(session, { encodeError: fault })
      Object.assign(upstream, { close: fault })
    },
    drive: ({ upstream }) => upstream.leave(1006),
  },
}

/** Lets promises that are settled already be heard. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

for (const [seam, row] of Object.entries(rows)) {
  t.test(`settling is reached where this throws: ${seam}`, async (t) => {
    const rejections: unknown[] = []
    const note = (error: unknown) => rejections.push(error)
    process.on('unhandledRejection', note)
    t.teardown(() => process.off('unhandledRejection', note))
    const broken = parts(row.kind)
    row.breaks(broken)
    const done = run(broken)
    await turn()
    const drive = row.drive ?? properEnd[row.kind]
    drive(broken)
    await done
    await turn()
    const { hold, sink, clock } = broken
    t.equal(hold.closes, 1)
    t.equal(hold.closing?.quota, row.quota)
    const text = sink instanceof FakeSocketSink ? sink.socket.sent.join(' ') : sink.text
    t.match(text, row.client ?? wholeAnswer[row.kind])
    const over =
      sink instanceof FakeSocketSink ? sink.socket.closedWith : sink.ended || sink.destroyed
    t.ok(
      over || !sink.started || seam === 'the end of the client',
      'the client is not left waiting',
    )
    t.same(rejections, [])
    t.equal(clock.pending, 0)
  })
}

t.test(
  'a request whose settling fails is reported in the log as what it is: an open hold',
  async (t) => {
    const broken = parts('verbatim')
    const words: string[] = []
    broken.log.error = (_: object, message: string) => void words.push(message)
    broken.hold.close = () => Promise.reject(new Error('no'))
    const done = run(broken)
    await turn()
    properEnd.verbatim(broken)
    await done
    t.match(words.join(), /the hold is still open/)
    t.notMatch(words.join(), /sweeper/)
  },
)
