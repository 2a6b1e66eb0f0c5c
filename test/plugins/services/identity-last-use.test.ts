/** Last use of API keys: remembered with each use, written once a minute, reported to nobody. */
import type { Knex } from 'knex'
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Database, Statement } from '../../../kernel/contract/services/database.js'
import type { Schedule } from '../../../kernel/contract/services/schedule.js'
import { createLeases } from '../../../kernel/schedule/leases.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import createIdentity from '../../../plugins/services/identity/index.js'
import { FakeClock } from '../../kit/clock.js'
import { databaseKind } from '../../kit/database.js'
import { unlimited } from '../../kit/fakes.js'
import {
  managementFixture,
  options,
  RecordingLog,
  settingsOf,
} from '../management/management-fixture.js'

const here = '198.51.100.7'
const minute = 60_000
const gateway = await managementFixture(t)
const ada = await gateway.person('ada')

/** One process of its own: an identity service with real timed jobs, on a clock that moves when reported. */
async function start(t: Test) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const { changes, system, ledger } = gateway
  const statements: Statement[] = []
  let outage: Error | undefined
  const watched = async (statement: Statement) => {
    if (statement.name !== 'identity_last_use') return gateway.database.query(statement)
    statements.push(statement)
    if (outage !== undefined) throw outage
    return gateway.database.query(statement)
  }
  const database: Database = { ...gateway.database, query: watched }
  const jobs = createSchedule(clock, log, createLeases(gateway.database, 'node'))
  let runs: Promise<void>[] = []
  const schedule: Schedule = {
    ...jobs,
    every: (name, ms, work) =>
      jobs.every(name, ms, () => {
        const run = Promise.resolve(work())
        runs.push(run)
        return run
      }),
  }
  const services = {
    database,
    changes,
    system,
    ledger,
    schedule,
    options,
    'rate-limits': unlimited,
  }
  const identity = createIdentity({ settings: settingsOf({}), clock, log, services })
  await identity.start?.()
  t.teardown(jobs.stop)
  return {
    clock,
    log,
    statements,
    use: async (key: string) => identity.byKey(key, here),
    /** A minute passes, and what it brings is done. */
    async pass() {
      clock.advance(minute)
      await Promise.allSettled(runs)
      runs = []
      // The schedule hears of the end as well.
      await new Promise((resolve) => setImmediate(resolve))
    },
    stop: async () => identity.stop?.(),
    fail(error?: Error) {
      outage = error
    },
  }
}

const key = (fields: JsonObject = {}) => gateway.apiKey(ada.userId, fields)

async function accessed(id: number): Promise<number | undefined> {
  const row = await gateway.database.knex('tokens').where({ id }).first('accessed_at')
  return row.accessed_at?.getTime()
}

t.test(
  'the time of the last use is written once a minute, for the keys that were used',
  async (t) => {
    const { clock, use, pass, statements } = await start(t)
    const used = await key()
    const unused = await key()
    await use(used.key)
    clock.advance(20_000)
    await use(used.key)
    const last = clock.now()
    t.equal(await accessed(used.id), undefined, 'not with the request')
    await pass()
    t.equal(await accessed(used.id), last)
    t.equal(await accessed(unused.id), undefined)
    t.equal(statements.length, 1, 'one statement for all of them')
  },
)

t.test('nothing is queried of the database while no key is used', async (t) => {
  const { use, pass, statements } = await start(t)
  await pass()
  await pass()
  t.equal(statements.length, 0)
  await use((await key()).key)
  await pass()
  await pass()
  t.equal(statements.length, 1)
})

t.test('a refused key was not used', async (t) => {
  const { use, pass, statements } = await start(t)
  const off = await key({ status: 2 })
  await t.rejects(use(off.key), { code: 'token_disabled' })
  await t.rejects(use(off.key), { code: 'token_disabled' })
  await pass()
  t.equal(statements.length, 0)
})

t.test('a later time, such as that of a charge, stays', async (t) => {
  const { clock, use, pass } = await start(t)
  const { key: text, id } = await key()
  const later = new Date(clock.now() + 3_600_000)
  await use(text)
  await gateway.database.knex('tokens').where({ id }).update({ accessed_at: later })
  await pass()
  t.equal(await accessed(id), later.getTime())
})

t.test('nobody is informed: the key stays in memory', async (t) => {
  const { use, pass } = await start(t)
  const heard: string[] = []
  gateway.changes.on('tokens', (ids) => void heard.push(...ids))
  const { key: text, id } = await key()
  const first = await use(text)
  await pass()
  await gateway.changes.settled()
  t.ok(await accessed(id))
  t.same(heard, [])
  t.equal((await use(text)).token, first.token, 'the same entry')
})

t.test('what could not be written is written with the next turn, newer uses first', async (t) => {
  const { clock, use, pass, fail, log } = await start(t)
  const once = await key()
  const again = await key()
  await use(once.key)
  await use(again.key)
  const firstUse = clock.now()
  fail(new Error('no database'))
  await pass()
  t.match(log.lines, [/a timed job failed/])
  t.equal(await accessed(once.id), undefined)
  await use(again.key)
  const secondUse = clock.now()
  fail()
  await pass()
  t.same([await accessed(once.id), await accessed(again.id)], [firstUse, secondUse])
})

t.test('a statement takes ten thousand keys, the rest wait for the next', async (t) => {
  const { use, pass, statements } = await start(t)
  const many = await manyKeys(10_001)
  await Promise.all(many.map(use))
  const sizes = () => statements.map(({ values }) => (values[0] as readonly number[]).length)
  await pass()
  t.same(sizes(), [10_000])
  await pass()
  t.same(sizes(), [10_000, 1])
  const rows = await gateway.database
    .knex('tokens')
    .where({ name: 'many' })
    .whereNull('accessed_at')
  t.equal(rows.length, 0)
})

t.test('a process that stops writes what it remembers, and no more after that', async (t) => {
  const { clock, use, stop, pass, statements } = await start(t)
  const { key: text, id } = await key()
  await use(text)
  const last = clock.now()
  await stop()
  t.equal(await accessed(id), last)
  await pass()
  t.equal(statements.length, 1)
})

t.test(
  'keys are locked in order of id, as charges lock them, so that neither waits for the other in a circle',
  { skip: databaseKind === 'pglite' && 'one transaction at a time' },
  async (t) => {
    const { use, pass } = await start(t)
    const first = await key()
    const second = await key()
    await use(second.key)
    await use(first.key)
    const charge = async (trx: Knex.Transaction, id: number) => {
      await trx('tokens').where({ id }).increment('used', 0)
    }
    let written: Promise<void> | undefined
    await gateway.database.knex.transaction(async (trx) => {
      await charge(trx, first.id)
      written = pass()
      await someoneWaits(trx)
      await charge(trx, second.id)
    })
    await written
    t.ok(await accessed(first.id))
    t.ok(await accessed(second.id))
  },
)

/** Asks until somebody waits for a lock in this database. */
async function someoneWaits(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  if (rows.length === 0) await someoneWaits(trx)
}

/** Made in one statement, since there are many. */
async function manyKeys(count: number): Promise<readonly string[]> {
  const fresh = Array.from({ length: count }, () => gateway.identity.newKey())
  const rows = fresh.map(({ hash, tail }) => ({
    user_id: ada.userId,
    name: 'many',
    key_hash: hash,
    key_sealed: '',
    key_tail: tail,
  }))
  await gateway.database.knex.batchInsert('tokens', rows, 1_000)
  return fresh.map(({ key: text }) => text)
}
