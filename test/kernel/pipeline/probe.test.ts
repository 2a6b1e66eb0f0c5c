/** The probe by itself: its stages and its delivery are stand-ins that show the record they were given. */
import t from 'tap'
import type { Format } from '../../../kernel/contract/format.js'
import type { Delivery } from '../../../kernel/contract/line/delivery.js'
import type { Opened, Picked, Reserved } from '../../../kernel/contract/line/record.js'
import type { Stages } from '../../../kernel/contract/line/stages.js'
import type { ProbeRequest } from '../../../kernel/contract/services/probe.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import { createProbe, type ProbeDependencies } from '../../../kernel/pipeline/probe.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { brokenUpstream, channel, lineFormat, opened } from '../../kit/line-fakes.js'

const complete: Delivery = {
  end: 'complete',
  usage: { input: 3, output: 1 },
  estimated: [],
  anomaly: false,
  delivered: true,
}

const upstreamFails = { failure: brokenUpstream, retry: true }
const tested = channel(4, {
  groups: ['vip', 'default'],
  modelMapping: { 'test-model': 'upstream-model' },
})

const request: ProbeRequest = {
  channel: tested,
  key: { id: 9, text: 'upstream-key', enabled: true },
  operation: 'chat',
  format: 'chat',
  body: { kind: 'json', value: { model: 'test-model' } },
}

interface Parts {
  readonly mapping?: () => object
  readonly override?: () => object
  readonly upstream?: (state: Reserved) => object | Promise<object>
  readonly deliver?: (state: Opened) => Delivery | Promise<Delivery>
  readonly check?: () => unknown
  readonly adapter?: Providers['adapter']
}

function probing(parts: Parts = {}) {
  const clock = new FakeClock()
  const steps: string[] = []
  const errors: string[] = []
  let rooms = 0
  let record: Picked | undefined
  const { adapter, reply, firstMs } = opened()
  const format = {
    ...lineFormat,
    check: parts.check ?? (() => ({ model: 'test-model', stream: false, wantsUsage: false })),
  } as Format
  const step =
    <State extends Picked>(name: string, run: (state: State) => unknown) =>
    (state: State) => {
      steps.push(name)
      record = state
      return run(state)
    }
  const stages = {
    mapping: { run: step('mapping', parts.mapping ?? (() => ({}))) },
    override: { run: step('override', parts.override ?? (() => ({}))) },
    upstream: { run: step('upstream', parts.upstream ?? (() => ({ reply, firstMs }))) },
  } as unknown as Stages
  const release = () => {
    rooms -= 1
  }
  const room = () => {
    rooms += 1
    return { release }
  }
  const check = format.check
  const dependencies = {
    clock,
    log: { ...quietLog, error: (_fields: object, message: string) => void errors.push(message) },
    formats: { get: () => format },
    operations: { get: (name: string) => (name === 'realtime' ? { check } : undefined) },
    providers: { adapter: parts.adapter ?? (() => adapter) },
    stages,
    deliver: async (state: Opened) => {
      steps.push('deliver')
      return parts.deliver?.(state) ?? complete
    },
    room,
  } as unknown as ProbeDependencies
  return {
    clock,
    steps,
    errors,
    probe: createProbe(dependencies),
    rooms: () => rooms,
    record: () => record as Picked,
  }
}

t.test('a test rides mapping, override, upstream and delivery, in this order', async (t) => {
  const { probe, steps } = probing()
  const result = await probe.run(request)
  t.same(steps, ['mapping', 'override', 'upstream', 'deliver'])
  t.match(result, {
    failure: undefined,
    model: 'test-model',
    upstreamModel: 'upstream-model',
    usage: { input: 3, output: 1 },
    firstMs: 1,
  })
})

t.test('the channel and the key to be tested are used, and no other', async (t) => {
  const { probe, record } = probing()
  await probe.run(request)
  const { channel, key, keyId, group, route } = record()
  t.equal(channel, tested)
  t.same([key, keyId, group], ['upstream-key', 9, 'vip'])
  t.same(route, { groups: ['vip'], crossGroup: false })
})

t.test('[BILL-1] a test costs nobody anything', async (t) => {
  const { probe, record } = probing()
  await probe.run(request)
  const { hold, prices, user, token } = record()
  t.same([user.id, user.walletId, token], [0, 0, undefined])
  const query = { requestedModel: '', upstreamModel: '', group: '', userGroup: '' }
  const price = prices.price(query)
  t.equal(price?.free, true)
  t.same([price?.cost({ output: 1_000_000 }), price?.hold({ output: 1_000_000 })], [0n, 0n])
  t.equal(hold.covered, 0n)
  t.match(await hold.close({} as never), { state: 'none', quota: 0n, shortfall: 0n })
})

t.test('[ROUTE-4] the provider is requested the model the channel maps to', async (t) => {
  const requests: unknown[] = []
  const { probe } = probing({
    adapter: (_channel, query) => {
      requests.push(query)
      return opened().adapter
    },
  })
  await probe.run(request)
  t.match(requests, [{ operation: 'chat', format: 'chat', model: 'upstream-model' }])
})

for (const stage of ['mapping', 'override', 'upstream'] as const) {
  t.test(`a failure of ${stage} is the result, and nothing is delivered`, async (t) => {
    const { probe, steps, rooms } = probing({ [stage]: () => upstreamFails })
    const result = await probe.run(request)
    t.match(result, { failure: brokenUpstream, model: 'test-model', head: '' })
    t.equal(steps.at(-1), stage)
    t.equal(rooms(), 0)
  })
}

t.test('an answer that broke off is a failure, though its head was good (S5)', async (t) => {
  const named = await probing({
    deliver: () => ({ ...complete, end: 'upstreamBroke', failure: brokenUpstream }),
  }).probe.run(request)
  t.match(named, { failure: brokenUpstream, usage: { output: 1 }, firstMs: 1 })
  const unnamed = await probing({
    deliver: () => ({ ...complete, end: 'clientGone' }),
  }).probe.run(request)
  t.match(unnamed, { failure: { code: 'upstream_broke_off' } })
})

t.test('what the provider or the gateway does not serve is named so', async (t) => {
  const { probe, steps } = probing({ adapter: () => undefined })
  const unserved = { failure: { code: 'api_not_implemented' }, model: '' }
  t.match(await probe.run(request), unserved)
  t.match(await probe.run({ ...request, operation: 'realtime' }), unserved)
  t.match(await probe.run({ ...request, operation: 'unknown' as 'embeddings' }), unserved)
  t.same(steps, [])
})

t.test('[ERR-2] a refusal is the result by its code, and a bug without its details', async (t) => {
  const refusing = probing({
    check: () => {
      throw new Refusal('invalid_request', { reason: 'no model' })
    },
  })
  t.match(await refusing.probe.run(request), { failure: { code: 'invalid_request' }, model: '' })
  t.same(refusing.errors, [])
  const broken = probing({
    upstream: () => {
      throw new TypeError('secret detail')
    },
  })
  const result = await broken.probe.run(request)
  t.match(result, { failure: { code: 'internal_error' } })
  t.notMatch(JSON.stringify(result), 'secret detail')
  t.same(broken.errors, ['a test of a channel failed unexpectedly'])
  t.same([refusing.rooms(), broken.rooms()], [0, 0], 'the room is given back')
  t.same([refusing.clock.pending, broken.clock.pending], [0, 0])
})

t.test('a test whose answer has no end is left after a minute', async (t) => {
  const { probe, clock, rooms } = probing({
    deliver: (state) =>
      new Promise((resolve) => {
        state.sink.onGone(() => resolve({ ...complete, end: 'clientGone', delivered: false }))
      }),
  })
  const running = probe.run(request)
  await new Promise((turn) => setImmediate(turn))
  t.equal(rooms(), 1)
  clock.advance(59_999)
  await new Promise((turn) => setImmediate(turn))
  t.equal(rooms(), 1)
  clock.advance(1)
  t.match(await running, { failure: { code: 'upstream_broke_off' }, ms: 60_000 })
  t.same([rooms(), clock.pending], [0, 0])
})

t.test('a client that leaves early leaves with the first bytes, which is no failure', async (t) => {
  const { probe } = probing({
    deliver: ({ sink }) =>
      new Promise((resolve) => {
        sink.onGone(() => resolve({ ...complete, end: 'clientGone' }))
        sink.head(200, {})
        t.equal(sink.gone, false, 'a head is no content')
        sink.write(Buffer.from('data: once'))
      }),
  })
  const result = await probe.run({ ...request, leavesEarly: true })
  t.match(result, { head: 'data: once', firstMs: opened().firstMs, failure: undefined })
})

t.test('[ERR-2] of a long answer only the beginning is kept', async (t) => {
  const { probe } = probing({
    deliver: ({ sink }) => {
      sink.head(200, {})
      t.equal(sink.write(Buffer.alloc(262_000, 'a')), true)
      t.equal(sink.write(Buffer.alloc(4000, 'b')), true, 'the rest is read, not kept')
      t.equal(sink.write(Buffer.alloc(4000, 'c')), true)
      return complete
    },
  })
  t.ok((await probe.run(request)).head === 'a'.repeat(262_000) + 'b'.repeat(144))
})

t.test('every test is a request with an id of its own', async (t) => {
  const { probe, record } = probing()
  const ids = new Set<string>()
  for (let run = 0; run < 3; run += 1) {
    await probe.run(request)
    ids.add(record().requestId)
  }
  t.equal(ids.size, 3)
})
