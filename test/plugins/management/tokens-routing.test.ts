/** Where a key's requests may go, as it is saved: the policy, the legacy fields, and that both stay in step. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createTokens from '../../../plugins/management/tokens/index.js'
import { data, managementFixture, routingOver, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { database, changes, clock, log } = gateway
const { knex } = database
/** `bare` may be used but has no ratio; `secret` has one, but only its own users and admins may use it. */
const groups = ['default', 'vip', 'lab', 'secret', ...'abcdefghi']
const usable = Object.fromEntries(
  [...'abcdefghi', 'default', 'vip', 'lab', 'bare'].map((g) => [g, g]),
)
const routing = await routingOver(gateway, { groups, usable })
const area = createTokens({
  settings: settingsOf({ reveal: true, tokensPerUser: 10_000 }),
  clock,
  log,
  services: { ...gateway, routing },
})
const ada = await gateway.person('ada')

await writeRoutes([
  { key: 'best', groups: ['vip', 'default'] },
  { key: 'partial', groups: ['secret', 'lab'] },
  { key: 'off', groups: ['default'], enabled: false },
  { key: 'staff', groups: ['default'], user_groups: ['secret'] },
  { key: 'closed', groups: ['secret', 'bare'] },
])

async function writeRoutes(
  rows: readonly { readonly key: string; readonly [name: string]: unknown }[],
) {
  await knex.transaction(async (trx) => {
    for (const row of rows) {
      await trx('auto_routes').insert({ display_name: row.key, ...row })
      await changes.note(trx, 'auto_routes', row.key)
    }
  })
  await changes.settled()
}

const create = (body: object, principal = ada) =>
  data(area, 'create', { principal, body: { name: 'laptop', ...body } })
const update = (body: object, principal = ada) => data(area, 'update', { principal, body })
const read = (id: number, principal = ada) =>
  data(area, 'read', { principal, params: { id: String(id) } })

const manual = (names: readonly string[], retry_on_failure = true) => ({
  version: 1,
  mode: 'manual',
  auto_route: '',
  groups: names,
  retry_on_failure,
})
const smart = (auto_route: string, retry_on_failure = true) => ({
  ...manual([], retry_on_failure),
  mode: 'smart',
  auto_route,
})

/** What a record states of routing. */
function contentOf({ routing: policy, routing_legacy, group, cross_group_retry }: JsonObject) {
  return { routing: policy, routing_legacy, group, cross_group_retry }
}

/** The same of the row: what is stored. */
async function stored(id: number) {
  const { routing: policy, group, cross_group_retry } = await knex('tokens').where({ id }).first()
  return { routing: policy, group, cross_group_retry }
}

const bad: readonly (readonly [name: string, sent: unknown, param: string])[] = [
  ['null', null, 'routing'],
  ['a text', 'smart', 'routing'],
  ['a list', [manual(['vip'])], 'routing'],
  ['nothing in it', {}, 'routing.version'],
  ['no version', { ...manual(['vip']), version: undefined }, 'routing.version'],
  ['version 2', { ...manual(['vip']), version: 2 }, 'routing.version'],
  ['version as text', { ...manual(['vip']), version: '1' }, 'routing.version'],
  ['version null', { ...manual(['vip']), version: null }, 'routing.version'],
  ['no mode', { ...manual(['vip']), mode: undefined }, 'routing.mode'],
  ['an unknown mode', { ...manual(['vip']), mode: 'auto' }, 'routing.mode'],
  ['mode null', { ...manual(['vip']), mode: null }, 'routing.mode'],
  ['no auto route', smart(''), 'routing.auto_route'],
  ['auto route left out', { version: 1, mode: 'smart' }, 'routing.auto_route'],
  ['auto route null', { ...smart('best'), auto_route: null }, 'routing.auto_route'],
  ['auto route of a wrong type', { ...smart('best'), auto_route: 7 }, 'routing.auto_route'],
  ['an unknown auto route', smart('nowhere'), 'routing.auto_route'],
  ['a disabled auto route', smart('off'), 'routing.auto_route'],
  ['an auto route for others', smart('staff'), 'routing.auto_route'],
  ['an auto route without a usable group', smart('closed'), 'routing.auto_route'],
  ['a group as auto route', smart('vip'), 'routing.auto_route'],
  ['groups left out', { version: 1, mode: 'manual' }, 'routing.groups'],
  ['groups as text', { ...manual([]), groups: 'vip' }, 'routing.groups'],
  ['groups null', { ...manual([]), groups: null }, 'routing.groups'],
  ['groups as an object', { ...manual([]), groups: { 0: 'vip' } }, 'routing.groups'],
  ['no group', manual([]), 'routing.groups'],
  ['nine groups', manual([...'abcdefghi']), 'routing.groups'],
  ['a group twice', manual(['vip', 'lab', 'vip']), 'routing.groups'],
  ['an unknown group', manual(['vip', 'nobody']), 'routing.groups'],
  ['a group of others', manual(['secret']), 'routing.groups'],
  ['a group without a ratio', manual(['vip', 'bare']), 'routing.groups'],
  ['an auto route as group', manual(['best']), 'routing.groups'],
  ['a group without a name', manual(['']), 'routing.groups'],
  ['a group of a wrong type', { ...manual([]), groups: ['vip', 1] }, 'routing.groups'],
  ['a group null', { ...manual([]), groups: [null] }, 'routing.groups'],
  ['retry as a number', { ...manual(['vip']), retry_on_failure: 1 }, 'routing.retry_on_failure'],
  ['retry null', { ...manual(['vip']), retry_on_failure: null }, 'routing.retry_on_failure'],
]

t.test(
  '[ROUTE-6] [ROUTE-14] a bad policy is refused in one sentence that names the part, and nothing is saved',
  async (t) => {
    const { id } = await create({ routing: manual(['lab', 'vip'], false) })
    const before = await read(id)
    const count = () => knex('tokens').where({ user_id: ada.userId }).count({ keys: '*' })
    const keys = await count()
    for (const [name, policy, param] of bad) {
      const attempts = [
        create({ routing: policy }),
        update({ id, name: 'other', routing: policy, group: 'vip' }),
      ]
      for (const attempt of attempts) {
        const fault = await attempt.then(
          () => undefined,
          (error: unknown) => error,
        )
        if (!(fault instanceof Refusal)) return t.fail(`${name} was not refused`)
        t.match(fault, { code: 'invalid_field', param }, name)
        t.ok(fault.message.startsWith(`${param} `), `${name}: the sentence begins with the part`)
        t.match(fault.message, /^[^.]+(\.[a-z_]+)?[^.]*\.$/, `${name}: one sentence`)
      }
      t.same(await read(id), before, name)
    }
    t.same(await count(), keys)
  },
)

t.test('[ROUTE-5] [ROUTE-11] a policy is stored with the legacy fields in step', async (t) => {
  const eight = [...'abcdefgh']
  const rows: readonly (readonly [JsonObject, object, string, boolean])[] = [
    [manual(['vip', 'default']), manual(['vip', 'default']), 'vip', true],
    [manual(['lab'], false), manual(['lab'], false), 'lab', false],
    [manual(eight), manual(eight), 'a', true],
    [smart('best'), smart('best'), 'vip', true],
    [smart('partial', false), smart('partial', false), 'lab', false],
    [{ version: 1, mode: 'manual', groups: ['vip'] }, manual(['vip']), 'vip', true],
    [{ version: 1, mode: 'smart', auto_route: 'best' }, smart('best'), 'vip', true],
    [{ ...manual(['vip']), auto_route: 'off' }, manual(['vip']), 'vip', true],
    [{ ...smart('best'), groups: ['nobody'], more: 1 }, smart('best'), 'vip', true],
  ]
  for (const [sent, policy, group, cross_group_retry] of rows) {
    const label = JSON.stringify(sent)
    const expected = { routing: policy, group, cross_group_retry }
    const made = await create({ routing: sent })
    t.same(contentOf(made), { ...expected, routing_legacy: false }, label)
    t.same(await stored(made.id), expected, label)
    const { id } = await create({ group: 'c' })
    t.same(
      contentOf(await update({ id, routing: sent })),
      { ...expected, routing_legacy: false },
      label,
    )
    t.same(await stored(id), expected, label)
  }
})

t.test(
  '[ROUTE-8] a key nobody stated anything about is synthesized, a stored policy is not',
  async (t) => {
    const plain = await create({})
    const synthesized = { routing: manual(['default']), routing_legacy: true, group: '' }
    t.match(contentOf(await read(plain.id)), synthesized)
    t.equal((await stored(plain.id)).routing, null)
    const explicit = await create({ routing: manual(['default']) })
    t.equal(explicit.routing_legacy, false, 'though it is what would have been synthesized')
    t.same((await stored(explicit.id)).routing, manual(['default']))
    t.equal((await update({ id: plain.id, routing: manual(['default']) })).routing_legacy, false)
    const { items } = await data(area, 'list', { principal: ada, query: { page_size: 2 } })
    t.same(
      items.map(contentOf),
      [contentOf(explicit), contentOf(await read(plain.id))],
      'lists say it too',
    )
  },
)

t.test('[ROUTE-8] an old key stays as it is until it is changed', async (t) => {
  const rows = [
    [{ group: 'vip', cross_group_retry: false }, manual(['vip'], false)],
    [{ group: 'best' }, smart('best')],
    [{ group: 'gone' }, manual(['gone'])],
    [{ group: '', cross_group_retry: false }, manual(['default'], false)],
  ] as const
  for (const [columns, policy] of rows) {
    const { id } = await gateway.apiKey(ada.userId, columns)
    const record = await read(id)
    t.match(record, { ...columns, routing: policy, routing_legacy: true })
    await update({ id, name: 'renamed' })
    t.match(await stored(id), { ...columns, routing: null })
    await update({ ...record })
    t.match(await stored(id), { ...columns, routing: null }, 'sent back as it was read')
  }
})

t.test(
  '[ROUTE-7] a group alone is a policy of that group; the same group again is none',
  async (t) => {
    const rows = [
      ['vip', manual(['vip']), 'vip'],
      ['best', smart('best'), 'vip'],
      ['partial', smart('partial'), 'lab'],
    ] as const
    for (const [sent, policy, group] of rows) {
      const expected = { routing: policy, routing_legacy: false, group, cross_group_retry: true }
      t.same(contentOf(await create({ group: sent })), expected, `create ${sent}`)
      const { id } = await create({ routing: manual(['lab', 'a'], true) })
      t.same(contentOf(await update({ id, group: sent })), expected, `update ${sent}`)
    }
    const { id } = await create({ routing: manual(['lab', 'a'], false) })
    await update({ id, group: 'lab' })
    t.same((await stored(id)).routing, manual(['lab', 'a'], false), 'the rest of the list stays')
    const other = { routing: manual(['vip'], false), group: 'vip', cross_group_retry: false }
    t.match(await update({ id, group: 'vip' }), other, 'the switch is not sent, so it stays')
    for (const group of ['nobody', 'secret', 'bare', 'off', 'staff']) {
      const fault = { code: 'invalid_field', param: 'group', message: new RegExp(`"${group}"`) }
      await t.rejects(create({ group }), fault, group)
      await t.rejects(update({ id, group, name: 'other' }), fault, group)
    }
    t.match(await read(id), { ...other, name: 'laptop' })
  },
)

t.test('[ROUTE-7] the empty group takes a key back to the group of its owner', async (t) => {
  for (const fields of [{ group: 'vip' }, { routing: smart('best') }]) {
    const { id } = await create({ ...fields, cross_group_retry: false })
    t.same(contentOf(await update({ id, group: '' })), {
      routing: manual(['default'], false),
      routing_legacy: true,
      group: '',
      cross_group_retry: false,
    })
    t.equal((await stored(id)).routing, null)
  }
})

t.test(
  '[ROUTE-7] [OPS-3] cross_group_retry is optional: left out it stays, false switches retries off',
  async (t) => {
    const list = manual(['vip', 'lab'])
    const { id } = await create({ routing: list })
    const off = { routing: manual(['vip', 'lab'], false), cross_group_retry: false, group: 'vip' }
    t.match(await update({ id, name: 'other' }), { routing: list, cross_group_retry: true })
    t.match(await update({ id, cross_group_retry: false }), off)
    t.match(await update({ id, name: 'third' }), off, 'left out it stays')
    const next = manual(['lab', 'vip'], false)
    const { retry_on_failure: _, ...rest } = next
    t.match(await update({ id, routing: rest }), { routing: next }, 'also beside another policy')
    t.match(await update({ id, cross_group_retry: true }), { cross_group_retry: true })

    t.equal((await create({})).cross_group_retry, true)
    const legacy = await create({ cross_group_retry: false })
    t.match(legacy, { routing: manual(['default'], false), routing_legacy: true })
    t.match(await create({ group: 'vip', cross_group_retry: false }), {
      routing: manual(['vip'], false),
    })
    for (const value of [null, 0, 'false', 'no', []]) {
      const fault = { code: 'invalid_field', param: 'cross_group_retry' }
      await t.rejects(create({ cross_group_retry: value }), fault, JSON.stringify(value))
      await t.rejects(update({ id, cross_group_retry: value }), fault, JSON.stringify(value))
    }
    t.equal((await read(id)).cross_group_retry, true)
  },
)

t.test('of two spellings of the switch, the one that states something new counts', async (t) => {
  // [as stored, in the policy, legacy, in force afterwards]
  const rows = [
    [true, false, true, false],
    [true, true, false, false],
    [true, false, undefined, false],
    [true, undefined, false, false],
    [true, undefined, undefined, true],
    [false, true, false, true],
    [false, false, true, true],
    [false, true, undefined, true],
    [false, undefined, true, true],
    [false, undefined, undefined, false],
  ] as const
  for (const [before, inPolicy, legacy, after] of rows) {
    const label = `${before}: ${inPolicy}, ${legacy}`
    const { id } = await create({ routing: manual(['vip'], before) })
    const { retry_on_failure: _, ...policy } = manual(['lab', 'vip'])
    const record = await update({
      id,
      routing: { ...policy, ...(inPolicy !== undefined && { retry_on_failure: inPolicy }) },
      ...(legacy !== undefined && { cross_group_retry: legacy }),
    })
    t.match(record, { cross_group_retry: after, group: 'lab' }, label)
    t.equal(record.routing.retry_on_failure, after, label)
  }
})

t.test(
  '[ROUTE-12] a change that reveals nothing of routing keeps it, even where it became bad',
  async (t) => {
    const policies = [manual(['vip', 'lab'], false), smart('best')]
    for (const policy of policies) {
      const { id } = await create({ routing: policy })
      const before = await stored(id)
      await update({ id, name: 'other', model_limits: 'a' })
      await update({ id, status: 2 })
      t.same(await stored(id), before)
    }
    const { id } = await create({})
    const gone = { routing: manual(['gone', 'vip']), group: 'gone', cross_group_retry: true }
    await knex('tokens')
      .where({ id })
      .update({ ...gone, routing: JSON.stringify(gone.routing) })
    await update({ id, name: 'other' })
    await update({ ...(await read(id)), name: 'third' })
    t.same(await stored(id), gone)
    t.match(await update({ id, cross_group_retry: false }), {
      routing: manual(['gone', 'vip'], false),
    })
    await t.rejects(update({ id, routing: manual(['gone']) }), {
      code: 'invalid_field',
      param: 'routing.groups',
    })
  },
)

t.test('a script that sends a record back changes what it changed and nothing else', async (t) => {
  const made = [
    await create({}),
    await create({ routing: smart('best') }),
    await create({ group: 'lab' }),
  ]
  for (const { id } of made) {
    const record = await read(id)
    const before = await stored(id)
    t.same(contentOf(await update({ ...record })), contentOf(record), 'nothing')
    t.same(await stored(id), before)
    const { auto_route, ...short } = record.routing
    const sent = { ...record, routing: record.routing.mode === 'manual' ? short : record.routing }
    await update(sent)
    t.same(await stored(id), before, 'parts its mode does not read may be left out')

    const moved = await update({ ...record, group: 'a' })
    t.match(moved, { routing: manual(['a']), group: 'a', routing_legacy: false })
    const switched = await update({ ...moved, cross_group_retry: false })
    t.match(switched, { routing: manual(['a'], false), group: 'a', cross_group_retry: false })
    const rerouted = await update({ ...switched, routing: smart('best') })
    t.match(rerouted, { routing: smart('best'), group: 'vip', cross_group_retry: true })
    await update({ ...rerouted, group: '' })
    t.same(await stored(id), { routing: null, group: '', cross_group_retry: true })
  }
})

t.test('what a user may use decides: their own group, and for admins every group', async (t) => {
  const member: Principal = { ...(await gateway.person('eve')), group: 'secret' }
  t.match(await create({ routing: manual(['secret', 'vip']) }, member), { group: 'secret' })
  t.match(await create({ routing: smart('staff') }, member), { group: 'default' })
  t.match(await create({ routing: smart('partial') }, member), { group: 'secret' })
  const root = await gateway.person('root', 100)
  t.match(await create({ routing: manual(['secret']) }, root), { group: 'secret' })
  await t.rejects(create({ routing: manual(['bare']) }, root), {
    code: 'invalid_field',
    param: 'routing.groups',
  })
  await t.rejects(create({ routing: smart('off') }, root), {
    code: 'invalid_field',
    param: 'routing.auto_route',
  })
})

t.test('edits of group, switch and policy at once leave both spellings in step', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await create({ routing: manual(['vip', 'lab']) })
    await Promise.all([
      update({ id, cross_group_retry: false }),
      update({ id, group: 'lab' }),
      update({ id, name: `round ${round}` }),
    ])
    t.match(await read(id), {
      routing: manual(['lab'], false),
      group: 'lab',
      cross_group_retry: false,
      name: `round ${round}`,
    })
  }
})
