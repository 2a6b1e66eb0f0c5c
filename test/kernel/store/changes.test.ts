/** Every process hears of every committed note, once it is committed and not before. */
import type { Knex } from 'knex'
import t from 'tap'
import type { Statement } from '../../../kernel/contract/services/database.js'
import { ChangeReader, type ChangeReaderDependencies } from '../../../kernel/store/change-reader.js'
import type { OpenDatabase } from '../../../kernel/store/database.js'
import { FakeClock } from '../../kit/clock.js'
import { databaseKind, silentLog, testDatabase } from '../../kit/database.js'

t.setTimeout(240_000)

const pollMs = 5000

/** What listeners of a topic heard, in order, and a promise for the next time. */
function ear(database: OpenDatabase, topic: string) {
  const heard: string[] = []
  let next: (() => void) | undefined
  database.changes.on(topic, (ids) => {
    heard.push(...ids)
    next?.()
  })
  return {
    heard,
    /** Resolves when this id has been heard. */
    async until(id: string): Promise<void> {
      while (!heard.includes(id)) {
        await new Promise<void>((done) => {
          next = done
        })
      }
    },
  }
}

function noteOf(database: OpenDatabase, topic: string, id: number | string): Promise<void> {
  return database.knex.transaction((trx) => database.changes.note(trx, topic, id))
}

t.test(`${databaseKind}: after settled every note committed before has been heard`, async (t) => {
  const database = await testDatabase(t, { clock: new FakeClock() })
  const { heard } = ear(database, 'channels')
  const other = ear(database, 'users')
  await noteOf(database, 'channels', 7)
  await database.knex.transaction(async (trx) => {
    await database.changes.note(trx, 'channels', 8)
    await database.changes.note(trx, 'channels', 8)
    await database.changes.note(trx, 'users', 'a')
    await database.changes.note(trx, 'nobody', 1)
  })
  const undone = await database.knex.transaction()
  await database.changes.note(undone, 'channels', 9)
  await undone.rollback()
  await database.changes.settled()
  t.same(heard, ['7', '8'])
  t.same(other.heard, ['a'])
  await database.changes.settled()
  t.same(heard, ['7', '8'], 'once')
})

t.test(`${databaseKind}: one note tells of many rows`, async (t) => {
  const database = await testDatabase(t, { clock: new FakeClock() })
  const { heard } = ear(database, 'channels')
  const ids = Array.from({ length: 70_000 }, (_, at) => at + 1)
  await database.knex.transaction(async (trx) => {
    await database.changes.note(trx, 'channels', [])
    await database.changes.note(trx, 'channels', ids)
    await database.changes.note(trx, 'channels', ['a', 'b\'c{,"}'])
  })
  await database.changes.settled()
  t.same(heard, [...ids.map(String), 'a', 'b\'c{,"}'])
})

t.test(`${databaseKind}: a notification wakes the reader, 100 ms later`, async (t) => {
  const clock = new FakeClock()
  const database = await testDatabase(t, { clock })
  const { heard, until } = ear(database, 'channels')
  const idle = clock.pending
  await noteOf(database, 'channels', 1)
  await noteOf(database, 'channels', 2)
  while (clock.pending === idle) await new Promise((done) => setImmediate(done))
  t.same(heard, [])
  clock.advance(100)
  await until('2')
  t.same(heard, ['1', '2'])
})

t.test(`${databaseKind}: without a notification the poll finds the note`, async (t) => {
  const clock = new FakeClock()
  const database = await testDatabase(t, { clock })
  const { until } = ear(database, 'channels')
  await database.knex('changes').insert({ topic: 'channels', row_id: '5' })
  clock.advance(pollMs)
  await until('5')
})

t.test(`${databaseKind}: a listener is awaited, and called again after it failed`, async (t) => {
  const clock = new FakeClock()
  const database = await testDatabase(t, { clock })
  const order: string[] = []
  let failures = 1
  let release: () => void = () => undefined
  database.changes.on('channels', async (ids) => {
    order.push(`begin ${[...ids]}`)
    await new Promise<void>((done) => {
      release = done
    })
    if (failures-- > 0) throw new Error('not now')
    order.push(`end ${[...ids]}`)
  })
  await noteOf(database, 'channels', 1)
  const one = database.changes.settled()
  while (order.length < 1) await new Promise((done) => setImmediate(done))
  await noteOf(database, 'channels', 2)
  const two = database.changes.settled()
  release()
  while (order.length < 2) await new Promise((done) => setImmediate(done))
  release()
  await Promise.all([one, two])
  t.same(order.slice(0, 1), ['begin 1'])
  t.same(order.at(-1)?.startsWith('end'), true)
  t.same(
    new Set(order.at(-1)?.slice(4).split(',')),
    new Set(['1', '2']),
    'together with what failed',
  )
})

t.test(
  'settled waits for a look that began after it was queried, not for one under way',
  async (t) => {
    const clock = new FakeClock()
    const database = await testDatabase(t, { clock })
    const looks: (() => void)[] = []
    /** Every look has read what there was, and its answer waits to be let through. */
    const heldBack = async (config: { name?: string; text: string; values?: unknown[] }) => {
      const { name = '', text, values = [] } = config
      const found = await database.query({ name, text, values })
      if (name === 'changes') await new Promise<void>((pass) => looks.push(pass))
      return found
    }
    const connections = {
      asRead: (statement: Statement) => ({ ...statement, values: [...statement.values] }),
      reads: {
        query: (config: never) => heldBack(typeof config === 'string' ? { text: config } : config),
      },
    } as unknown as ChangeReaderDependencies['connections']
    const reader = new ChangeReader({ connections, clock, log: silentLog })
    await reader.start()
    const heard: string[] = []
    reader.on('channels', (ids) => void heard.push(...ids))

    const early = reader.settled()
    while (looks.length < 1) await new Promise((done) => setImmediate(done))
    await noteOf(database, 'channels', 1)
    const late = reader.settled()
    const shared = reader.settled()
    looks[0]?.()
    await early
    t.same(heard, [], 'the look under way began before the note')
    let isOver = false
    const both = Promise.all([late, shared]).then(() => {
      isOver = true
    })
    while (looks.length < 2 && !isOver) await new Promise((done) => setImmediate(done))
    looks[1]?.()
    await both
    t.same(heard, ['1'])
    t.equal(looks.length, 2, 'who asks meanwhile shares the next look')
    await reader.close()
  },
)

const onPostgres = { skip: databaseKind === 'postgresql' ? false : 'needs several sessions' }

t.test('a note that commits after later ones is heard', onPostgres, async (t) => {
  const database = await testDatabase(t, { clock: new FakeClock() })
  const { heard } = ear(database, 'channels')
  const slow = await database.knex.transaction()
  await database.changes.note(slow, 'channels', 'slow')
  for (const id of ['a', 'b']) {
    await noteOf(database, 'channels', id)
    await database.changes.settled()
  }
  t.same(heard, ['a', 'b'])
  await slow.commit()
  await database.changes.settled()
  t.same(heard, ['a', 'b', 'slow'])
  await noteOf(database, 'channels', 'c')
  await database.changes.settled()
  t.same(heard, ['a', 'b', 'slow', 'c'])
})

t.test('notes of many writers are each heard once', onPostgres, async (t) => {
  const database = await testDatabase(t, { clock: new FakeClock() })
  const { heard } = ear(database, 'channels')
  const ids = Array.from({ length: 120 }, (_, index) => String(index))
  const write = (id: string) => async (trx: Knex.Transaction) => {
    await database.changes.note(trx, 'channels', id)
    await trx.raw('SELECT pg_sleep(random() * 0.02)')
  }
  const writing = Promise.all(ids.map((id) => database.knex.transaction(write(id))))
  let done = false
  const reading = (async () => {
    while (!done) await database.changes.settled()
  })()
  await writing
  done = true
  await reading
  await database.changes.settled()
  t.equal(heard.length, ids.length)
  t.same(new Set(heard), new Set(ids))
})

t.test('the connection that listens is made anew after a loss', onPostgres, async (t) => {
  const clock = new FakeClock()
  const database = await testDatabase(t, { clock })
  const { heard } = ear(database, 'channels')
  const listening = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN %'`
  const [old] = (await database.knex.raw(listening)).rows
  await database.knex.raw('SELECT pg_terminate_backend(?)', [old.pid])
  await noteOf(database, 'channels', 'missed')
  let current = old
  while (current === undefined || current.pid === old.pid) {
    clock.advance(1000)
    current = (await database.knex.raw(listening)).rows[0]
  }
  while (!heard.includes('missed')) {
    clock.advance(100)
    await new Promise((done) => setImmediate(done))
  }
  t.same(heard, ['missed'])
})
