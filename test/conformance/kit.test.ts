/** The kits themselves: each rule turns red for a plugin that breaks it, and nothing else does. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Event } from '../../kernel/contract/event.js'
import type { Format, Transform } from '../../kernel/contract/format.js'
import type { Adapter, ChatAdapter, Provider } from '../../kernel/contract/provider.js'
import messages from '../../plugins/formats/messages/index.js'
import anthropic from '../../providers/anthropic/index.js'
import { body, stream } from '../plugins/formats/messages/recorded.js'
import { conformingFormat } from './format.js'
import { cuttings } from './kit.js'
import { adapterOf, conformingProvider } from './provider.js'

const manifestOf = (path: string) =>
  readFileSync(new URL(`../../${path}/manifest.json`, import.meta.url), 'utf8')

/** Runs a kit and answers the titles of what failed. */
function failuresOf(kit: (test: (title: string, run: () => unknown) => void) => void): string[] {
  const failed: string[] = []
  kit((title, run) => {
    try {
      run()
    } catch {
      failed.push(title)
    }
  })
  return failed
}

function provider(
  change: Partial<Adapter>,
  manifest = manifestOf('providers/anthropic'),
): string[] {
  const chat = adapterOf(anthropic(), 'chat')
  const broken: Provider = { operations: { chat: { ...chat, ...change } as ChatAdapter } }
  return failuresOf((test) =>
    conformingProvider(test, {
      manifest,
      create: () => broken,
      formats: () => messages(),
      calls: [{ operation: 'chat', wire: { model: 'm', max_tokens: 1 } }],
      streams: [{ name: 'text', operation: 'chat', bytes: stream('stop-sequence') }],
    }),
  )
}

const right = adapterOf(anthropic(), 'chat')

t.test('a provider that keeps the rules passes', async (t) => {
  t.strictSame(provider({}), [])
})

t.test('a provider that breaks a rule fails it', async (t) => {
  let calls = 0
  const rows: readonly (readonly [name: string, change: Partial<Adapter>, title: RegExp])[] = [
    [
      'the key in the address',
      {
        address: (...call) => {
          const request = right.address(...call)
          return { ...request, url: `${request.url}?key=${call[2].key}` }
        },
      },
      /the key stands in headers only/,
    ],
    [
      'another address each time',
      {
        address: (...call) => {
          const request = right.address(...call)
          calls += 1
          return { ...request, url: `${request.url}?n=${calls}` }
        },
      },
      /addressed twice alike/,
    ],
    [
      'a base URL that is glued on',
      {
        address: (wire, channel, credentials, context) => ({
          ...right.address(wire, channel, credentials, context),
          url: `${channel.baseUrl}/v1/messages`,
        }),
      },
      /a base URL with a slash/,
    ],
    ['a field that is dropped', { adjust: ({ x_zero, ...rest }) => rest }, /explicit 0/],
    ['a header that is nobody’s business', { forwards: ['cookie'] }, /client's own business/],
    [
      'an error that tells everything',
      {
        fail: (status, headers, head) => ({
          ...right.fail(status, headers, head),
          message: head.toString('utf8'),
        }),
      },
      /a 400 is a failure/,
    ],
    [
      'an error that throws',
      {
        fail: (status, headers, head) => {
          JSON.parse(head.toString('utf8'))
          return right.fail(status, headers, head)
        },
      },
      /a 502 is a failure/,
    ],
    [
      'an error that is everybody’s fault',
      { fail: (...answer) => ({ ...right.fail(...answer), blame: 'client' }) },
      /a 429 is a failure/,
    ],
    [
      'a stream read by the piece',
      { read: () => byThePiece() },
      /replay text: the same events at every cut/,
    ],
  ]
  for (const [name, change, title] of rows) {
    const failed = provider(change)
    t.ok(
      failed.some((one) => title.test(one)),
      `${name}: ${failed.join(' | ')}`,
    )
  }
})

t.test('a manifest that is none fails first', async (t) => {
  const text = manifestOf('providers/anthropic').replace('"provider.anthropic"', '"anthropic"')
  let first: string | undefined
  t.throws(() =>
    conformingProvider(
      (title, run) => {
        first ??= title
        run()
      },
      {
        manifest: text,
        create: anthropic,
        formats: () => messages(),
        calls: [],
        streams: [],
      },
    ),
  )
  t.equal(first, 'the manifest is one')
})

function byThePiece(): Transform<Buffer, Event> {
  return {
    push: (chunk) => {
      const decoder = messages().decodeStream()
      return [...decoder.push(chunk), ...decoder.flush()]
    },
    flush: () => [],
  }
}

function format(change: Partial<Format>): string[] {
  return failuresOf((test) =>
    conformingFormat(test, {
      manifest: manifestOf('plugins/formats/messages'),
      create: () => ({ ...messages(), ...change }),
      requests: [
        {
          name: 'least',
          body: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] },
        },
      ],
      explicit: [['temperature', 0]],
      refused: [{ body: { model: 'm' }, param: 'messages' }],
      replies: [{ name: 'stop', body: body('stop-sequence'), stream: stream('stop-sequence') }],
      plain: {
        model: 'm',
        turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
        tools: [],
        stream: false,
        wantsUsage: false,
        sampling: {},
      },
      losses: [{ field: 'sampling.seed', kind: 'report', call: { sampling: { seed: 1 } } }],
      lossTable: [{ field: 'sampling.seed', kind: 'report' }],
    }),
  )
}

t.test('a format that keeps the rules passes', async (t) => {
  t.strictSame(format({}), [])
})

t.test('a format that breaks a rule fails it', async (t) => {
  const whole = messages()
  const later = (events: Event[], more: Event): Event[] =>
    events.some(({ type }) => type === 'end') ? [...events, more] : events
  const stretched = (more: Event): Partial<Format> => ({
    decodeStream: () => {
      const decoder = whole.decodeStream()
      return { push: (chunk) => later(decoder.push(chunk), more), flush: () => decoder.flush() }
    },
  })
  const rows: readonly (readonly [name: string, change: Partial<Format>, title: RegExp])[] = [
    ['two ends', stretched({ type: 'end' }), /stream stop: the same events/],
    ['something after the end', stretched({ type: 'start' }), /stream stop: the same events/],
    [
      'a stream read by the piece',
      { decodeStream: byThePiece },
      /stream stop: the same events at every cut/,
    ],
    [
      'a zero that is lost',
      {
        encodeRequest: (call) => {
          const { temperature, ...rest } = whole.encodeRequest(call)
          return temperature ? { temperature, ...rest } : rest
        },
      },
      /temperature: an explicit 0/,
    ],
    [
      'a default that is filled in',
      { encodeRequest: (call) => ({ temperature: 1, ...whole.encodeRequest(call) }) },
      /request least|omitted stays omitted/,
    ],
    [
      'unknown fields that are dropped',
      { decodeRequest: (body) => ({ ...whole.decodeRequest(body), only: undefined }) },
      /a field the format does not know/,
    ],
    [
      'a loss that is not named',
      { unsupportedFields: () => ({ refuse: [], report: [] }) },
      /named as a loss/,
    ],
    [
      'a check that lets pass',
      { check: () => ({ model: 'm', stream: false, wantsUsage: false }) },
      /check names messages/,
    ],
    [
      'a body that states something else',
      { decodeReply: (body) => whole.decodeReply(body).filter(({ type }) => type !== 'stop') },
      /body stop: folds/,
    ],
    [
      'usage that is read twice as high',
      {
        readReply: (body) => {
          const reading = whole.readReply(body)
          return { ...reading, usage: { ...reading.usage, output: 99 } }
        },
      },
      /body stop: folds/,
    ],
    [
      'an error without a code',
      {
        encodeError: (error) => ({
          status: error.status,
          body: { type: 'error', error: { type: error.type, message: error.message } },
        }),
      },
      /an error has message/,
    ],
    [
      'an error that passes the watch',
      { watch: () => Object.assign(whole.watch({ wantsUsage: true }), { push: (b: Buffer) => b }) },
      /an error in a stream/,
    ],
  ]
  for (const [name, change, title] of rows) {
    const failed = format(change)
    t.ok(
      failed.some((one) => title.test(one)),
      `${name}: ${failed.join(' | ')}`,
    )
  }
})

t.test('a stream is cut everywhere up to 4 KB, and 200 times above', async (t) => {
  const count = (bytes: number) => [...cuttings(Buffer.alloc(bytes, 'x'))].length
  t.equal(count(4096), 2 + 4095)
  t.equal(count(4097), 201)
  for (const size of [3, 5000]) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251))
    for (const { name, pieces } of cuttings(bytes)) {
      if (!Buffer.concat([...pieces]).equals(bytes)) t.fail(name)
    }
  }
})
