/** Faults planted into a sound provider with a chat form of its own, one at a time: the kit notices each of them. */
import t from 'tap'
import type { Event } from '../../kernel/contract/event.js'
import type { Transform } from '../../kernel/contract/format.js'
import type { Adapter, ChatAdapter } from '../../kernel/contract/provider.js'
import type { Kit } from '../../kernel/contract/service-kit.js'
import chatFormat from '../../plugins/formats/chat/index.js'
import { example, exampleManifest, exampleStreams, exampleWrites } from './own-form-example.js'
import { conformingProvider, type ProviderSubject } from './provider.js'

function subject(change: Partial<Adapter>): ProviderSubject {
  return {
    manifest: exampleManifest,
    create: () => ({ operations: { chat: { ...example, ...change } as ChatAdapter } }),
    formats: () => chatFormat(),
    calls: [{ operation: 'chat', wire: { to: 'acme-1' } }],
    streams: exampleStreams,
    writes: exampleWrites,
  }
}

/** Titles of what failed. */
function noticed(change: Partial<Adapter>, over: Partial<ProviderSubject> = {}): string[] {
  const failed: string[] = []
  const test = (title: string, run: () => unknown) => {
    try {
      run()
    } catch {
      failed.push(title)
    }
  }
  conformingProvider(test, { ...subject(change), ...over })
  return failed
}

const encode = example.encode!
const read = example.read!

/** What the sound reader tells, changed. */
function reading(change: (events: readonly Event[]) => Event[]): Partial<Adapter> {
  return {
    read() {
      const reader = read()
      return { push: (bytes) => change(reader.push(bytes)), flush: () => change(reader.flush()) }
    },
  }
}

type Usage = Extract<Event, { type: 'usage' }>

function counting(change: (event: Usage) => Event[]): Partial<Adapter> {
  return reading((events) =>
    events.flatMap((event) => (event.type === 'usage' ? change(event) : [event])),
  )
}

function lastTurnOnly(): Partial<Adapter> {
  return { encode: (call, channel) => encode({ ...call, turns: call.turns.slice(-1) }, channel) }
}

function endedAnyway(): Transform<Buffer, Event> {
  const reader = read()
  let ended = false
  const watched = (events: Event[]) => {
    ended ||= events.some(({ type }) => type === 'end' || type === 'failure')
    return events
  }
  return {
    push: (bytes) => watched(reader.push(bytes)),
    flush: () => (ended ? [] : [...watched(reader.flush()), { type: 'end' }]),
  }
}

function inOnePiece(): Transform<Buffer, Event> {
  const reader = read()
  const held: Event[] = []
  return {
    push: (bytes) => {
      held.push(...reader.push(bytes))
      return []
    },
    flush: () => [...held, ...reader.flush()],
  }
}

function strictly(): Transform<Buffer, Event> {
  const reader = read()
  return {
    push: (bytes) => {
      const text = bytes.toString()
      if (text.startsWith('<') || text.includes('data: {"half')) JSON.parse(text)
      return reader.push(bytes)
    },
    flush: () => reader.flush(),
  }
}

let shared = read()
let requestCount = 0

const faults: Readonly<Record<string, Partial<Adapter>>> = {
  'encode throws': {
    encode: () => {
      throw new Error('not today')
    },
  },
  'encode is empty': { encode: () => ({}) },
  'encode forgets the model': {
    encode: (call, channel) => {
      const { to: _, ...rest } = encode(call, channel)
      return rest
    },
  },
  'encode sends the last turn alone': lastTurnOnly(),
  'encode drops the tools it claims to express': {
    encode: (call, channel) => encode({ ...call, tools: [] }, channel),
  },
  'encode drops an explicit 0': {
    encode: (call, channel) => {
      const { warmth, ...rest } = encode(call, channel)
      return warmth ? { warmth, ...rest } : rest
    },
  },
  'encode writes something else each time': {
    encode: (call, channel) => ({ ...encode(call, channel), nonce: ++requestCount }),
  },
  'input and output are swapped': counting((event) => [
    { ...event, usage: { input: event.usage.output, output: event.usage.input } },
  ]),
  'usage is negative': counting((event) => [
    { ...event, usage: { ...event.usage, output: -(event.usage.output ?? 0) } },
  ]),
  'usage is lost': counting(() => []),
  'the reason to stop is lost': reading((events) => events.filter(({ type }) => type !== 'stop')),
  'the reason to stop is always the same': reading((events) =>
    events.map((event) => (event.type === 'stop' ? { ...event, reason: 'end' } : event)),
  ),
  'text is lost': reading((events) =>
    events.filter((event) => event.type !== 'delta' || event.text?.includes('Bern') !== true),
  ),
  'text is reported twice': reading((events) =>
    events.flatMap((event): Event[] => (event.type === 'delta' ? [event, event] : [event])),
  ),
  'the input of tools is lost': reading((events) =>
    events.filter((event) => event.type !== 'delta' || event.json === undefined),
  ),
  'an end is invented behind a broken stream': { read: endedAnyway },
  'a failure is reported as an end': reading((events) =>
    events.map((event) => (event.type === 'failure' ? { type: 'end' } : event)),
  ),
  'a seal is issued in the name of another': reading((events) =>
    events.map((event) =>
      event.type === 'delta' ? { ...event, seal: 'signature', sealBy: 'messages' } : event,
    ),
  ),
  'reading throws on garbage': { read: strictly },
  'nothing streams': { read: inOnePiece },
  'two answers share their state': {
    read: () => ({
      push: (bytes) => shared.push(bytes),
      flush: () => {
        const events = shared.flush()
        shared = read()
        return events
      },
    }),
  },
}

t.test('a sound provider with a form of its own passes', async (t) => {
  t.same(noticed({}), [])
})

t.test('every planted fault is noticed', async (t) => {
  t.ok(Object.keys(faults).length >= 18)
  for (const [name, change] of Object.entries(faults)) {
    const titles = noticed(change)
    t.ok(titles.length > 0, `${name}: ${titles[0]}`)
  }
})

t.test('cases that are missing are requested', async (t) => {
  t.ok(noticed({}, { writes: [] }).length > 0, 'no call with its wire')
  const untold = exampleStreams.map(({ expected: _, ...stream }) => stream)
  t.ok(noticed({}, { streams: untold }).length > 0, 'no stream with its answer')
})

t.test('a provider that takes a log is an error of the compiler', async (t) => {
  // @ts-expect-error a provider gets its settings and nothing else
  const create: ProviderSubject['create'] = ({ log }: Kit) => ({ operations: {}, log })
  t.type(create, 'function')
})
