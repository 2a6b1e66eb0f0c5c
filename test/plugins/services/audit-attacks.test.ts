/** What somebody who can write to the database, and to nothing else, can do to the audit log without being noticed: nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import type { System } from '../../../kernel/contract/services/system.js'
import type { Leases } from '../../../kernel/schedule/leases.js'
import { createSchedule } from '../../../kernel/schedule/schedule.js'
import { openSecretBox } from '../../../kernel/store/open-secret-box.js'
import { reseal } from '../../../kernel/store/reseal.js'
import { rowOf } from '../../../plugins/services/audit/audit-store.js'
import { chainHash } from '../../../plugins/services/audit/chain.js'
import createAudit from '../../../plugins/services/audit/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog, requestId } from '../../kit/fakes.js'
import { settingsOf } from '../management/management-fixture.js'

const dayMs = 86_400_000
const today = Date.UTC(2026, 0, 31, 12)
const entry = { requestId, address: '203.0.113.9', action: 'users.manage', object: 'user 9' }
const cryptoSecret = 'a secret for tests only'

async function scriptedGateway(t: Test) {
  const database = await testDatabase(t)
  const dataDir = await mkdtemp(join(tmpdir(), 'audit-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const { secrets } = await openSecretBox({ database, dataDir, cryptoSecret })
  const { knex } = database
  const heads: unknown[] = []

  async function process(secrets: SecretBox, at = today) {
    const clock = new FakeClock(at)
    const log = { ...quietLog, info: (fields: object) => void heads.push(fields) }
    const schedule = createSchedule(clock, log, {} as Leases)
    const system = { environment: { dataDir } } as unknown as System
    const services = { database, schedule, secrets, system }
    const audit = createAudit({ settings: settingsOf({}), clock, log, services })
    await audit.start?.()
    const end = async () => {
      await audit.stop?.()
      await schedule.stop()
    }
    return { audit, clock, end }
  }

  const own = await process(secrets)
  t.teardown(own.end)

  /** So many rows of a day, on so many days. */
  async function written(days: number, rows: number) {
    const { audit, clock } = own
    for (let day = 0; day < days; day++) {
      for (let row = 0; row < rows; row++) {
        await audit.record({ ...entry, detail: `write ${row} of day ${day}` })
        clock.advance(1000)
      }
      if (day < days - 1) clock.advance(dayMs - rows * 1000)
    }
    await knex.raw('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only')
    return (await knex('audit_log').orderBy('id')).map(rowOf)
  }

  const day = (number: number) => new Date(today + number * dayMs).toISOString().slice(0, 10)
  const verify = (number: number) => own.audit.verify(day(number))
  return { ...own, database, knex, secrets, dataDir, heads, process, written, day, verify }
}

t.test('rows that hold are as many as were written, on each day', async (t) => {
  const { written, verify } = await scriptedGateway(t)
  await written(3, 4)
  for (const day of [0, 1, 2]) t.match(await verify(day), { rows: 4, broken: undefined })
})

t.test('a row that is changed and hashed anew is found', async (t) => {
  const { written, verify, knex } = await scriptedGateway(t)
  const rows = await written(1, 4)
  const row = { ...rows[3]!, actorName: 'eve' }
  const hash = chainHash(row, row.previousHash)
  await knex('audit_log').where('id', row.id).update({ actor_name: 'eve', hash })
  t.match(await verify(0), { rows: 3, broken: { id: row.id, fault: 'content' } })
})

t.test('rows that change places are found', async (t) => {
  const { written, verify, knex } = await scriptedGateway(t)
  const [, second, third] = await written(1, 4)
  await knex('audit_log').where('id', second!.id).update({ created_at: third!.createdAt })
  await knex('audit_log').where('id', third!.id).update({ created_at: second!.createdAt })
  t.match(await verify(0), { rows: 1, broken: { id: third!.id, fault: 'link' } })
})

t.test('the end of a day that is cut off shows in the next', async (t) => {
  const { written, verify, knex } = await scriptedGateway(t)
  const rows = await written(2, 3)
  await knex('audit_log').where('id', rows[2]!.id).delete()
  t.match(await verify(0), { rows: 2, broken: { id: rows[2]!.id, fault: 'missing' } })
  t.match(await verify(1), { rows: 0, broken: { id: rows[3]!.id, fault: 'link' } })
})

t.test('a day that is gone altogether shows in itself and in the next', async (t) => {
  const { written, verify, knex } = await scriptedGateway(t)
  const rows = await written(3, 3)
  const ids = rows.slice(3, 6).map(({ id }) => id)
  await knex('audit_log').whereIn('id', ids).delete()
  t.match(await verify(1), { rows: 0, broken: { id: ids[2], fault: 'missing' } })
  t.match(await verify(2), { rows: 0, broken: { id: rows[6]!.id, fault: 'link' } })
  t.match(await verify(0), { broken: { id: rows[6]!.id, fault: 'link' } })
})

t.test('the end of the whole chain that is cut off shows by the head kept outside', async (t) => {
  const { written, verify, knex, clock, audit, heads } = await scriptedGateway(t)
  const rows = await written(1, 3)
  clock.advance(300_000)
  await audit.record({ ...entry, detail: 'after the head was kept' })
  const last = rows[2]!
  t.match(heads.at(-1), { head: { id: last.id, hash: last.hash.toString('hex') } })
  t.match(await verify(0), { rows: 4, heads: 1, broken: undefined })
  await knex('audit_log').where('id', '>=', last.id).delete()
  t.match(await verify(0), { rows: 2, heads: 1, broken: { id: last.id, fault: 'missing' } })
})

t.test('a chain made anew from its beginning passes for no older one', async (t) => {
  const { written, verify, knex, process, secrets, end } = await scriptedGateway(t)
  const rows = await written(1, 3)
  let previous: Buffer | null = null
  for (const row of rows) {
    const forged = { ...row, actorName: 'eve' }
    const hash: Buffer = chainHash(forged, previous)
    const columns = { actor_name: 'eve', previous_hash: previous, hash }
    await knex('audit_log').where('id', row.id).update(columns)
    previous = hash
  }
  t.match(await verify(0), { rows: 0, broken: { id: rows[0]!.id, fault: 'content' } })
  // Without the note of where the keyed chain begins, the rows pass until a head kept outside is compared.
  await knex('facts').where('name', 'audit chain').delete()
  await end()
  const later = await process(secrets)
  t.match(await later.audit.verify('2026-01-31'), { heads: 1, broken: { fault: 'missing' } })
  await later.end()
})

t.test(
  'the note of where the keyed chain begins that is gone makes no row a plain one',
  async (t) => {
    const { written, knex, process, secrets, end } = await scriptedGateway(t)
    await written(1, 3)
    await knex('facts').where('name', 'audit chain').delete()
    await end()
    const later = await process(secrets)
    await later.audit.record(entry)
    t.match(await later.audit.verify('2026-01-31'), { rows: 4, broken: undefined })
    await later.end()
  },
)

t.test('[OPS-2] rows from before the chain was keyed hold as they did', async (t) => {
  const { knex, audit, verify } = await scriptedGateway(t)
  const plain = (at: number, previous: Buffer | null) => {
    const line = {
      ...{ createdAt: new Date(at), actorId: 7, actorName: 'ada', actorRole: 10, via: 'session' },
      ...{ address: '::1', action: 'a', object: 'o', detail: '', requestId: 'r' },
      ...{ beforeHash: null, afterHash: null },
    }
    return { line, previous, hash: chainHash(line, previous) }
  }
  const old = plain(today - dayMs, null)
  const first = plain(today - 2000, null)
  const second = plain(today - 1000, first.hash)
  for (const { line, previous, hash } of [old, first, second]) {
    await knex('audit_log').insert({
      ...{ created_at: line.createdAt, actor_id: 7, actor_name: 'ada', actor_role: 10 },
      ...{ via: 'session', address: '::1', action: 'a', object: 'o', detail: '', request_id: 'r' },
      ...{ previous_hash: previous, hash },
    })
  }
  t.match(await verify(0), { rows: 2, broken: undefined })
  await audit.record(entry)
  t.match(await verify(-1), { rows: 1, broken: undefined })
  t.match(await verify(0), { rows: 3, broken: undefined })
  await knex.raw('ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only')
  await knex('audit_log').where('created_at', second.line.createdAt).delete()
  t.match(await verify(0), { rows: 1, broken: { fault: 'link' } }, 'the keyed one follows another')
})

t.test('a new master key leaves every link as it was', async (t) => {
  const { written, database, dataDir, end, process, knex } = await scriptedGateway(t)
  await written(1, 3)
  await end()
  const keys = { cryptoSecret: 'another secret for tests', cryptoSecretPrevious: cryptoSecret }
  const { secrets, rotation } = await openSecretBox({ database, dataDir, ...keys })
  await reseal({ rotation: rotation!, database, log: quietLog }, () => false)
  const again = await openSecretBox({ database, dataDir, cryptoSecret: keys.cryptoSecret })
  for (const opened of [secrets, again.secrets]) {
    const later = await process(opened, today + 60_000)
    await later.audit.record(entry)
    t.match(await later.audit.verify('2026-01-31'), { broken: undefined })
    await later.end()
  }
  t.equal(Number((await knex('audit_log').count('* as rows'))[0]?.rows), 5)
})
