/** Lanes by a clock that stands still: who hangs costs nobody else his pace, and a stop does not wait for them. */
import type { Knex } from 'knex'
import t, { type Test } from 'tap'
import type { ByteConsumer } from '../../../../kernel/contract/bytes.js'
import { ByteBudget } from '../../../../kernel/memory/byte-budget.js'
import { type Asking, createAsking, type Owner } from '../../../../plugins/services/tasks/asking.js'
import { createPolling } from '../../../../plugins/services/tasks/polling.js'
import { FakeClock } from '../../../kit/clock.js'
import { testDatabase } from '../../../kit/database.js'
import { quietLog } from '../../../kit/fakes.js'

interface Lanes {
  readonly knex: Knex
  readonly clock: FakeClock
  readonly polling: ReturnType<typeof createPolling>
  /** Ids of upstream tasks that were reported on, in order. */
  readonly taken: string[]
  /** Calls under way that hang, of a channel. */
  readonly hanging: Map<number, (() => void)[]>
  /** So many tasks, due now. */
  put(channelId: number, platform: string, count: number, keyId?: number): Promise<void>
  /** Bytes of answers that are held. */
  held(): number
}

/** Channels above 100 hang. A call names one task. */
async function lanes(t: Test): Promise<Lanes> {
  const database = await testDatabase(t)
  const { knex } = database
  const clock = new FakeClock()
  const budget = new ByteBudget(1024 * 1024)
  const [user] = await knex('users')
    .insert({ username: 'somebody', password_hash: '', aff_code: 'a' })
    .returning('id')
  const hanging: Lanes['hanging'] = new Map()
  const taken: string[] = []
  const asking: Asking = {
    async owner({ channel_id: id }) {
      const poll = {
        batch: 1,
        request: () => ({}),
        read: (_: unknown, refs: readonly { ref: string }[]) =>
          refs.map(({ ref }) => ({ ref, state: 'running', raw: {} })),
      }
      return {
        channel: { id },
        key: { id: 1, text: 'secret' },
        adapter: { poll },
      } as unknown as Owner
    },
    async call({ channel }, room) {
      room.add(1024)
      if (channel.id > 100) {
        await new Promise<void>((resolve) => {
          hanging.set(channel.id, [...(hanging.get(channel.id) ?? []), resolve])
        })
      }
      return { status: 200, headers: {}, body: Buffer.alloc(0) }
    },
  }
  const polling = createPolling({
    ...{ database, asking, memory: { room: () => budget.share() }, clock, log: quietLog },
    async advance(row, _, { pollAt }) {
      taken.push(row.upstream_ref!)
      await knex('tasks')
        .where({ id: row.id as never })
        .update({ poll_at: pollAt })
    },
    end: async () => true,
  })
  return {
    ...{ knex, clock, polling, taken, hanging },
    held: () => budget.held,
    async put(channelId, platform, count, keyId = 1) {
      await knex.raw(
        `INSERT INTO tasks (task_id, request_id, user_id, group_name, operation, action, model, channel_id, key_id, platform,
           upstream_ref, state, billing, charged, poll_at, accepted_at)
         SELECT x, x, ?, 'default', 'video', 'generate', 'm', ?, ?, ?, x, 'queued', 'charged', 1, ?, ?
         FROM (SELECT 'c${channelId} ${keyId === 1 ? '' : `k${keyId} `}' || n AS x FROM generate_series(1, ?::integer) n) named`,
        [user.id, channelId, keyId, platform, new Date(clock.now()), new Date(clock.now()), count],
      )
    },
  }
}

t.test('eight lanes of one platform that hang leave the others their pace', async (t) => {
  const { put, polling, taken, hanging, clock } = await lanes(t)
  for (let id = 101; id <= 112; id += 1) await put(id, 'hangs', 2)
  await put(1, 'well', 3)
  await put(2, 'well', 3)
  const first = polling.round()
  while (taken.length < 6 || hanging.size < 8) await new Promise(setImmediate)
  t.equal(hanging.size, 8, 'so many lanes of one platform are asked at once')
  for (let round = 1; round <= 3; round += 1) {
    clock.advance(3_000)
    // A lane may have been about to end when the round before was over; the clock stands still meanwhile.
    for (let again = 0; taken.length < 6 * (round + 1) && again < 100; again += 1) {
      await polling.round()
      await new Promise(setImmediate)
    }
    t.equal(taken.length, 6 * (round + 1), 'each is asked for in each round')
  }
  t.equal(hanging.size, 8)
  polling.stop()
  for (const [, calls] of hanging) for (const go of calls) go()
  await first
  await polling.idle()
  t.equal([...hanging.values()].flat().length, 8, 'a stop begins no further call')
})

t.test(
  'a timed look at what is due does not wait for calls, and calls wait for no look',
  async (t) => {
    const { put, polling, taken, hanging } = await lanes(t)
    await put(101, 'hangs', 1)
    await put(1, 'well', 1)
    await polling.begin()
    await polling.begin()
    while (taken.length < 1 || hanging.size < 1) await new Promise(setImmediate)
    polling.stop()
    hanging.get(101)![0]!()
    await polling.idle()
    t.same(taken.sort(), ['c1 1', 'c101 1'])
  },
)

t.test('three platforms that hang leave others their pace after ten seconds', async (t) => {
  const { put, polling, taken, hanging, clock, held } = await lanes(t)
  const calls = () => [...hanging.values()].flat()
  for (let id = 101; id <= 124; id += 1) await put(id, `hangs ${id % 3}`, 1)
  clock.advance(1)
  await put(1, 'well', 1)
  await put(125, 'hangs 1', 1)
  const rounds = [polling.round()]
  while (calls().length < 24) await new Promise(setImmediate)
  clock.advance(9_999)
  rounds.push(polling.round())
  t.equal(calls().length, 24, 'so many calls of a process are new')
  t.same(taken, [])
  clock.advance(1)
  rounds.push(polling.round())
  while (taken.length < 1 || calls().length < 25) await new Promise(setImmediate)
  t.same(taken, ['c1 1'])
  t.ok(held() >= 25 * 1024, 'what calls hold is counted while they last')
  polling.stop()
  for (const go of calls()) go()
  await Promise.all(rounds)
  t.equal(held(), 0)
})

t.test('a channel that hangs takes up eight calls, however many keys it has', async (t) => {
  const { put, polling, hanging, clock } = await lanes(t)
  const calls = () => hanging.get(101) ?? []
  for (let key = 1; key <= 12; key += 1) await put(101, 'hangs', 1, key)
  const rounds = [polling.round()]
  while (calls().length < 8) await new Promise(setImmediate)
  clock.advance(30_000)
  await put(102, 'hangs', 1)
  rounds.push(polling.round())
  while (hanging.get(102) === undefined) await new Promise(setImmediate)
  t.equal(calls().length, 8)
  polling.stop()
  for (const go of [...hanging.values()].flat()) go()
  await Promise.all(rounds)
  t.equal(calls().length, 8)
})

t.test('a lane with much to do gives way to one that waits', async (t) => {
  const { put, polling, taken, clock } = await lanes(t)
  for (let id = 1; id <= 8; id += 1) await put(id, 'one', 60)
  clock.advance(1)
  await put(9, 'one', 1)
  await polling.round()
  t.equal(taken.length, 8 * 60 + 1)
  t.ok(taken.indexOf('c9 1') < 8 * 40, 'before the others are through')
})

t.test('an answer that never ends is given up', async (t) => {
  const clock = new FakeClock()
  let aborted = 0
  const body = {
    consume: ({ data }: ByteConsumer) => void data(Buffer.from('{')),
    resume() {},
    abort: () => void aborted++,
  }
  const asking = askingOf({ status: 200, headers: {}, body }, clock)
  const room = new ByteBudget(1024 * 1024).share()
  const call = asking.call(someOwner, room, someRequest)
  await new Promise(setImmediate)
  clock.advance(60_000)
  await t.rejects(call, { name: 'EgressError', message: /the whole call/ })
  t.equal(aborted, 1)
  t.equal(clock.pending, 0)
})

t.test('an answer the process has no room for is given up', async (t) => {
  const budget = new ByteBudget(1024 * 1024)
  const room = budget.share()
  const others = budget.share()
  others.add(512 * 1024)
  let aborted = 0
  const piece = Buffer.alloc(256 * 1024)
  const body = {
    consume({ data }: ByteConsumer) {
      for (let pieces = 0; pieces < 3 && data(piece); pieces += 1);
    },
    resume() {},
    abort: () => void aborted++,
  }
  const asking = askingOf({ status: 200, headers: {}, body })
  await t.rejects(asking.call(someOwner, room, someRequest), {
    name: 'EgressError',
    failure: { status: 503 },
  })
  t.equal(aborted, 1)
  room.release()
  t.equal(budget.held, others.held)
})

const channel = { id: 1, type: 1, baseUrl: 'https://up.example' }
const someOwner = { channel, key: { id: 1, text: 'k' }, adapter: {} } as unknown as Owner
const someRequest = () => ({ method: 'GET', url: 'https://up.example/a', headers: {} }) as const

/** Every call gets this reply. */
function askingOf(reply: object, clock = new FakeClock()): Asking {
  return createAsking({
    channels: { get: () => undefined },
    providers: { hosts: () => ['channel'] } as never,
    credentials: { of: () => ({ key: 'k' }), forget() {} } as never,
    egress: { open: async () => reply } as never,
    clock,
  })
}
