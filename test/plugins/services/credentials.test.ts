/** The exchange of keys: once for all who wait, kept until shortly before its end, renewed keys stored, nothing logged. */

import t from 'tap'
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { AuthorizeContext, Credentials, Provider } from '../../../kernel/contract/provider.js'
import type { Egress, EgressRequest } from '../../../kernel/contract/services/egress.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { createLog } from '../../../kernel/log/log.js'
import { EgressError } from '../../../kernel/toolkit/errors/egress-error.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import type { ChannelEdits } from '../../../plugins/services/channels/index.js'
import type { Authorized } from '../../../plugins/services/credentials/index.js'
import createCredentials from '../../../plugins/services/credentials/index.js'
import { FakeClock } from '../../kit/clock.js'
import { channel as lineChannel } from '../../kit/line-fakes.js'
import { secrets as box, RecordingLog, settingsOf } from '../management/management-fixture.js'

const minute = 60_000

/** An exchange that waits to be answered. */
interface Exchange {
  readonly key: string
  readonly context: AuthorizeContext
  answer(authorized: Authorized): void
  fail(error: unknown): void
}

interface Terms {
  readonly provider?: Provider
  readonly log?: RecordingLog | ReturnType<typeof createLog>
  readonly secrets?: SecretBox
  readonly renewKey?: (id: number, spent: string, renewed: string) => Promise<void>
  /** Of every answer; absent: one that ends. */
  readonly body?: ByteSource
}

function bureau(terms: Terms = {}) {
  const clock = new FakeClock()
  const log = terms.log ?? new RecordingLog()
  const exchanges: Exchange[] = []
  const known = new Map<number, Channel>()
  const renewed: [number, string, string][] = []
  const sent: EgressRequest[] = []
  const provider: Provider = terms.provider ?? {
    operations: {},
    authorize: (key, _channel, context) =>
      new Promise((resolve, reject) => {
        exchanges.push({ key, context, answer: resolve, fail: reject })
      }),
  }
  const egress: Egress = {
    async open(request) {
      sent.push(request)
      const body: ByteSource = {
        consume(consumer) {
          consumer.data(Buffer.from('{"ok":true}'))
          consumer.end()
        },
        resume() {},
        abort() {},
      }
      return { status: 200, headers: { 'x-from': 'egress' }, body: terms.body ?? body }
    },
    dial: () => Promise.reject(new Error('not requested')),
    connect: () => Promise.reject(new Error('no sockets here')),
  }
  const credentials = createCredentials({
    settings: settingsOf({}),
    clock,
    log,
    services: {
      egress,
      secrets: terms.secrets ?? box,
      providers: {
        adapter: () => undefined,
        provider: (type) => (type === 1 ? provider : undefined),
        hosts: () => ['channel', 'auth.example'],
        knows: () => true,
        defaultBaseUrl: () => '',
        warm: async () => {},
      },
      channels: {
        ...noChannels,
        get: (id) => known.get(id),
        async renewKey(id, spent, next) {
          await terms.renewKey?.(id, spent, next)
          renewed.push([id, spent, next])
        },
      },
    },
  })
  return { clock, log, exchanges, credentials, known, renewed, sent }
}

const noChannels = {
  all: () => [],
  tiers: () => [],
  fault: () => undefined,
  models: () => [],
  suspend: async () => false,
  resume: async () => false,
  noteTest: async () => {},
  edits: {} as ChannelEdits,
}

function channel(over: Partial<Channel> = {}): Channel {
  return { ...lineChannel(1), ...over }
}

/** Keys in rows of the ids 11, 12 and so on. */
function keysOf(...texts: readonly string[]): Channel['keys'] {
  return texts.map((text, index) => ({ id: 11 + index, text, enabled: true }))
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('without an exchange the key itself authorises, at once', async (t) => {
  const { credentials } = bureau({ provider: { operations: {} } })
  t.same(credentials.of(channel(), 'k'), { key: 'k' })
  t.same(credentials.of(channel({ type: 9 }), 'k'), { key: 'k' }, 'nor where nobody serves')
})

t.test(
  'however many wait, the key is exchanged once, and later answers come at once',
  async (t) => {
    const { credentials, exchanges, clock } = bureau()
    const waiting = Array.from({ length: 50 }, () => credentials.of(channel(), 'k'))
    t.equal(exchanges.length, 1)
    t.same({ ...exchanges[0]?.context, fetch: 0 }, { now: clock.now(), fetch: 0 })
    const granted: Credentials = { key: 'k', token: 't1', expiresAt: clock.now() + 60 * minute }
    exchanges[0]?.answer(granted)
    for (const one of await Promise.all(waiting)) t.equal(one, granted)
    t.equal(credentials.of(channel(), 'k'), granted, 'not even a promise')
    t.equal(exchanges.length, 1)
  },
)

t.test('each key of each channel at each address has an exchange of its own', async (t) => {
  const { credentials, exchanges } = bureau()
  const places: [Channel, string][] = [
    [channel(), 'k'],
    [channel(), 'other'],
    [channel({ id: 2 }), 'k'],
    [channel({ baseUrl: 'https://elsewhere.example' }), 'k'],
  ]
  const answers = places.map(([place, key]) => credentials.of(place, key))
  t.equal(exchanges.length, 4)
  exchanges.forEach(({ key, answer }, index) => {
    answer({ key, token: `t${index}` })
  })
  t.same(
    (await Promise.all(answers)).map((one) => 'token' in one && one.token),
    ['t0', 't1', 't2', 't3'],
  )
})

t.test('a token is kept until shortly before its end', async (t) => {
  const { credentials, exchanges, clock } = bureau()
  const first = credentials.of(channel(), 'k')
  exchanges[0]?.answer({ key: 'k', token: 't1', expiresAt: clock.now() + 60 * minute })
  await first
  clock.advance(55 * minute - 1)
  t.match(credentials.of(channel(), 'k'), { token: 't1' }, 'five minutes and more are left')
  clock.advance(4 * minute + 1)
  const second = credentials.of(channel(), 'k')
  t.equal(exchanges.length, 2, 'one minute is too little')
  exchanges[1]?.answer({ key: 'k', token: 't2', expiresAt: clock.now() + 60 * minute })
  t.match(await second, { token: 't2' })
  t.match(credentials.of(channel(), 'k'), { token: 't2' })
})

t.test('what has no end is kept', async (t) => {
  const { credentials, exchanges, clock } = bureau()
  const first = credentials.of(channel(), 'k')
  exchanges[0]?.answer({ key: 'k' })
  await first
  clock.advance(365 * 24 * 60 * minute)
  t.same(credentials.of(channel(), 'k'), { key: 'k' })
})

const broken: Failure = { blame: 'upstream', status: 500, code: 'upstream_error', message: 'x' }

t.test('a failure is reported to all who waited and is never kept', async (t) => {
  const { credentials, exchanges } = bureau()
  const waiting = [credentials.of(channel(), 'k'), credentials.of(channel(), 'k')]
  exchanges[0]?.answer({ failure: broken })
  t.same(await Promise.all(waiting), [{ failure: broken }, { failure: broken }])
  const next = credentials.of(channel(), 'k')
  t.equal(exchanges.length, 2)
  exchanges[1]?.answer({ key: 'k', token: 't' })
  t.match(await next, { token: 't' })
})

t.test(
  'an exchange that throws is the channel’s failure, one that finds no way the network’s',
  async (t) => {
    const { credentials, exchanges, log } = bureau()
    const after = async (error: unknown) => {
      const answer = credentials.of(channel(), 'k')
      exchanges.at(-1)?.fail(error)
      return answer
    }
    const invalid = { failure: { blame: 'channel', code: 'channel:invalid_key' } }
    t.match(await after(new SyntaxError('Unexpected token in {"key":"sk-very-secret"')), invalid)
    t.match(await after(new Refusal('channel:invalid_key')), invalid)
    t.match(await after('thrown text'), invalid)
    t.match(await after(new Refusal('invalid_request', { reason: 'x' })), {
      failure: { blame: 'channel' },
    })
    t.match(await after(new EgressError(broken)), { failure: broken })
    t.same((log as RecordingLog).lines, Array(4).fill('a key could not be exchanged'))
  },
)

t.test(
  'a refused token is exchanged again, once for all who were refused, and named',
  async (t) => {
    const { credentials, exchanges, clock } = bureau()
    const first = credentials.of(channel(), 'k')
    exchanges[0]?.answer({ key: 'k', token: 't1', expiresAt: clock.now() + 60 * minute })
    await first
    for (let call = 0; call < 20; call++) credentials.forget(channel(), 'k')
    const second = credentials.of(channel(), 'k')
    t.equal(exchanges.length, 2)
    t.equal(exchanges[1]?.context.refused, 't1')
    credentials.forget(channel(), 'k')
    exchanges[1]?.answer({ key: 'k', token: 't2', expiresAt: clock.now() + 60 * minute })
    await second
    credentials.forget(channel(), 'k')
    t.match(credentials.of(channel(), 'k'), { token: 't2' }, 'calls with t1 that come back late')
    clock.advance(30_000)
    credentials.forget(channel(), 'k')
    const third = credentials.of(channel(), 'k')
    t.equal(exchanges[2]?.context.refused, 't2')
    exchanges[2]?.answer({ failure: broken })
    await third
    const fourth = credentials.of(channel(), 'k')
    t.equal(exchanges[3]?.context.refused, 't2', 'until another one is there')
    exchanges[3]?.answer({ key: 'k', token: 't3' })
    await fourth
    credentials.forget(channel({ id: 77 }), 'never requested')
  },
)

t.test(
  'a renewed key takes the place of the spent one, for calls that set out with either',
  async (t) => {
    const { credentials, exchanges, clock, known, renewed } = bureau()
    const before = channel({ keys: keysOf('k0') })
    known.set(1, before)
    const first = credentials.of(before, 'k0')
    exchanges[0]?.answer({
      key: 'k1',
      token: 't1',
      renewedKey: 'k1',
      expiresAt: clock.now() + 60 * minute,
    })
    await first
    t.same(renewed, [[1, 'k0', 'k1']])
    t.match(credentials.of(before, 'k0'), { token: 't1' }, 'the record is not replaced yet')
    const after = channel({ keys: keysOf('k1') })
    known.set(1, after)
    t.match(credentials.of(after, 'k1'), { token: 't1' })
    t.equal(exchanges.length, 1)
    clock.advance(60 * minute)
    const second = credentials.of(before, 'k0')
    t.equal(exchanges[1]?.key, 'k1', 'a spent key is never shown again')
    exchanges[1]?.answer({ key: 'k2', token: 't2', renewedKey: 'k2' })
    await second
    t.same(renewed[1], [1, 'k1', 'k2'])
    t.match(credentials.of(after, 'k1'), { token: 't2' })
  },
)

t.test(
  'a renewal whose row still holds the spent key is not taken for a foreign one',
  async (t) => {
    const { credentials, exchanges, clock, known } = bureau()
    const before = channel({ keys: keysOf('k0') })
    known.set(1, before)
    const first = credentials.of(before, 'k0')
    exchanges[0]?.answer({ key: 'k1', token: 't1', renewedKey: 'k1', expiresAt: clock.now() })
    await first
    const second = credentials.of(before, 'k0')
    t.equal(exchanges[1]?.key, 'k1')
    exchanges[1]?.answer({ key: 'k1', token: 't2' })
    t.match(await second, { token: 't2' })
  },
)

t.test('a key that somebody else renewed is not spent again', async (t) => {
  const { credentials, exchanges, known } = bureau()
  known.set(1, channel({ keys: keysOf('k1') }))
  const stale = credentials.of(channel({ keys: keysOf('k0') }), 'k0')
  t.equal(exchanges[0]?.key, 'k1')
  exchanges[0]?.answer({ key: 'k1', token: 't1' })
  t.match(await stale, { token: 't1' })
  t.equal(exchanges.length, 1)
})

t.test('each of several keys is renewed in its own row', async (t) => {
  const { credentials, exchanges, known, renewed, clock } = bureau()
  const before = channel({ keys: keysOf('a0', 'b0') })
  known.set(1, before)
  const both = [credentials.of(before, 'a0'), credentials.of(before, 'b0')]
  const expiresAt = clock.now() + 60 * minute
  exchanges[1]?.answer({ key: 'b1', token: 'tb1', renewedKey: 'b1', expiresAt })
  exchanges[0]?.answer({ key: 'a1', token: 'ta1', renewedKey: 'a1', expiresAt })
  await Promise.all(both)
  t.same(renewed, [
    [1, 'b0', 'b1'],
    [1, 'a0', 'a1'],
  ])
  known.set(1, channel({ keys: keysOf('a1', 'b1') }))
  t.match(credentials.of(before, 'b0'), { token: 'tb1' })
  t.match(credentials.of(known.get(1)!, 'a1'), { token: 'ta1' })
  t.equal(exchanges.length, 2)
})

t.test('of several keys the one somebody else renewed is found by its row', async (t) => {
  const { credentials, exchanges, known } = bureau()
  known.set(1, channel({ keys: keysOf('a0', 'b1', 'c0') }))
  const stale = credentials.of(channel({ keys: keysOf('a0', 'b0', 'c0') }), 'b0')
  t.equal(exchanges[0]?.key, 'b1')
  exchanges[0]?.answer({ key: 'b1', token: 't1' })
  t.match(await stale, { token: 't1' })
  credentials.of(channel({ keys: keysOf('a0', 'b0', 'c0') }), 'not stored')
  t.equal(exchanges[1]?.key, 'not stored', 'a key of no row stands for itself')
})

t.test('the exchange goes out by the proxy of its channel', async (t) => {
  const { credentials, sent } = bureau({
    provider: {
      operations: {},
      async authorize(key, _channel, { fetch }) {
        await fetch({ method: 'POST', url: 'https://auth.example/token', headers: {}, body: '' })
        return { key }
      },
    },
  })
  await credentials.of(channel({ proxy: 'http://127.0.0.1:3128' }), 'k')
  t.equal(sent[0]?.proxy, 'http://127.0.0.1:3128')
})

t.test(
  'a renewed key that cannot be stored is used, reported loudly, and stored later',
  async (t) => {
    let down = true
    const { credentials, exchanges, clock, renewed, log } = bureau({
      renewKey: async () => {
        if (down) throw new Error('the database is away')
      },
    })
    const first = credentials.of(channel(), 'k0')
    exchanges[0]?.answer({ key: 'k1', token: 't1', renewedKey: 'k1', expiresAt: clock.now() })
    t.match(await first, { token: 't1' })
    t.same((log as RecordingLog).lines, ['a renewed key could not be stored'])
    const second = credentials.of(channel(), 'k0')
    exchanges[1]?.answer({ key: 'k2', token: 't2', renewedKey: 'k2' })
    await second
    t.equal(clock.pending, 1, 'one try waits, however many failed')
    clock.advance(15_000)
    await turn()
    t.equal(renewed.length, 0)
    down = false
    clock.advance(15_000)
    await turn()
    t.same(renewed, [[1, 'k0', 'k2']], 'from what the row holds to the newest')
    t.equal(clock.pending, 0)
  },
)

t.test('an exchange reaches the hosts of its provider and no other', async (t) => {
  const answers: unknown[] = []
  const { credentials, sent } = bureau({
    provider: {
      operations: {},
      async authorize(key, _channel, { fetch }) {
        const call = (url: string) => fetch({ method: 'POST', url, headers: { a: 'b' }, body: 'x' })
        const { status, headers, body } = await call('https://auth.example/token')
        answers.push(status, headers, body.toString())
        await call('https://upstream.example/token')
        await call('https://elsewhere.example/token')
        return { key }
      },
    },
  })
  t.match(await credentials.of(channel(), 'k'), {
    failure: { blame: 'channel', code: 'channel:address_refused' },
  })
  t.same(answers, [200, { 'x-from': 'egress' }, '{"ok":true}'])
  t.same(
    sent.map(({ url, method, body, namedBy }) => [url, method, body, namedBy]),
    [
      ['https://auth.example/token', 'POST', 'x', 'admin'],
      ['https://upstream.example/token', 'POST', 'x', 'admin'],
    ],
  )
})

t.test('[S6] a token service whose answer does not end is given up', async (t) => {
  let aborted = 0
  const { credentials, clock } = bureau({
    body: { consume() {}, resume() {}, abort: () => (aborted += 1) },
    provider: {
      operations: {},
      async authorize(key, _channel, { fetch }) {
        await fetch({ method: 'POST', url: 'https://auth.example/token', headers: {} })
        return { key }
      },
    },
  })
  const authorized = credentials.of(channel(), 'k')
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(45_000)
  t.match(await authorized, { failure: { code: 'upstream_timeout' } })
  t.equal(aborted, 1)
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('no token and no key ever stands in the log', async (t) => {
  const lines: string[] = []
  const log = createLog({
    name: 'test',
    level: 'trace',
    stream: { write: (line) => lines.push(line) },
  })
  // As the gateway puts it together: what is opened is reported to the log.
  const secrets: SecretBox = {
    ...box,
    open(place, sealed) {
      const secret = box.open(place, sealed)
      log.secret(secret)
      return secret
    },
  }
  const { credentials, exchanges } = bureau({ log, secrets })
  const exchange = async (end: (exchange: Exchange) => void) => {
    const answer = credentials.of(channel(), 'the-key-of-the-channel')
    end(exchanges.at(-1)!)
    return answer
  }
  await exchange(({ fail }) => fail(new SyntaxError('Unexpected token: the-key-of-the-channel')))
  await exchange(({ answer }) =>
    answer({ key: 'k', token: 'ya29 a plain word', renewedKey: 'renewed plain words' }),
  )
  log.info({ url: 'x?a=ya29%20a%20plain%20word' }, 'ya29 a plain word, renewed plain words')
  const all = lines.join('')
  t.match(all, 'SyntaxError')
  for (const secret of ['the-key-of-the-channel', 'plain word', 'plain%20word']) {
    t.notMatch(all, secret)
  }
})
