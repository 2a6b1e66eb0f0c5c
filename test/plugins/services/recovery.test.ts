/** Recovery: what is tested, a few at once, and what is on again or off after it. */
import t from 'tap'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { TestOptions, TestResult } from '../../../plugins/services/channel-tests/index.js'
import createChannels from '../../../plugins/services/channels/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import createRecovery from '../../../plugins/services/recovery/index.js'
import createRewriting from '../../../plugins/services/rewriting/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import {
  catalog,
  providers,
  RecordingLog,
  secrets,
  settingsOf,
} from '../management/management-fixture.js'
import { broken, turn } from './health-kit.js'

/** Of the recovery's options; `disable` is another's. */
type Terms = Readonly<Record<string, boolean | number>>

type Run = (channel: Channel, key: ChannelKey) => TestResult | Promise<TestResult>

const good: TestResult = { ok: true, ms: 100, message: '', model: 'm' }
const bad: TestResult = { ok: false, ms: 100, message: 'no', model: 'm', failure: broken }

const database = await testDatabase(t)

/** A recovery over a database without channels; `run` stands for the test of a channel. */
async function clinic(given: Terms = {}, run: Run = () => good) {
  await database.knex('channels').delete()
  const { knex, changes } = database
  const clock = new FakeClock()
  const log = new RecordingLog()
  const life = { clock, log }
  const channels = createChannels({
    ...life,
    settings: settingsOf({}),
    services: { database, changes, catalog, secrets, providers, rewriting: createRewriting() },
  })
  await channels.start?.()
  const values: Record<string, boolean | number> = {
    test_all: false,
    enable: true,
    minutes: 10,
    slow_seconds: 5,
    ...given,
  }
  const listeners: (() => void)[] = []
  const settings: Settings = {
    ...settingsOf(values),
    boolean: (name) => settingsOf(values).boolean(name),
    number: (name) => settingsOf(values).number(name),
    onChange: (listener) => void listeners.push(listener),
  }
  const requests: string[] = []
  /** What the breakers received. */
  const heard: string[] = []
  const jobs: { name: string; ms: number; stopped: boolean }[] = []
  const recovery = createRecovery({
    ...life,
    settings,
    services: {
      database,
      channels,
      'channel-tests': {
        async run(channel: Channel, { key, testModel }: TestOptions = {}) {
          requests.push([channel.name, key?.text, testModel].filter(Boolean).join(' '))
          return run(channel, key!)
        },
        requestNames: [],
        full: async () => [],
      },
      health: {
        admits: () => true,
        spares: () => true,
        wait: () => undefined,
        claim: (channel, _key, model) => ({
          ended: (failure) => void heard.push(`${channel.name} ${model} ${failure?.code}`),
        }),
        broke() {},
        breakers: () => [],
        reset({ channelId, keyId, model }) {
          heard.push(`${channels.get(channelId)?.name} ${model} ${keyId === undefined} well`)
          return 0
        },
        latencies: () => [],
        breakersOfAll: async () => [],
        resetOfAll: async () => 0,
        tested() {},
        lastKnown: async () => new Map(),
        latenciesOfAll: async () => [],
      },
      options: {
        list: () => [
          {
            key: 'AutomaticDisableChannelEnabled',
            value: String(values.disable ?? false),
            field: { name: 'auto_disable', type: 'boolean', title: '' },
            plugin: 'service.health',
            isSet: true,
          },
        ],
      } as Partial<Options> as Options,
      schedule: {
        every: () => ({ stop() {}, async now() {} }),
        everyLeased(name, ms) {
          const job = { name, ms, stopped: false }
          jobs.push(job)
          const stop = () => {
            job.stopped = true
          }
          return { stop, async now() {} }
        },
      },
    },
  })

  /** A channel of that name with a key for each status, e.g. `a0`, `a1`. */
  async function stock(name: string, status: number, keys: readonly number[], over: object = {}) {
    const [{ id }] = await knex('channels')
      .insert({ type: 1, name, status, models: ['m', 'n'], ...over })
      .returning('id')
    for (const [index, one] of keys.entries()) {
      const sealed = secrets.seal(`channels:${id}:key`, `${name}${index}`)
      await knex('channel_keys').insert({ channel_id: id, sealed, status: one })
    }
    await knex.transaction((trx) => changes.note(trx, 'channels', id))
    await changes.settled()
  }

  /** Each channel with its status and those of its keys. */
  async function all(): Promise<Readonly<Record<string, string>>> {
    const rows = await knex('channels').orderBy('id').select('id', 'name', 'status')
    const keys = await knex('channel_keys').orderBy('id').select('channel_id', 'status')
    const of = (id: number) => keys.filter(({ channel_id }) => channel_id === id)
    return Object.fromEntries(
      rows.map(({ id, name, status }) => [
        name,
        [status, ...of(id).map((key) => key.status)].join(' '),
      ]),
    )
  }

  /** A whole run; pauses end as they come. */
  async function round() {
    let over = false
    const report = recovery.run().finally(() => {
      over = true
    })
    while (!over) {
      await turn()
      clock.advance(100)
    }
    return report
  }

  function set(changed: Terms): void {
    Object.assign(values, changed)
    for (const listener of listeners) listener()
  }

  return { clock, log, requests, heard, jobs, recovery, stock, all, round, set }
}

t.test(
  '[CHAN-5] what the gateway switched off is tested, and on again when it answers',
  async (t) => {
    const { stock, all, round, requests, log } = await clinic()
    await stock('on', 1, [1])
    await stock('one-off', 3, [1])
    await stock('key-off', 1, [1, 3, 2])
    await stock('fallen', 3, [3, 3])
    await stock('both', 3, [1, 3])
    await stock('by-admin', 2, [1])
    await stock('by-admin-key', 2, [3])
    await stock('key-by-admin', 1, [2, 1])
    t.same(await round(), { tested: 6, resumed: 6, suspended: 0 })
    t.same(requests.sort(), [
      'both both0',
      'both both1',
      'fallen fallen0',
      'fallen fallen1',
      'key-off key-off1',
      'one-off one-off0',
    ])
    t.same(await all(), {
      on: '1 1',
      'one-off': '1 1',
      'key-off': '1 1 1 2',
      fallen: '1 1 1',
      both: '1 1 1',
      'by-admin': '2 1',
      'by-admin-key': '2 3',
      'key-by-admin': '1 2 1',
    })
    t.same(log.lines, Array(6).fill('a channel or key is on again after a good test'))
  },
)

t.test('what does not answer stays off, each key by itself', async (t) => {
  const { stock, all, round, heard } = await clinic({}, (_, { text }) =>
    text === 'fallen1' ? good : bad,
  )
  await stock('one', 3, [1])
  await stock('fallen', 3, [3, 3])
  t.same(await round(), { tested: 3, resumed: 1, suspended: 0 })
  t.same(await all(), { one: '3 1', fallen: '1 3 1' })
  t.same(
    heard.sort(),
    ['fallen m false well', 'fallen m upstream_error', 'one m upstream_error'],
    'breakers hear of each test',
  )
  const noted = await database.knex('channels').whereNotNull('tested_at').where('response_ms', 100)
  t.equal(noted.length, 2)
})

t.test('without the option nothing is on again', async (t) => {
  const { stock, all, round } = await clinic({ enable: false, test_all: true })
  await stock('one', 3, [1])
  t.same(await round(), { tested: 1, resumed: 0, suspended: 0 })
  t.same(await all(), { one: '3 1' })
})

t.test('the enabled ones are tested where that is wanted, by the model they name', async (t) => {
  const { stock, round, requests } = await clinic({ test_all: true })
  await stock('a', 1, [2, 1, 1], { test_model: 'x' })
  await stock('b', 1, [2])
  await stock('d', 2, [1])
  t.same(await round(), { tested: 1, resumed: 0, suspended: 0 })
  t.same(requests, ['a a1 x'], 'by the first key that is on')
})

t.test('a test that takes too long switches off, or does not switch on', async (t) => {
  const rows = [
    ['slow', { disable: true }, 5_001, { on: '3 1', off: '3 1' }],
    ['in time', { disable: true }, 5_000, { on: '1 1', off: '1 1' }],
    ['slow, option off', { disable: false }, 99_000, { on: '1 1', off: '1 1' }],
    ['slow, no threshold', { disable: true, slow_seconds: 0 }, 99_000, { on: '1 1', off: '1 1' }],
  ] as const
  for (const [name, given, ms, after] of rows) {
    const made = await clinic({ test_all: true, ...given }, () => ({ ...good, ms }))
    await made.stock('on', 1, [1])
    await made.stock('off', 3, [1])
    await made.round()
    t.same(await made.all(), after, name)
  }
  const { stock, all, round } = await clinic({ test_all: true, disable: true }, () => ({
    ...bad,
    ms: 7_000,
  }))
  await stock('on', 1, [1, 1])
  await stock('kept', 1, [1], { auto_ban: 0 })
  t.same(await round(), { tested: 2, resumed: 0, suspended: 1 })
  t.same(await all(), { on: '3 1 1', kept: '1 1' })
  const { status_reason } = await database.knex('channels').where('name', 'on').first()
  t.equal(status_reason, 'A test took 7000 ms; ChannelDisableThreshold allows 5 s.')
})

t.test('four are tested at once, with a pause after each', async (t) => {
  const open: ((result: TestResult) => void)[] = []
  const made = await clinic({}, () => new Promise((resolve) => open.push(resolve)))
  for (let n = 0; n < 6; n++) await made.stock(`c${n}`, 3, [1])
  const report = made.recovery.run()
  t.equal(made.recovery.run(), report, 'who asks during a run waits for that one')
  while (open.length < 4) await turn()
  made.clock.advance(10_000)
  await turn()
  t.equal(open.length, 4)
  open[0]?.(bad)
  await turn()
  t.equal(open.length, 4, 'not without a pause')
  while (open.length < 5) {
    await turn()
    made.clock.advance(100)
  }
  let over = false
  void report.then(() => {
    over = true
  })
  while (!over) {
    for (const finish of open) finish(bad)
    await turn()
    made.clock.advance(100)
  }
  t.same(await report, { tested: 6, resumed: 0, suspended: 0 })
})

t.test('a test that fails unexpectedly is logged and leaves the others theirs', async (t) => {
  const { stock, all, round, log } = await clinic({}, ({ name }) => {
    if (name === 'odd') throw new Error('odd')
    return good
  })
  await stock('odd', 3, [1])
  await stock('even', 3, [1])
  t.same(await round(), { tested: 1, resumed: 1, suspended: 0 })
  t.same(await all(), { odd: '3 1', even: '1 1' })
  t.ok(log.lines.includes('a channel could not be tested'))
})

t.test('it stops at once, whatever is under way', async (t) => {
  const never = () => new Promise<TestResult>(() => {})
  const { stock, recovery, requests, heard } = await clinic({}, never)
  for (let n = 0; n < 6; n++) await stock(`c${n}`, 3, [1])
  const report = recovery.run()
  while (requests.length < 4) await turn()
  await recovery.stop?.()
  t.same(await report, { tested: 0, resumed: 0, suspended: 0 })
  t.equal(requests.length, 4)
  t.same(heard, [])
})

t.test('the job is there while an option asks for it, at its interval', async (t) => {
  const { jobs, recovery, set } = await clinic({ enable: false })
  await recovery.start?.()
  t.same(jobs, [])
  set({ enable: true })
  set({ slow_seconds: 9 })
  const job = (minutes: number, stopped: boolean) => ({
    name: 'channel-recovery',
    ms: minutes * 60_000,
    stopped,
  })
  t.same(jobs, [job(10, false)])
  set({ minutes: 1440 })
  t.same(jobs, [job(10, true), job(1440, false)])
  set({ enable: false, test_all: true })
  t.equal(jobs.length, 2)
  set({ test_all: false })
  t.same(jobs[1], job(1440, true))
  set({ test_all: true })
  await recovery.stop?.()
  t.same(jobs[2], job(1440, true))
  set({ minutes: 1 })
  t.equal(jobs.length, 3, 'none after the stop')
})
