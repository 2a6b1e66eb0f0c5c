/** API keys of others: what admins see of them, and whose they may switch. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createTokens from '../../../plugins/management/tokens/index.js'
import { call, data, managementFixture, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, log, person, identity, database } = gateway
const area = createTokens({
  settings: settingsOf({ reveal: true, tokensPerUser: 1_000 }),
  clock,
  log,
  services: gateway,
})

async function keyOf(owner: Principal, body: object = {}) {
  return data(area, 'create', { principal: owner, body: { name: 'laptop', ...body } })
}

function put(principal: Principal, id: number, status: unknown) {
  return call(area, 'switchOther', { principal, params: { id: String(id) }, body: { status } })
}

t.test('[AUTH-1] an admin is shown the keys of a user, masked, with what is left', async (t) => {
  const [admin, ada, bob] = [await person('admin', 10), await person('ada'), await person('bob')]
  const made = await keyOf(ada, { remain_quota: 500, budget_quota: 90, budget_period: 'day' })
  await keyOf(bob)
  const query = { user: String(ada.userId) }
  const page = await data(area, 'listOthers', { principal: admin, query })
  t.match(page, {
    total: 1,
    items: [
      {
        ...{ id: made.id, user_id: ada.userId, username: ada.username, name: 'laptop', status: 1 },
        ...{ key: `sk-************${made.key.slice(-4)}`, remain_quota: 500 },
        ...{ budget_quota: 90, budget_remaining: 90 },
      },
    ],
  })
  t.notMatch(JSON.stringify(page), made.key.slice(3), 'no secret leaves')
  const all = await data(area, 'listOthers', { principal: admin })
  const owners = all.items.map(({ username }: { username: string }) => username)
  t.strictSame(owners, [bob.username, ada.username])
})

t.test('a key is found by its name, its number or the key somebody has seen', async (t) => {
  const [admin, ada] = [await person('admin', 10), await person('ada')]
  const made = await keyOf(ada, { name: 'build server' })
  const search = async (query: object) => {
    const { items } = await data(area, 'listOthers', { principal: admin, query })
    return items.map(({ id }: { id: number }) => id)
  }
  t.strictSame(await search({ keyword: 'BUILD' }), [made.id])
  t.ok((await search({ keyword: String(made.id) })).includes(made.id))
  t.strictSame(await search({ keyword: `#${made.id}` }), [made.id])
  t.strictSame(await search({ token: made.key }), [made.id])
  t.strictSame(await search({ keyword: 'nothing' }), [])
  t.strictSame(await search({ keyword: 'build', user: String(admin.userId) }), [])
  const own = await data(area, 'search', { principal: ada, query: { keyword: String(made.id) } })
  t.match(own.items, [{ id: made.id }])
  const eve = await person('eve')
  const hers = await data(area, 'search', { principal: eve, query: { keyword: String(made.id) } })
  t.strictSame(hers.items, [], 'the list of one person holds no key of another')
})

t.test('an admin switches a key of a user off and on, which the audit log names', async (t) => {
  const [admin, ada] = [await person('admin', 10), await person('ada')]
  const made = await keyOf(ada)
  const off = await put(admin, made.id, 2)
  t.match(off.data, { id: made.id, status: 2, username: ada.username })
  t.match(off.audit, {
    object: `user ${ada.userId}`,
    detail: `API key ${made.id} "laptop" off`,
  })
  await t.rejects(async () => identity.byKey(made.key, '::1'), 'it stops at once')
  t.match((await put(admin, made.id, 1)).audit, { detail: `API key ${made.id} "laptop" on` })
  t.match(await identity.byKey(made.key, '::1'), { token: { id: made.id } })
  for (const status of [0, 3, '', null]) {
    await t.rejects(put(admin, made.id, status), { code: 'invalid_field', param: 'status' })
  }
  await data(area, 'remove', { principal: ada, params: { id: String(made.id) } })
  await t.rejects(put(admin, made.id, 2), { code: 'gone_missing' })
})

t.test('switching on a key that has expired is refused', async (t) => {
  const [admin, ada] = [await person('admin', 10), await person('ada')]
  const made = await keyOf(ada, { expired_time: Math.floor(clock.now() / 1000) - 60 })
  await put(admin, made.id, 2)
  await t.rejects(put(admin, made.id, 1), { code: 'invalid_field', param: 'status' })
  const { status } = await database.knex('tokens').where({ id: made.id }).first('status')
  t.equal(status, 2, 'and changes nothing')
})

t.test('keys of those of equal or higher role are out of reach but for root', async (t) => {
  const [admin, other, root] = [
    await person('admin', 10),
    await person('other', 10),
    await person('root', 100),
  ]
  const [theirs, roots, own] = [await keyOf(other), await keyOf(root), await keyOf(admin)]
  for (const { id } of [theirs, roots]) {
    await t.rejects(put(admin, id, 2), { code: 'forbidden' })
    const { status } = await database.knex('tokens').where({ id }).first('status')
    t.equal(status, 1)
  }
  t.match((await put(admin, own.id, 2)).data, { status: 2 })
  t.match((await put(root, theirs.id, 2)).data, { status: 2 })
})
