/** The audit log: rows that are added and never touched, each tied to the one before it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Principal } from '../../../kernel/contract/management.js'
import type { AuditEntry } from '../../../kernel/contract/services/ports.js'
import type { System } from '../../../kernel/contract/services/system.js'
import type { Leases } from '../../../kernel/schedule/leases.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import { openSecretBox } from '../../../kernel/store/open-secret-box.js'
import { canonical } from '../../../plugins/services/audit/canonical.js'
import { chainHash } from '../../../plugins/services/audit/chain.js'
import createAudit, { type AuditLine } from '../../../plugins/services/audit/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog, requestId } from '../../kit/fakes.js'
import { settingsOf } from '../management/management-fixture.js'

const ada: Principal = {
  userId: 7,
  username: 'ada',
  role: 10,
  group: 'default',
  via: 'accessToken',
}
const entry: AuditEntry = {
  requestId,
  address: '203.0.113.9',
  principal: ada,
  action: 'users.manage',
  object: 'user 9',
  detail: 'promote',
}

const database = await testDatabase(t)
const dataDir = await mkdtemp(join(tmpdir(), 'audit-'))
t.teardown(() => rm(dataDir, { recursive: true }))
const { secrets } = await openSecretBox({
  database,
  dataDir,
  cryptoSecret: 'a secret for tests only',
})
const system = { environment: { dataDir } } as unknown as System

/** Every test has a day of its own in the one table, and begins at noon. */
let noon = Date.UTC(2026, 0, 31, 12)

interface GatewayTerms {
  readonly log?: Log
  readonly at?: number
}

async function scriptedGateway(t: Test, { log = quietLog, at }: GatewayTerms = {}) {
  if (at === undefined) noon += 10 * 86_400_000
  const clock = new FakeClock(at ?? noon)
  const schedule = createSchedule(clock, log, {} as Leases)
  const services = { database, schedule, secrets, system }
  const audit = createAudit({ settings: settingsOf({}), clock, log, services })
  await audit.start?.()
  t.teardown(async () => {
    await audit.stop?.()
    await schedule.stop()
  })
  const from = noon / 1000 - 43_200
  const rows = async () => (await audit.page({ page: 1, pageSize: 100, from })).items
  return { audit, clock, rows, day: new Date(clock.now()).toISOString().slice(0, 10) }
}

t.test('a row states who did what, whence, and of states only that they differ', async (t) => {
  const { audit, rows } = await scriptedGateway(t)
  const before = { role: 1, group: 'default' }
  await audit.record({ ...entry, before, after: { role: 10, group: 'default' } })
  await audit.record({ ...entry, before: { group: 'default', role: 1 } })
  const [second, first] = await rows()
  t.match(first, {
    createdAt: new Date(noon),
    actorId: 7,
    actorName: 'ada',
    actorRole: 10,
    via: 'accessToken',
    address: '203.0.113.9',
    action: 'users.manage',
    object: 'user 9',
    detail: 'promote',
    requestId,
  })
  t.not(first?.beforeHash?.toString('hex'), first?.afterHash?.toString('hex'))
  t.same(first?.beforeHash, second?.beforeHash, 'the order of keys is no difference')
  t.equal(second?.afterHash, null)
  t.same(second?.previousHash, first?.hash)
})

t.test('who signs in is named by the route that let them in', async (t) => {
  const { audit, rows } = await scriptedGateway(t)
  const actor = { userId: 3, username: 'bob', role: 1 }
  await audit.record({ ...entry, principal: undefined, actor, action: 'session.login' })
  await audit.record({ ...entry, actor })
  const [other, login] = await rows()
  t.match(login, { actorId: 3, actorName: 'bob', actorRole: 1, via: 'none' })
  t.match(other, { actorId: 7 }, 'who was signed in before is who acted')
})

t.test('[API-7] texts are one line, bounded in code points, and hold no secret', async (t) => {
  const { audit, rows } = await scriptedGateway(t)
  await audit.record({
    ...entry,
    object: `${'🧾'.repeat(4096)}x`,
    detail: 'a\nb\tc password=hunter2 Bearer abcdefghijk sk-abcdefghijklmnopqrstuvwxyz012345',
  })
  const [row] = await rows()
  t.equal([...(row?.object ?? '')].length, 4096)
  t.match(row?.object, /… \[truncated\]$/)
  t.match(row?.detail, /^a b c /)
  for (const secret of ['hunter2', 'abcdefghijk']) t.notMatch(row?.detail, secret)
})

t.test('rows cannot be changed, deleted or emptied', async (t) => {
  const { audit, rows } = await scriptedGateway(t)
  await audit.record(entry)
  const refused = { message: /append-only/ }
  await t.rejects(database.knex('audit_log').update({ detail: 'nothing' }), refused)
  await t.rejects(database.knex('audit_log').delete(), refused)
  await t.rejects(database.knex.raw('TRUNCATE audit_log'), refused)
  t.match(await rows(), [{ detail: 'promote' }])
})

/** As someone would who owns the database. */
async function tamper(statement: string): Promise<void> {
  await database.knex.transaction(async (trx) => {
    await trx.raw('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only')
    await trx.raw(statement)
    await trx.raw('ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only')
  })
}

t.test('a day is walked, and the first row that does not hold is named', async (t) => {
  const { audit, clock, rows, day } = await scriptedGateway(t)
  t.same(await audit.verify(day), { day, rows: 0, heads: 0, head: null })
  for (let n = 0; n < 5; n++) {
    await audit.record({ ...entry, detail: `write ${n}` })
    clock.advance(1000)
  }
  const ids = (await rows()).map(({ id }) => id).reverse()
  const head = (await rows())[0]?.hash
  t.same(await audit.verify(day), { day, rows: 5, heads: 0, head })

  await tamper(`UPDATE audit_log SET actor_name = 'eve' WHERE id = ${ids[3]}`)
  t.match(await audit.verify(day), { rows: 3, broken: { id: ids[3], fault: 'content' } })
  await tamper(`DELETE FROM audit_log WHERE id = ${ids[1]}`)
  t.match(await audit.verify(day), { rows: 1, broken: { id: ids[2], fault: 'link' } })
})

t.test('every field of a row is in its hash, and none runs into the next', async (t) => {
  const none = Buffer.alloc(0)
  const line: AuditLine = {
    ...{ createdAt: new Date(0), actorId: 7, actorName: 'ada', actorRole: 10, via: 'session' },
    ...{ address: 'ab', action: 'cd', object: 'ef', detail: 'gh', requestId: 'ij' },
    ...{ beforeHash: null, afterHash: none },
  }
  const others: readonly Partial<AuditLine>[] = [
    ...[{}, { createdAt: new Date(1) }, { actorId: 8 }, { actorName: 'a' }, { actorRole: 1 }],
    ...[{ via: 'none' }, { address: 'abc', action: 'd' }, { action: 'cde', object: 'f' }],
    ...[{ object: 'efg', detail: 'h' }, { detail: '' }, { requestId: '' }],
    ...[{ beforeHash: none }, { afterHash: null }, { beforeHash: none, afterHash: null }],
  ]
  const hashes = others.map((other) => chainHash({ ...line, ...other }, null).toString('hex'))
  const linked = chainHash(line, none).toString('hex')
  t.equal(new Set([...hashes, linked]).size, others.length + 1)
})

t.test('the chain goes on from day to day, and a clock that is behind breaks it not', async (t) => {
  const { audit, clock, rows, day } = await scriptedGateway(t)
  await audit.record(entry)
  clock.advance(12 * 3_600_000 - 1)
  await audit.record(entry)
  clock.advance(1)
  await audit.record(entry)
  const { audit: behind } = await scriptedGateway(t, { at: noon })
  await behind.record({ ...entry, detail: 'by another process, whose clock is behind' })
  t.match(await audit.verify(day), { rows: 2, broken: undefined })
  const next = new Date(clock.now()).toISOString().slice(0, 10)
  t.not(next, day)
  t.match(await audit.verify(next), { rows: 2, broken: undefined })
  const [, ofNextDay, last] = await rows()
  t.same(ofNextDay?.previousHash, last?.hash)
})

t.test('two processes that write at once make one chain', async (t) => {
  const { audit, day } = await scriptedGateway(t)
  const { audit: other } = await scriptedGateway(t, { at: noon })
  const writes = Array.from({ length: 40 }, (_, n) =>
    (n % 2 === 0 ? audit : other).record({ ...entry, detail: `write ${n}` }),
  )
  await Promise.all(writes)
  t.match(await other.verify(day), { rows: 40, broken: undefined })
})

t.test('a long day is walked to its end', async (t) => {
  const { audit, day } = await scriptedGateway(t)
  for (let n = 0; n < 201; n++) await audit.record({ ...entry, detail: `write ${n}` })
  t.match(await audit.verify(day), { rows: 201, broken: undefined })
})

/** What was logged as an error. */
function errorsTo(errors: object[]): Log {
  return { ...quietLog, error: (fields) => void errors.push(fields) }
}

t.test('a line that cannot be written is logged whole, and added once it can be', async (t) => {
  const errors: object[] = []
  const { audit, clock, rows, day } = await scriptedGateway(t, { log: errorsTo(errors) })
  await database.knex.schema.renameTable('audit_log', 'away')
  await audit.record({ ...entry, detail: 'the first' })
  await audit.record({ ...entry, detail: 'the second' })
  t.match(errors, [
    { audit: { actorName: 'ada', action: 'users.manage', object: 'user 9', detail: 'the first' } },
    { audit: { detail: 'the second' } },
  ])
  clock.advance(5000)
  await database.knex.schema.renameTable('away', 'audit_log')
  clock.advance(5000)
  await audit.record({ ...entry, detail: 'the third' })
  await audit.stop?.()
  const details = (await rows()).map(({ detail }) => detail)
  t.strictSame([...details].sort(), ['the first', 'the second', 'the third'])
  t.match(await audit.verify(day), { rows: 3, broken: undefined })
})

t.test('pages are found by who, what, whereto and when', async (t) => {
  const { audit, clock } = await scriptedGateway(t)
  const bob = { ...ada, userId: 8, username: 'bob', role: 100 }
  await audit.record(entry)
  clock.advance(60_000)
  await audit.record({ ...entry, principal: bob, action: 'options.update', object: 'option Price' })
  const from = noon / 1000
  const found = async (query: object) => {
    const { items, total } = await audit.page({ page: 1, pageSize: 10, from, ...query })
    t.equal(items.length, total)
    return items.map(({ actorName }) => actorName).join(' ')
  }
  t.equal(await found({}), 'bob ada')
  t.equal(await found({ actor: 'ada' }), 'ada')
  t.equal(await found({ actor: '8' }), 'bob')
  t.equal(await found({ action: 'users.' }), 'ada')
  t.equal(await found({ action: '%' }), '')
  t.equal(await found({ object: 'option Price' }), 'bob')
  t.equal(await found({ requestId }), 'bob ada')
  t.equal(await found({ to: from }), 'ada')
  t.equal(await found({ from: from + 60, to: from + 60 }), 'bob')
  t.equal(await found({ visibleTo: { userId: 7, below: 100 } }), 'ada')
  t.equal(await found({ visibleTo: { userId: 8, below: 10 } }), 'bob')
  t.match(await audit.page({ page: 3, pageSize: 1, from }), { items: [], total: 2 })
})

t.test('states have one text, whatever they are made of', async (t) => {
  const state = { b: [1n, null, undefined], a: { d: new Date(0), c: undefined }, e: 'é' }
  t.equal(canonical(state), '{"a":{"d":"1970-01-01T00:00:00.000Z"},"b":[1,null,null],"e":"é"}')
})
