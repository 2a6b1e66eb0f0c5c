/** Auto routes: what admins write, and that every process routes by it at once. */
import t from 'tap'
import createAutoRoutes from '../../../plugins/management/auto-routes/index.js'
import { autoRoutes } from '../../../plugins/services/routing/auto-routes.js'
import { data, managementFixture, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { database, changes, clock, log } = gateway
const { knex } = database
const inMemory = autoRoutes(database, changes)
await inMemory.start()

const area = createAutoRoutes({ settings: settingsOf({}), clock, log, services: gateway })
const create = (body: object) => data(area, 'create', { body })
const update = (body: object) => data(area, 'update', { body })
const remove = (key: string) => data(area, 'remove', { params: { key } })
const read = (key: string) => data(area, 'read', { params: { key } })

/** Keys in order, the default with a star; in the database and in memory. */
async function keys(): Promise<string> {
  const rows = await knex('auto_routes').orderBy(['sort_order', 'key'])
  const shown = (records: readonly { key: string; is_default: boolean }[]) =>
    records.map(({ key, is_default }) => (is_default ? `${key}*` : key)).join(' ')
  return shown(inMemory.all()) === shown(rows) ? shown(rows) : 'memory is out of step'
}

t.beforeEach(async () => {
  await knex.transaction(async (trx) => {
    await trx('auto_routes').whereNot('key', 'auto').delete()
    const first = { display_name: 'Auto', groups: ['default'], is_default: true, sort_order: 0 }
    await trx('auto_routes').where('key', 'auto').update(first)
    await changes.note(trx, 'auto_routes', 'auto')
  })
  await changes.settled()
})

t.test('a route is made, read, changed in part and deleted, and memory follows', async (t) => {
  t.equal(await keys(), 'auto*')
  const made = await create({
    key: 'fast',
    display_name: 'Fast',
    groups: ['vip', 'default'],
    user_groups: ['vip', 'partners'],
    sort_order: -1,
  })
  t.match(made, {
    key: 'fast',
    display_name: 'Fast',
    groups: ['vip', 'default'],
    user_groups: ['vip', 'partners'],
    enabled: true,
    is_default: false,
    sort_order: -1,
  })
  t.equal(await keys(), 'fast auto*')
  t.same(inMemory.get('fast'), {
    key: 'fast',
    display_name: 'Fast',
    groups: ['vip', 'default'],
    user_groups: ['vip', 'partners'],
    enabled: true,
    is_default: false,
  })

  const changed = await update({ key: 'fast', groups: ['default'], enabled: false })
  t.match(changed, { display_name: 'Fast', groups: ['default'], user_groups: ['vip', 'partners'] })
  t.match(inMemory.get('fast'), { groups: ['default'], enabled: false })
  t.same(await read('fast'), changed)
  t.match(await data(area, 'list', {}), { page: 1, total: 2, items: [{ key: 'fast' }, {}] })

  t.same(await remove('fast'), { tokens: 0 })
  t.equal(inMemory.get('fast'), undefined)
  await t.rejects(read('fast'), { code: 'gone_missing' })
  t.equal((await create({ key: 'plain', groups: ['vip'] })).display_name, 'plain')
})

t.test('exactly one route is the default, always', async (t) => {
  await create({ key: 'second', groups: ['default'], is_default: true })
  t.equal(await keys(), 'auto second*')
  await create({ key: 'third', groups: ['default'], enabled: false })
  await update({ key: 'auto', is_default: true })
  t.equal(await keys(), 'auto* second third')
  t.equal(inMemory.theDefault()?.key, 'auto')
  await update({ key: 'auto', is_default: true, enabled: true, display_name: 'Again' })
  await update({ key: 'third', is_default: true, enabled: true })
  t.equal(await keys(), 'auto second third*')

  const kept = [
    ['deleted', () => remove('third'), 'key'],
    ['switched off', () => update({ key: 'third', enabled: false }), 'enabled'],
    ['given up', () => update({ key: 'third', is_default: false }), 'is_default'],
    [
      'off from the start',
      () => create({ key: 'fourth', groups: ['vip'], is_default: true, enabled: false }),
      'enabled',
    ],
    [
      'taken over by one that is off',
      async () => {
        await update({ key: 'second', enabled: false })
        await update({ key: 'second', is_default: true })
      },
      'enabled',
    ],
  ] as const
  for (const [name, work, param] of kept) {
    await t.rejects(work(), { code: 'conflict', param }, name)
    t.equal(await keys(), 'auto second third*', `${name}: nothing is saved`)
  }
})

t.test('two admins who each name a default leave one, and lose no other edit', async (t) => {
  for (const key of ['a', 'b', 'c']) await create({ key, groups: ['vip'] })
  await Promise.all([
    update({ key: 'a', is_default: true }),
    update({ key: 'b', is_default: true }),
    update({ key: 'c', display_name: 'C' }),
    update({ key: 'c', groups: ['default', 'vip'] }),
  ])
  t.match(await keys(), /^(a\* auto b c|a auto b\* c)$/)
  t.match(await read('c'), { display_name: 'C', groups: ['default', 'vip'] })
})

t.test('a bad document is refused by the name of its field, and nothing is saved', async (t) => {
  await create({ key: 'known', groups: ['vip'] })
  const good = { key: 'new', groups: ['vip'] }
  const rows: [string, object, string, string][] = [
    ['no key', { groups: ['vip'] }, 'invalid_field', 'key'],
    ['an empty key', { ...good, key: '' }, 'invalid_field', 'key'],
    ['a key with a space', { ...good, key: 'a b' }, 'invalid_field', 'key'],
    ['a key with a slash', { ...good, key: 'a/b' }, 'invalid_field', 'key'],
    ['a long key', { ...good, key: 'x'.repeat(65) }, 'invalid_field', 'key'],
    ['the name of a group', { ...good, key: 'vip' }, 'invalid_field', 'key'],
    ['a key there is', { ...good, key: 'known' }, 'conflict', 'key'],
    ['no groups', { key: 'new' }, 'invalid_field', 'groups'],
    ['an empty chain', { ...good, groups: [] }, 'invalid_field', 'groups'],
    ['a chain as text', { ...good, groups: 'vip' }, 'invalid_field', 'groups'],
    ['a group twice', { ...good, groups: ['vip', 'default', 'vip'] }, 'invalid_field', 'groups.2'],
    ['no such group', { ...good, groups: ['vip', 'nowhere'] }, 'invalid_field', 'groups'],
    ['a user group twice', { ...good, user_groups: ['a', 'a'] }, 'invalid_field', 'user_groups.1'],
    ['a name with a line', { ...good, display_name: 'a\nb' }, 'invalid_field', 'display_name'],
    ['an empty name', { ...good, display_name: '' }, 'invalid_field', 'display_name'],
    ['enabled as text', { ...good, enabled: 'maybe' }, 'invalid_field', 'enabled'],
    ['half a place', { ...good, sort_order: 1.5 }, 'invalid_field', 'sort_order'],
  ]
  for (const [name, body, code, param] of rows) {
    await t.rejects(create(body), { code, param }, name)
    t.equal(await keys(), 'auto* known', name)
  }
  await t.rejects(update({ key: 'new' }), { code: 'gone_missing' })
  await t.rejects(update({ key: 'known', groups: ['nowhere'] }), {
    code: 'invalid_field',
    param: 'groups',
  })
  t.same((await read('known')).groups, ['vip'])
  await t.rejects(remove('new'), { code: 'gone_missing' })
})

t.test('a deleted route states how many keys named it', async (t) => {
  await create({ key: 'popular', groups: ['vip'] })
  const { userId } = await gateway.person('ada')
  const policy = (auto_route: string) =>
    JSON.stringify({ version: 1, mode: 'smart', auto_route, groups: [], retry_on_failure: false })
  const rows = [
    { routing: policy('popular') },
    { group: 'popular' },
    { group: 'popular', routing: policy('auto') },
    { routing: policy('popular'), deleted_at: new Date().toISOString() },
    { group: 'default' },
  ]
  for (const fields of rows) await gateway.apiKey(userId, fields)
  t.match(await read('popular'), { tokens: 2 }, 'it is reported before')
  const { items } = await data(area, 'list', {})
  t.match(
    items.map(({ key, tokens }: { key: string; tokens: number }) => [key, tokens]),
    [
      ['auto', 1],
      ['popular', 2],
    ],
  )
  t.same(await remove('popular'), { tokens: 2 })
})
