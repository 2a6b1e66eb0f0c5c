/** The registry over a database: what changed in any process shows in all of them. */
import t from 'tap'
import type { Channel } from '../../../../kernel/contract/line/channel.js'
import type { Channels } from '../../../../plugins/services/channels/index.js'
import createRegistry from '../../../../plugins/services/model-registry/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog, testDatabase } from '../../../kit/database.js'
import { settingsOf } from '../../management/management-fixture.js'

const database = await testDatabase(t)
const { knex, changes } = database

let channels: readonly Partial<Channel>[] = []

async function started() {
  const registry = createRegistry({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log: silentLog,
    services: { database, changes, channels: { all: () => channels } as unknown as Channels },
  })
  await registry.start?.()
  return registry
}

async function tell(topic: string, id: number): Promise<void> {
  await knex.transaction((trx) => changes.note(trx, topic, id))
  await changes.settled()
}

async function insert(table: string, row: object): Promise<number> {
  const [{ id }] = await knex(table).insert(row).returning('id')
  return id
}

t.test('entries and vendors are there from the start, and follow every change', async (t) => {
  const vendor = await insert('vendors', { name: 'Acme', icon: 'A' })
  const entry = await insert('models', { model_name: 'a-', name_rule: 1, vendor_id: vendor })
  const registry = await started()
  t.match(registry.describe('a-1'), {
    entry: { id: entry, rule: 'prefix', vendorId: vendor, enabled: true },
    vendor: { name: 'Acme', icon: 'A' },
    hidden: false,
    isChat: true,
  })
  t.equal(registry.describe('a-1'), registry.describe('a-1'), 'found once')
  t.equal(registry.describe('b').entry, undefined)

  const exact = await insert('models', {
    model_name: 'a-1',
    status: 0,
    endpoints: '["embeddings"]',
  })
  await tell('models', exact)
  t.match(registry.describe('a-1'), { entry: { id: exact }, hidden: true, isChat: false })
  t.equal(registry.describe('a-1').vendor, undefined, 'one entry alone speaks, wholly')

  await knex('vendors').where({ id: vendor }).update({ status: 0 })
  await tell('vendors', vendor)
  t.equal(registry.describe('a-2').vendor, undefined, 'a vendor that is off is not reported')

  await knex('models').where({ id: exact }).delete()
  await tell('models', exact)
  t.match(registry.describe('a-1'), { entry: { id: entry }, hidden: false })
})

t.test(
  'served names come from enabled channels, each once, with groups and channels',
  async (t) => {
    channels = [
      { id: 1, enabled: true, groups: ['vip', 'default'], models: new Set(['b', 'a']) },
      { id: 2, enabled: false, groups: ['off'], models: new Set(['c']) },
      { id: 3, enabled: true, groups: ['default', 'lab'], models: new Set(['a']) },
    ]
    const served = (await started()).served()
    t.strictSame([...served.keys()], ['a', 'b'])
    t.strictSame(served.get('a')?.groups, ['default', 'lab', 'vip'])
    t.strictSame(
      served.get('a')?.channels.map(({ id }) => id),
      [1, 3],
    )
  },
)
