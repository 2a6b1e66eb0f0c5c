/** Users: what those with more rank may do to those with less. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createUsers from '../../../plugins/management/users/index.js'
import type { Audit } from '../../../plugins/services/audit/index.js'
import type { OAuth } from '../../../plugins/services/oauth/index.js'
import { joiningFixture, tally, verdict } from '../services/joining-fixture.js'
import { call, data, password, passwordSignIn, settingsOf } from './management-fixture.js'

const gateway = await joiningFixture(t)
const { clock, log, person, apiKey, identity, ledger, database, proven } = gateway
const { knex } = database
const github = { provider: 'github', title: 'GitHub', name: 'octocat', createdAt: 1_700_000_000 }
const oauth: OAuth = {
  buttons: () => [],
  bindings: async () => [github],
  source() {
    throw new Error('nobody signs in here')
  },
  reserved: () => false,
}
const factors = { ...gateway.factors, of: async () => ({ totp: true, passkeys: 2 }) }
const audit: Audit = {
  record: async () => undefined,
  refused() {},
  watch() {},
  watchRefused() {},
  page: async () => ({ items: [], total: 0 }),
  verify: async (day) => ({ day, rows: 0, heads: 0, head: null }),
}
const services = { ...gateway, audit, oauth, factors }
const area = createUsers({ settings: settingsOf({}), clock, log, services })
const root = await person('root', 100)

async function cookieOf(username: string): Promise<string> {
  const attempt = { username, password, address: '', userAgent: '', secure: false }
  return (await passwordSignIn(identity, attempt)).cookie.split(';', 1)[0] ?? ''
}

const who = (cookie: string) => identity.principal({ headers: { cookie } })

const manage = (principal: Principal, body: object) => data(area, 'manage', { principal, body })

/** With a reason and a fresh proof, as root has to. */
async function credit(principal: Principal, body: object, moneyKey = 'k') {
  const proof = await proven(principal, 'balance')
  const form = { action: 'add_quota', remark: 'a reason', ...body }
  return data(area, 'manage', { body: form, moneyKey, ...proof })
}

async function balance({ userId }: Principal): Promise<bigint> {
  const wallet = (await ledger.wallets([userId])).get(userId)
  return (wallet?.posted ?? 0n) - (wallet?.held ?? 0n)
}

t.test(
  'one user is shown with what is held, their second factors and where else they sign in',
  async (t) => {
    const { userId } = await person('whole')
    await credit(root, { id: userId, mode: 'add', value: 100 }, 'whole')
    const result = await data(area, 'read', { principal: root, params: { id: String(userId) } })
    t.match(result, { id: userId, quota: 100, held: 0, two_factor: true, passkeys: 2 })
    t.type(result.has_password, 'boolean')
    const { createdAt: created_at, ...binding } = github
    t.strictSame(result.bindings, [{ ...binding, created_at }])
  },
)

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
    credit(root, { id: ada.userId, mode, value }, key)
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
    values.map((value) => credit(root, { id: ada.userId, mode: 'override', value }, `o${value}`)),
  )
  t.ok(values.map(BigInt).includes(await balance(ada)))
})

t.test('only root moves money by hand, in whole and sane amounts', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const form = { id: ada.userId, mode: 'add', value: 1 }
  await t.rejects(credit(admin, form), { code: 'forbidden' })
  const rows: [object, string][] = [
    [{ value: 0 }, 'value'],
    [{ value: -1 }, 'value'],
    [{ value: 1.5 }, 'value'],
    [{ value: 1e18 }, 'value'],
    [{ value: undefined }, 'value'],
    [{ mode: 'give' }, 'mode'],
    [{ action: 'bless' }, 'action'],
    [{ id: 0 }, 'id'],
    [{ remark: undefined }, 'remark'],
    [{ remark: ' ' }, 'remark'],
  ]
  for (const [over, field] of rows) {
    await t.rejects(credit(root, { ...form, ...over }), { code: 'invalid_field', param: field })
  }
  await t.rejects(credit(root, { ...form, id: 999_999 }), { code: 'gone_missing' })
})

t.test('an update changes what is sent, and a new password ends the sessions', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const update = (principal: Principal, body: object) =>
    data(area, 'update', { principal, body: { id: ada.userId, ...body } })
  const cookie = await cookieOf(ada.username)
  const changed = await update(admin, { display_name: 'Ada', group: 'vip', quota: 5, role: 1 })
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
  await t.rejects(update(root, { id: root.userId, password: 'another long one' }), {
    code: 'forbidden',
  })
  const stored = await knex('users').where('id', ada.userId).first('role', 'username')
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

t.test("[AUTH-2] a role is root's to give and to take, and takes sessions with it", async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const update = (principal: Principal, body: object) => data(area, 'update', { principal, body })
  const set = (by: Principal, whom: Principal, role: number) =>
    verdict(update(by, { id: whom.userId, role }))
  t.equal(await set(admin, ada, 10), 'forbidden')
  t.equal(await set(admin, ada, 1), 'done', 'as it was read')
  t.equal(await set(root, ada, 100), 'forbidden', 'there is one root')
  t.equal(await set(root, root, 100), 'done', 'as it was read')
  t.equal(await set(root, root, 10), 'forbidden')
  const cookie = await cookieOf(ada.username)
  t.equal(await set(root, ada, 10), 'done')
  t.equal(await who(cookie), undefined)
  const next = await cookieOf(ada.username)
  t.match(await who(next), { role: 10 })
  t.equal(await set(root, ada, 1), 'done')
  t.equal(await who(next), undefined)
  await t.rejects(update(root, { id: ada.userId, role: 5 }), {
    code: 'invalid_field',
    param: 'role',
  })
})

t.test('[AUTH-2] an admin who was demoted meanwhile does nothing any more', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  await manage(root, { id: admin.userId, action: 'demote' })
  // As if the request had come in before.
  t.equal(await verdict(manage(admin, { id: ada.userId, action: 'disable' })), 'forbidden')
  t.equal(
    await verdict(data(area, 'update', { principal: admin, body: { id: ada.userId } })),
    'forbidden',
  )
  await manage(root, { id: admin.userId, action: 'promote' })
  await manage(root, { id: admin.userId, action: 'disable' })
  t.equal(await verdict(manage(admin, { id: ada.userId, action: 'disable' })), 'forbidden')
})

t.test('[AUTH-2] of two admins who do the same at once, both may, and one deletes', async (t) => {
  const [one, two] = [await person('admin', 10), await person('admin', 10)]
  const ada = await person('ada')
  const by = (action: string) => (principal: Principal) =>
    verdict(manage(principal, { id: ada.userId, action }))
  t.same(await Promise.all([one, two].map(by('disable'))), ['done', 'done'])
  t.same(tally(await Promise.all([one, two, root].map(by('delete')))), { done: 1, gone_missing: 2 })
})

t.test('a balance moved by hand is reported at once to whoever looks at it', async (t) => {
  const ada = await person('ada')
  const heard: string[] = []
  gateway.changes.on('users', (ids) => void heard.push(...ids))
  await credit(root, { id: ada.userId, mode: 'add', value: 5 }, 'told')
  t.ok(heard.includes(String(ada.userId)))
})

t.test('money made by hand needs a reason and a fresh proof, and both are reported', async (t) => {
  const ada = await person('ada')
  const body = { id: ada.userId, action: 'add_quota', mode: 'add', value: 70, remark: 'a gift' }
  const ask = (proof: object, moneyKey: string) =>
    call(area, 'manage', { body, moneyKey, ...proof })
  t.equal(await verdict(ask({ principal: root }, 'p1')), 'session_required')
  t.equal(await verdict(ask(await proven(root, 'channel_key'), 'p2')), 'verification_required')
  const proof = await proven(root, 'balance')
  const { audit } = await ask(proof, 'p3')
  t.same(audit, {
    object: `user ${ada.userId}`,
    detail: 'balance add 70: a gift',
    before: '0',
    after: '70',
  })
  t.equal(await verdict(ask(proof, 'p4')), 'verification_required', 'a proof counts once')
  t.equal(await balance(ada), 70n)
  const entry = await knex('transfers').where({ idem_key: 'admin:p3' }).first()
  t.match(entry, { kind: 'admin', ref: { note: 'a gift' } })
})

t.test('an action is reported with what was before and after', async (t) => {
  const ada = await person('ada')
  const { audit } = await call(area, 'manage', {
    principal: root,
    body: { id: ada.userId, action: 'promote', remark: 'no matter' },
  })
  t.same(audit, {
    object: `user ${ada.userId}`,
    detail: 'promote',
    before: { role: 1, status: 1 },
    after: { role: 10, status: 1 },
  })
  const update = await call(area, 'update', {
    principal: root,
    body: { id: ada.userId, password: 'another long one', remark: 'x' },
  })
  t.equal(update.audit.detail, 'password remark')
  t.notMatch(JSON.stringify(update), /another long one|argon2/)
})

t.test('an admin takes factors away from lower ranks, which ends the sessions', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const stats = () => data(area, 'factorStats', { principal: admin })
  const before = await stats()
  await knex('totp').insert({ user_id: ada.userId, secret_sealed: '', enabled_at: new Date() })
  const key = { credential_id: Buffer.from('ada'), public_key: Buffer.from('key') }
  await knex('passkeys').insert({ user_id: ada.userId, ...key })
  t.match(await stats(), {
    total_users: before.total_users,
    enabled_users: before.enabled_users + 1,
    passkey_users: before.passkey_users + 1,
    enabled_rate: Number,
  })
  const take = (principal: Principal, route: string, { userId }: Principal) =>
    verdict(data(area, route, { principal, params: { id: String(userId) } }))
  for (const route of ['removePasskeys', 'removeTwoFactor']) {
    const cookie = await cookieOf(ada.username)
    t.equal(await take(admin, route, admin), 'forbidden')
    t.equal(await take(admin, route, root), 'forbidden')
    t.equal(await take(root, route, root), 'forbidden', 'root shows that it is root first')
    t.equal(await take(admin, route, ada), 'done')
    t.equal(await who(cookie), undefined)
  }
  t.same(await stats(), before)
})

t.test('an admin parts lower ranks from their address and from other places', async (t) => {
  const admin = await person('admin', 10)
  const ada = await person('ada')
  const mine = { email: 'ada@example.com', email_verified: true }
  await knex('users').where('id', ada.userId).update(mine)
  await knex('oauth_identities').insert({ user_id: ada.userId, provider: 'github', subject: '7' })
  const record = await data(area, 'read', { principal: admin, params: { id: String(ada.userId) } })
  t.match(record, { email: 'ada@example.com', github_id: '7', aff_count: 0, inviter_id: 0 })
  const part = (principal: Principal, binding_type: string, { userId }: Principal) =>
    verdict(data(area, 'unbind', { principal, params: { id: String(userId), binding_type } }))
  const cookie = await cookieOf(ada.username)
  t.equal(await part(admin, 'email', root), 'forbidden')
  t.equal(await part(admin, 'discord', ada), 'gone_missing')
  t.equal(await part(admin, '../x', ada), 'invalid_field')
  t.ok(await who(cookie))
  t.equal(await part(admin, 'email', ada), 'done')
  t.equal(await who(cookie), undefined)
  t.equal(await part(admin, 'email', ada), 'gone_missing')
  t.equal(await part(admin, 'github', ada), 'done')
  const after = await data(area, 'read', { principal: admin, params: { id: String(ada.userId) } })
  t.match(after, { email: '', github_id: '' })
})

t.test(
  '[AUTH-2] an access token ends with the password, the role or the state an admin changes',
  async (t) => {
    const changes: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
      password: (id) =>
        data(area, 'update', {
          principal: root,
          body: { id, password: 'four unrelated purple words' },
        }),
      promotion: (id) => manage(root, { id, action: 'promote' }),
      disabling: (id) => manage(root, { id, action: 'disable' }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const { userId } = await person('ada')
      const { token: authorization } = await identity.accessTokens.replace({
        userId,
        name: 'default',
      })
      t.ok(await identity.principal({ headers: { authorization } }), name)
      await change(userId)
      await knex('users').where('id', userId).update({ status: 1 })
      t.equal(await identity.principal({ headers: { authorization } }), undefined, name)
    }
  },
)

t.test('who is deleted is known by nothing any more', async (t) => {
  const ada = await person('ada')
  await knex('oauth_identities').insert({ user_id: ada.userId, provider: 'oidc', subject: 'ada' })
  const script = (await identity.accessTokens.replace({ userId: ada.userId, name: 'default' }))
    .token
  t.ok(await identity.principal({ headers: { authorization: script } }))
  await manage(root, { id: ada.userId, action: 'delete' })
  t.equal(await identity.principal({ headers: { authorization: script } }), undefined)
  t.same(await knex('oauth_identities').where('user_id', ada.userId), [])
  const row = await knex('users').where('id', ada.userId).first()
  t.match(row, { password_hash: '', status: 2 })
  t.same(await knex('access_tokens').where('user_id', ada.userId), [])
})

t.test('a page is sorted by balance, too', async (t) => {
  const [poor, rich] = [await person('purse'), await person('purse')]
  await credit(root, { id: rich.userId, mode: 'add', value: 9 }, 'rich')
  const query = { keyword: 'purse', sort_by: 'quota' }
  const { items } = await data(area, 'search', { principal: root, query })
  t.same(
    items.map((item: { id: number }) => item.id),
    [rich.userId, poor.userId],
  )
})

t.test('who never signed in is the last who did, and the first who did not for long', async (t) => {
  const [never, long, lately] = [await person('away'), await person('away'), await person('away')]
  await knex('users')
    .where('id', long.userId)
    .update({ last_login_at: new Date(1_000_000) })
  await knex('users')
    .where('id', lately.userId)
    .update({ last_login_at: new Date(2_000_000) })
  await knex('users').where('id', never.userId).update({ last_login_at: null })
  const ids = async (sort_order: string) => {
    const query = { keyword: 'away', sort_by: 'last_login_at', sort_order }
    const { items } = await data(area, 'list', { principal: root, query })
    return items.map((item: { id: number }) => item.id)
  }
  t.same(await ids('desc'), [lately.userId, long.userId, never.userId])
  t.same(await ids('asc'), [never.userId, long.userId, lately.userId])
})
