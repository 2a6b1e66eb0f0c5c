/** The counts of refused fields: added up over requests and processes, bounded, and kept while the database is away. */
import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import type { AttemptTrace } from '../../../../kernel/contract/line/attempt.js'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { Settling } from '../../../../kernel/contract/line/delivery.js'
import type { Changes } from '../../../../kernel/contract/services/changes.js'
import type { Database } from '../../../../kernel/contract/services/database.js'
import { createTraffic } from '../../../../kernel/http/traffic.js'
import type { Channels } from '../../../../plugins/services/channels/index.js'
import createRefusals from '../../../../plugins/services/refusals/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { testDatabase } from '../../../kit/database.js'
import { quietLog } from '../../../kit/fakes.js'
import { channel, opened, planned } from '../../../kit/line-fakes.js'
import { RecordingLog, settingsOf } from '../../management/management-fixture.js'

interface Around {
  readonly database: Database
  readonly channels?: readonly Channel[]
  /** Notes reach every process that is given the same list. */
  readonly listeners?: ((ids: ReadonlySet<string>) => unknown)[]
}

function counter({ database, channels = [channel(1)], listeners = [] }: Around) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const traffic = createTraffic(quietLog)
  const changes = {
    on: (_, listener) => void listeners.push(listener),
    async note(_trx, _topic, id) {
      for (const listener of listeners) await listener(new Set([String(id)]))
    },
  } as Partial<Changes> as Changes
  const byId = { get: (id: number) => channels.find((one) => one.id === id) }
  const service = createRefusals({
    ...{ settings: settingsOf({}), clock, log },
    services: { database, channels: byId as Channels, changes, traffic },
  })
  service.start?.()
  return {
    ...{ service, clock, log, traffic },
    refuse: (words: string, over: Partial<AttemptTrace> = {}, model = 'test-model') =>
      traffic.settled(abandoned([attempt(words, over)], model)),
  }
}

function attempt(words: string, over: Partial<AttemptTrace> = {}): AttemptTrace {
  const failure: Failure = {
    ...{ blame: 'client', status: 400, code: 'upstream_rejected' },
    message: `The upstream refused the request: ${words}`,
  }
  return { channelId: 1, keyId: 1, group: 'default', position: 0, failure, ...over }
}

function abandoned(attempts: readonly AttemptTrace[], model = 'test-model'): Settling {
  return { kind: 'abandoned', state: planned({ model }), outcome: 'failed', attempts }
}

const unknown = (field: string) => `Unknown parameter: '${field}'.`

/** A database of its own with channels of these ids. */
async function stored(t: Parameters<typeof testDatabase>[0], ...ids: readonly number[]) {
  const database = await testDatabase(t)
  for (const id of ids) await database.knex.raw(`${insertChannel} (?, ?, 1)`, [id, `channel ${id}`])
  return database
}

const insertChannel = 'INSERT INTO channels (id, name, type) OVERRIDING SYSTEM VALUE VALUES'

t.test('refusals are counted by channel, model and field, the last one first', async (t) => {
  const database = await stored(t, 1, 2)
  const channels = [channel(1, { modelMapping: { 'test-model': 'gpt-5' } }), channel(2)]
  const { service, clock, refuse } = counter({ database, channels })
  refuse(unknown('foo'))
  clock.advance(60_000)
  await service.flush()
  refuse(unknown('foo'))
  refuse(`${unknown('foo')} For the last time.`)
  refuse(unknown('foo'), {}, 'other-model')
  refuse('This is not supported.', { channelId: 2, keyId: 2 })
  clock.advance(2_000)
  refuse('bar: Extra inputs are not permitted')
  clock.advance(1_000)
  const rows = await service.of(1)
  t.match(rows, [
    { model: 'gpt-5', field: 'bar', count: 1, status: 400 },
    {
      model: 'gpt-5',
      field: 'foo',
      count: 3,
      message: /^Unknown parameter: 'foo'\. For the last time\.$/,
    },
    { model: 'other-model', field: 'foo', count: 1 },
  ])
  const [bar, foo] = rows
  const now = Date.now() / 1000
  t.ok(Math.abs(now - 1 - bar!.lastSeen) < 20, 'by the clock of the database')
  t.ok(Math.abs(bar!.lastSeen - foo!.lastSeen - 2) < 1)
  t.equal(bar?.firstSeen, bar?.lastSeen)
  t.ok(foo!.firstSeen < foo!.lastSeen)
  t.match(await service.of(2), [{ model: 'test-model', field: '', count: 1 }])
  await service.stop?.()
})

t.test(
  'every try counts for its own channel, a channel that answered at last included',
  async (t) => {
    const database = await stored(t, 1, 2)
    const { service, traffic } = counter({ database, channels: [channel(1), channel(2)] })
    const state = { ...opened(), channel: channel(2), keyId: 2 }
    const { failure } = attempt(unknown('late'))
    const attempts = [attempt(unknown('early'))]
    const delivery = {
      end: 'upstreamBroke',
      usage: {},
      estimated: [],
      anomaly: false,
      delivered: true,
    } as const
    traffic.settled({ kind: 'delivered', state, attempts, delivery: { ...delivery, failure } })
    t.match(await service.of(1), [{ field: 'early' }])
    t.match(await service.of(2), [{ field: 'late' }])
    await service.stop?.()
  },
)

t.test('a good answer, another failure and a channel that is gone leave nothing', async (t) => {
  const database = await stored(t)
  const { service, clock, traffic, refuse } = counter({ database, channels: [channel(7)] })
  const delivery = {
    end: 'complete',
    usage: {},
    estimated: [],
    anomaly: false,
    delivered: true,
  } as const
  traffic.settled({ kind: 'delivered', state: opened(), attempts: [], delivery })
  refuse('The prompt is too long.', { channelId: 7 })
  refuse(unknown('foo'), { channelId: 9 })
  t.equal(clock.pending, 0, 'nothing waits')
  refuse(unknown('foo'), { channelId: 7 })
  await service.flush()
  t.equal((await database.knex('channel_refusals')).length, 0, 'deleted meanwhile')
  t.equal(clock.pending, 0)
  await service.stop?.()
})

t.test('neither a key nor the client’s text is kept', async (t) => {
  const database = await stored(t, 1)
  const { service, refuse } = counter({ database })
  refuse(
    `The key upstream-key may not use "my dear diary": ${'so it is not supported. '.repeat(30)}`,
  )
  const [row] = await service.of(1)
  t.notMatch(row!.message, /upstream-key|diary/)
  t.match(row!.message, /^The key \*\*\* may not use "…"/)
  t.equal([...row!.message].length, 300)
  await service.stop?.()
})

t.test('processes add up, and clearing reaches all of them', async (t) => {
  const database = await stored(t, 1, 2)
  const listeners: Around['listeners'] = []
  const channels = [channel(1), channel(2)]
  const one = counter({ database, channels, listeners })
  const two = counter({ database, channels, listeners })
  for (const { refuse } of [one, two, two]) refuse(unknown('foo'))
  await Promise.all([one.service.flush(), two.service.flush()])
  t.match(await one.service.of(1), [{ field: 'foo', count: 3 }])

  two.refuse(unknown('foo'))
  two.refuse(unknown('foo'), { channelId: 2 })
  one.refuse(unknown('bar'))
  t.equal(await one.service.clear(1), 2)
  t.strictSame(await two.service.of(1), [], 'nor does what another process had counted come back')
  t.equal((await two.service.of(2)).length, 1, 'another channel keeps its own')
  two.refuse(unknown('foo'))
  t.match(await two.service.of(1), [{ field: 'foo', count: 1 }])
  await database.knex('channels').where({ id: 1 }).delete()
  t.equal((await database.knex('channel_refusals')).length, 1, 'deleted with the channel')
  for (const { service } of [one, two]) await service.stop?.()
})

t.test('of a channel the 200 seen last stay', async (t) => {
  const database = await stored(t, 1, 2)
  const { service, clock, refuse } = counter({ database, channels: [channel(1), channel(2)] })
  refuse(unknown('of_another'), { channelId: 2 })
  for (let n = 0; n < 230; n++) {
    refuse(unknown(`field_${n}`))
    clock.advance(1)
    if (n === 150) refuse(unknown('field_0'))
  }
  const rows = await service.of(1)
  t.equal(rows.length, 200)
  t.equal(rows[0]?.field, 'field_229')
  const fields = new Set(rows.map(({ field }) => field))
  t.ok(fields.has('field_0'), 'it was seen again')
  t.notOk(fields.has('field_1') || fields.has('field_30'))
  t.equal((await database.knex('channel_refusals')).length, 201)
  await service.stop?.()
})

/** A database that only remembers, or fails. */
function rememberingDatabase() {
  const state = { down: false }
  const written: { field: string; count: number }[][] = []
  const trx = {
    async raw(text: string, [rows]: readonly [string]) {
      if (state.down) throw new Error('connect ECONNREFUSED')
      if (text.includes('INSERT')) written.push(JSON.parse(rows))
    },
  }
  const knex = { transaction: (work: (inner: typeof trx) => unknown) => work(trx) }
  return { database: { knex } as unknown as Database, state, written }
}

t.test('while the database is away counts wait, and none is lost', async (t) => {
  const { database, state, written } = rememberingDatabase()
  const { service, clock, log, refuse } = counter({ database })
  refuse(unknown('foo'))
  clock.advance(4_999)
  await service.flush()
  t.same(
    written
      .splice(0)
      .flat()
      .map(({ count }) => count),
    [1],
  )
  state.down = true
  refuse(unknown('foo'))
  clock.advance(5_000)
  await service.flush()
  refuse(unknown('foo'))
  refuse(unknown('bar'))
  await service.flush()
  t.same(written, [])
  t.match(log.lines, ['refused fields wait for the database'])
  state.down = false
  clock.advance(30_000)
  await service.flush()
  t.strictSame(
    written.flat().map(({ field, count }) => [field, count]),
    [
      ['foo', 2],
      ['bar', 1],
    ],
  )
  t.equal(clock.pending, 0)
  await service.stop?.()
})

t.test('what waits is bounded, and known counts go on', async (t) => {
  const { database, state, written } = rememberingDatabase()
  const { service, clock, log, refuse } = counter({ database })
  state.down = true
  for (let n = 0; n < 5_010; n++) refuse(unknown(`field_${n}`))
  refuse(unknown('field_0'))
  await service.flush()
  t.match(log.lines, ['more fields are refused than can be counted', /wait/])
  state.down = false
  await service.stop?.()
  const rows = written.flat()
  t.equal(rows.length, 5_000)
  t.match(rows[0], { field: 'field_0', count: 2 })
  t.ok(written.every((batch) => batch.length <= 500))
  t.equal(clock.pending, 0, 'a service that stopped comes back for nothing')
})

t.test('a service that stops while the database is away leaves no timer', async (t) => {
  const { database, state } = rememberingDatabase()
  const { service, clock, refuse } = counter({ database })
  state.down = true
  refuse(unknown('foo'))
  await service.stop?.()
  t.equal(clock.pending, 0)
})
