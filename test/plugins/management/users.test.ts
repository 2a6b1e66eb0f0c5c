/** Users: signing in, and what those with more rank may do to those with less. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createUsers from '../../../plugins/management/users/index.js'
import { call, data, desk, password, passwordSignIn, settingsOf } from './desk.js'

const house = await desk(t)
const { clock, log, person, apiKey, identity, ledger, database } = house
const area = createUsers({ settings: settingsOf({}), clock, log, services: house })
const root = await person('root', 100)

async function cookieOf(username: string): Promise<string> {
  const { headers } = await call(area, 'login', { body: { username, password } })
  return firstOf(headers['set-cookie'])
}

function firstOf(setCookie: unknown): string {
  return String(setCookie).split(';', 1)[0] ?? ''
}

const who = (cookie: string) => identity.principal({ headers: { cookie } })

const manage = (principal: Principal, body: object, moneyKey = 'k') =>
  data(area, 'manage', { principal, body, moneyKey })

async function balance({ userId }: Principal): Promise<bigint> {
  const wallet = (await ledger.wallets([userId])).get(userId)
  return (wallet?.posted ?? 0n) - (wallet?.held ?? 0n)
}

t.test(
  '[AUTH-2] login opens a session, logout ends it, and a new login replaces the old',
  async (t) => {
    const answer = await call(area, 'login', { body: { username: root.username, password } })
    t.same(answer.data, {
      id: root.userId,
      username: root.username,
      display_name: root.username,
      role: 100,
      status: 1,
      group: 'default',
    })
    t.equal(answer.headers['cache-control'], 'no-store')
    const cookie = await cookieOf(root.username)
    t.match(await who(cookie), { userId: root.userId })

    const again = await call(area, 'login', {
      body: { username: root.username, password },
      headers: { cookie },
    })
    t.equal(await who(cookie), undefined, 'the id is a new one at each login')
    const next = firstOf(again.headers['set-cookie'])
    const bye = await call(area, 'logout', { headers: { cookie: next } })
    t.match(bye.headers['set-cookie'], /^session=; .*Max-Age=0/)
    t.equal(await who(next), undefined)
    t.match(await call(area, 'logoutByPost', {}), { data: null }, 'nobody may leave, too')
  },
)

t.test('a login that is refused says no more than it must', async (t) => {
  const login = (body: object) => call(area, 'login', { body })
  await t.rejects(login({ username: root.username, password: 'wrong' }), {
    code: 'invalid_credentials',
  })
  await t.rejects(login({ username: 'nobody', password }), { code: 'invalid_credentials' })
  await t.rejects(login({ username: 'a\0b', password }), {
    code: 'invalid_field',
    param: 'username',
  })
  await t.rejects(login({ username: root.username }), { code: 'invalid_field', param: 'password' })
})

t.test('the signed-in user sees balance and usage, and no secret', async (t) => {
  const ada = await person('ada')
  const movement = { key: 'self', kind: 'admin', userId: ada.userId, amount: 700n } as const
  await ledger.post({ ...movement, requestId: 'r', note: 'n' })
  const self = await data(area, 'self', { principal: ada })
  t.match(self, { id: ada.userId, username: ada.username, role: 1, group: 'default', status: 1 })
  t.match(self, { quota: 700, used_quota: 0, request_count: 0, setting: '{}' })
  t.notMatch(JSON.stringify(self), /argon2|password/)
})

t.test('an admin makes users of lower rank, each with a wallet', async (t) => {
  const admin = await person('admin', 10)
  const form = { username: 'ada', password, display_name: 'Ada' }
  const made = await data(area, 'create', { principal: admin, body: form })
  t.match(made, { username: 'ada', display_name: 'Ada', role: 1, status: 1, quota: 0 })
  t.match((await ledger.wallets([made.id])).get(made.id), { posted: 0n, active: true })
  const attempt = { username: 'ada', password, address: '', userAgent: '', secure: false }
  t.equal((await passwordSignIn(identity, attempt)).principal.userId, made.id)

  const create = (principal: Principal, over: object) =>
    data(area, 'create', { principal, body: { ...form, ...over } })
  await t.rejects(create(admin, { username: 'ADA' }), { code: 'conflict', param: 'username' })
  await t.rejects(create(admin, { username: 'eve', role: 10 }), { code: 'forbidden' })
  t.match(await create(root, { username: 'eve', role: 10 }), { role: 10 })
  await t.rejects(create(root, { username: 'zed', role: 100 }), {
    code: 'invalid_field',
    param: 'role',
  })
  await t.rejects(create(root, { username: 'zed', group: 'no' }), {
    code: 'invalid_field',
    param: 'group',
  })
  await t.rejects(create(root, { username: 'zed', password: 'x' }), {
    code: 'invalid_field',
    param: 'password',
  })
})

t.test(
  '[AUTH-2] each action reaches lower ranks only, and what it takes away ends at once',
  async (t) => {
    const admin = await person('admin', 10)
    const peer = await person('peer', 10)
    const ada = await person('ada')
    const on = ({ userId }: Principal, action: string) => ({ id: userId, action })
    const rows = [
      // who    whom   action     answer
      [admin, root, 'disable', 'forbidden'],
      [admin, peer, 'disable', 'forbidden'],
      [admin, admin, 'disable', 'forbidden'],
      [ada, peer, 'delete', 'forbidden'],
      [root, root, 'disable', 'forbidden'],
      [root, root, 'demote', 'forbidden'],
      [admin, ada, 'promote', 'forbidden'],
      [admin, ada, 'demote', 'forbidden'],
      [admin, ada, 'disable', { role: 1, status: 2 }],
      [admin, ada, 'enable', { role: 1, status: 1 }],
      [root, ada, 'promote', { role: 10, status: 1 }],
      [admin, ada, 'disable', 'forbidden'],
      [root, ada, 'demote', { role: 1, status: 1 }],
      [admin, ada, 'delete', { role: 1, status: 2 }],
      [root, ada, 'enable', 'gone_missing'],
    ] as const
    for (const [by, whom, action, expected] of rows) {
      const outcome = await manage(by, on(whom, action)).catch((error) => error.code)
      t.same(outcome, expected, `${by.username} would ${action} ${whom.username}`)
    }
  },
)

t.test('[AUTH-2] who is disabled, demoted or deleted loses session, keys and holds', async (t) => {
  const ada = await person('ada')
  const { key } = await apiKey(ada.userId)
  const wallet = async () => (await ledger.wallets([ada.userId])).get(ada.userId)
  const verdict = async () => {
    try {
      return (await identity.byKey(key, '198.51.100.7')).user.id
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error
    }
  }
  const act = (action: string) => manage(root, { id: ada.userId, action })

  const first = await cookieOf(ada.username)
  t.equal(await verdict(), ada.userId)
  await act('disable')
  t.equal(await who(first), undefined)
  t.equal(await verdict(), 'user_disabled')
  t.equal((await wallet())?.active, false)
  await act('enable')
  t.equal(await verdict(), ada.userId)
  t.equal((await wallet())?.active, true)
  t.equal(await who(first), undefined, 'an old session does not come back')

  await act('promote')
  const second = await cookieOf(ada.username)
  t.match(await who(second), { role: 10 })
  await act('demote')
  t.equal(await who(second), undefined)

  await act('delete')
  t.equal(await verdict(), 'token_owner_deleted')
  t.equal((await wallet())?.active, false)
  await t.rejects(cookieOf(ada.username), { code: 'invalid_credentials' })
  const again = { username: ada.username, password }
  t.match(
    await data(area, 'create', { principal: root, body: again }),
    { username: ada.username },
    'the name is free again',
  )
})

t.test('[BILL-2] a movement of the balance happens once for its key', async (t) => {
  const ada = await person('ada')
  const move = (mode: string, value: number, key: string) =>
    manage(root, { id: ada.userId, action: 'add_quota', mode, value }, key)
  t.match(await move('add', 1_000, 'a'), { role: 1, status: 1, quota: 1_000 })
  t.match(await move('add', 1_000, 'a'), { quota: 1_000 })
  t.match(await move('subtract', 400, 'b'), { quota: 600 })
  t.match(await move('override', 5_000, 'c'), { quota: 5_000 })
  t.match(await move('override', 5_000, 'd'), { quota: 5_000 })
  t.match(await move('override', -20, 'e'), { quota: -20 })
  await t.rejects(move('subtract', 1, 'f'), { code: 'insufficient_balance', param: 'value' })
  t.equal(await balance(ada), -20n)
  const wallet = (await ledger.wallets([ada.userId])).get(ada.userId)?.accountId ?? 0
  const keys = await database
    .knex('transfers')
    .where((side) => side.where('debit_account', wallet).orWhere('credit_account', wallet))
    .orderBy('id')
    .pluck('idem_key')
  t.same(keys, ['admin:a', 'admin:b', 'admin:c', 'admin:e'])
  await t.rejects(move('add', 1, ''), /without a key/)
})

t.test('[BILL-2] racing overrides end at one of the values', async (t) => {
  const values = [100, 200, 300, 400]
  const ada = await person('ada')
  await Promise.all(
    values.map((value) =>
      manage(root, { id: ada.userId, action: 'add_quota', mode: 'override', value }, `o${value}`),
    ),
  )
  t.ok(values.map(BigInt).includes(await balance(ada)))
})

t.test('only root moves money by hand, in whole and sane amounts', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const form = { id: ada.userId, action: 'add_quota', mode: 'add', value: 1 }
  await t.rejects(manage(admin, form), { code: 'forbidden' })
  const rows: [object, string][] = [
    [{ value: 0 }, 'value'],
    [{ value: -1 }, 'value'],
    [{ value: 1.5 }, 'value'],
    [{ value: 1e18 }, 'value'],
    [{ value: undefined }, 'value'],
    [{ mode: 'give' }, 'mode'],
    [{ action: 'bless' }, 'action'],
    [{ id: 0 }, 'id'],
  ]
  for (const [over, field] of rows) {
    await t.rejects(manage(root, { ...form, ...over }), { code: 'invalid_field', param: field })
  }
  await t.rejects(manage(root, { ...form, id: 999 }), { code: 'gone_missing' })
})

t.test('an update changes what is sent, and a new password ends the sessions', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const update = (principal: Principal, body: object) =>
    data(area, 'update', { principal, body: { id: ada.userId, ...body } })
  const cookie = await cookieOf(ada.username)
  const changed = await update(admin, { display_name: 'Ada', group: 'vip', quota: 5, role: 100 })
  t.match(changed, { username: ada.username, display_name: 'Ada', group: 'vip', role: 1, quota: 0 })
  t.ok(await who(cookie))
  await update(admin, { password: '' })
  t.ok(await who(cookie), 'a blank password is no password')
  await update(admin, { password: 'another long one' })
  t.equal(await who(cookie), undefined)
  await t.rejects(cookieOf(ada.username), { code: 'invalid_credentials' })

  await t.rejects(update(admin, { username: admin.username.toUpperCase() }), {
    code: 'conflict',
    param: 'username',
  })
  await t.rejects(update(admin, { group: 'none' }), { code: 'invalid_field', param: 'group' })
  await t.rejects(update(admin, { id: root.userId, remark: 'x' }), { code: 'forbidden' })
  await t.rejects(update(ada, { id: admin.userId }), { code: 'forbidden' })
  t.match(await update(root, { id: root.userId, remark: 'me' }), { remark: 'me' })
  const stored = await database.knex('users').where('id', ada.userId).first('role', 'username')
  t.same({ ...stored }, { role: 1, username: ada.username })
})

t.test('a page of users is bounded, sorted and searched; deleted ones are marked', async (t) => {
  const [one, two, admin] = [await person('zed_'), await person('zedx'), await person('zed_', 10)]
  await manage(root, { id: one.userId, action: 'delete' })
  const page = (query: object) =>
    data(area, 'list', { principal: root, query: { keyword: 'zed', ...query } })
  const ids = async (query: object) =>
    (await page(query)).items.map((item: { id: number }) => item.id)
  t.same(await ids({}), [admin.userId, two.userId, one.userId])
  t.same(await ids({ keyword: 'zed_' }), [admin.userId, one.userId], 'a sign of patterns is a sign')
  t.same(await ids({ keyword: one.username.toUpperCase() }), [one.userId])
  t.same(await ids({ status: -1 }), [one.userId])
  t.same(await ids({ status: 1 }), [admin.userId, two.userId])
  t.same(await ids({ role: 10 }), [admin.userId])
  t.same(await ids({ group: 'vip' }), [])
  t.same(await ids({ page_size: 1, p: 2, sort_by: 'id', sort_order: 'asc' }), [two.userId])
  t.match(await page({ page_size: 1 }), { page: 1, page_size: 1, total: 3 })
  t.match(await page({ ps: 1_000 }), { page_size: 100 })
  t.same((await ids({ keyword: String(admin.userId) })).includes(admin.userId), true)
  await t.rejects(page({ sort_by: 'password_hash' }), { code: 'invalid_field', param: 'sort_by' })
  const read = (id: number) => data(area, 'read', { principal: root, params: { id: String(id) } })
  t.match(await read(one.userId), { username: one.username, status: 2, DeletedAt: String })
  await t.rejects(read(999_999), { code: 'gone_missing' })
})

t.test('DELETE deletes as the action does', async (t) => {
  const ada = await person('ada')
  const cookie = await cookieOf(ada.username)
  const params = { id: String(ada.userId) }
  t.equal(await data(area, 'remove', { principal: root, params }), null)
  t.equal(await who(cookie), undefined)
  await t.rejects(data(area, 'remove', { principal: root, params }), { code: 'gone_missing' })
})
