/** The own account: what it shows, what its owner changes, the access token, and the end. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createAccount from '../../../plugins/management/account/index.js'
import type { Factors } from '../../../plugins/services/factors/index.js'
import type { Notifications } from '../../../plugins/services/notifications/index.js'
import createOneTime from '../../../plugins/services/one-time/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import createRegistration from '../../../plugins/services/registration/index.js'
import type { Subscriptions } from '../../../plugins/services/subscriptions/index.js'
import createVerification, { type Scope } from '../../../plugins/services/verification/index.js'
import {
  call,
  data,
  freeGuesses,
  managementFixture,
  password,
  type RequestOptions,
  settingsOf,
} from './management-fixture.js'

const gateway = await managementFixture(t)
const { identity, clock, log, ledger } = gateway
const { knex } = gateway.database
const idle = () => ({ stop() {}, async now() {} })
const kit = { settings: settingsOf({}), clock, log }
const oneTime = createOneTime({
  ...kit,
  services: { ...gateway, schedule: { every: idle, everyLeased: idle } },
})
const verification = createVerification({ ...kit, services: { identity, 'one-time': oneTime } })

const counted: number[] = []
const removed: number[] = []
const guesses = {
  ...freeGuesses,
  inSession: async ({ userId }: { readonly userId: number }) => void counted.push(userId),
}
const factors: Pick<Factors, 'of' | 'remove'> = {
  of: async () => ({ totp: true, passkeys: 2 }),
  remove: async (userId) => void removed.push(userId),
}
const registration = createRegistration({
  ...kit,
  services: {
    ...gateway,
    factors: factors as Factors,
    // Joining asks these; leaving asks neither.
    options: { check() {} } as Pick<Options, 'check'> as Options,
    notifications: {} as Notifications,
    subscriptions: {} as Subscriptions,
  },
})
const area = createAccount({
  ...kit,
  services: {
    ...gateway,
    verification,
    registration,
    factors: factors as Factors,
    guesses,
    'account-notices': { page: async () => ({ items: [], total: 0 }) },
  },
})

interface Visitor extends Principal {
  readonly cookie: string
}

/** In a session of their own. */
async function visitor({ userId }: Pick<Principal, 'userId'>): Promise<Visitor> {
  const facts = { method: 'password', address: '', userAgent: '', secure: false } as const
  const { principal, cookie } = await identity.openSession({ userId, ...facts })
  return { ...principal, cookie: cookie.split(';', 1)[0] ?? '' }
}

const person = async (name: string, role = 1) => visitor(await gateway.person(name, role))
const root = await person('root', 100)

async function script({ userId }: Principal): Promise<Principal> {
  const authorization = (await identity.accessTokens.replace({ userId, name: 'default' })).token
  const principal = await identity.principal({ headers: { authorization } })
  if (principal === undefined) throw new Error('nobody')
  return principal
}

async function proven(principal: Principal, scope: Scope): Promise<RequestOptions> {
  const { token } = await verification.grant(principal, scope)
  return { principal, headers: { 'x-verification-token': token } }
}

const update = (principal: Principal, body: object, requested: RequestOptions = {}) =>
  call(area, 'update', { principal, body, ...requested })

const rowOf = ({ userId }: Principal) => knex('users').where('id', userId).first()
const who = (cookie: string) => identity.principal({ headers: { cookie } })

t.test('the signed-in user sees balance, usage and factors, and no secret', async (t) => {
  const ada = await person('ada')
  const movement = { key: 'self', kind: 'admin', userId: ada.userId, amount: 700n } as const
  await ledger.post({ ...movement, requestId: 'r', note: 'n' })
  const setting = { sidebar_modules: '{"chat":{}}', language: 'zh-CN', gotify_token: 'leak' }
  await knex('users').where('id', ada.userId).update({ setting })
  await knex('accounts').where('owner_id', ada.userId).update({ held: 200 })
  const self = await data(area, 'self', { principal: ada })
  // No request stands behind it.
  await knex('accounts').where('owner_id', ada.userId).update({ held: 0 })
  t.match(self, {
    id: ada.userId,
    username: ada.username,
    role: 1,
    status: 1,
    group: 'default',
    quota: 500,
    held: 200,
    used_quota: 0,
    request_count: 0,
    email_verified: false,
    has_password: true,
    two_factor: true,
    passkeys: 2,
    sidebar_modules: '{"chat":{}}',
    language: 'zh-CN',
    github_id: '',
    permissions: { sidebar_settings: true, sidebar_modules: { admin: false } },
  })
  t.equal(JSON.parse(self.setting).gotify_token, '')
  t.notMatch(JSON.stringify(self), /argon2|leak|access_token/)
  const rootSelf = await data(area, 'self', { principal: root })
  t.strictSame(rootSelf.permissions.sidebar_modules, {})
})

t.test('name, language and sidebar change alone, and what is left out stays', async (t) => {
  const [ada, bob] = [await person('ada'), await person('bob')]
  const setting = { webhook_url: 'https://a.example' }
  await knex('users').where('id', ada.userId).update({ setting })
  await update(ada, { language: 'fr' })
  await update(ada, { sidebar_modules: '{"a":1}' })
  await update(ada, { first_steps_hidden: true })
  const answer = await update(ada, { display_name: 'Ada', username: 'lovelace', password: '' })
  t.match(answer, {
    data: null,
    audit: { object: `user ${ada.userId}`, detail: 'display_name, username' },
  })
  t.match(await rowOf(ada), {
    username: 'lovelace',
    display_name: 'Ada',
    setting: { ...setting, language: 'fr', sidebar_modules: '{"a":1}', first_steps_hidden: true },
  })
  t.match(await data(area, 'self', { principal: ada }), { first_steps_hidden: true })
  t.match(await data(area, 'self', { principal: bob }), { first_steps_hidden: false })
  t.ok(await who(ada.cookie), 'none of it ends a session')
  await t.rejects(update(bob, { username: 'LOVELACE' }), { code: 'conflict', param: 'username' })
  await update(await script(bob), { display_name: 'Bob' })
  t.match(await rowOf(bob), { display_name: 'Bob', username: bob.username })
  await update(bob, {})
  await update(bob, { role: 100, quota: 5, status: 2, email: 'x@example.org', group: 'vip' })
  t.match(await rowOf(bob), { role: 1, status: 1, email: '', group: 'default' })
  for (const [field, value] of [
    ['username', 'a b'],
    ['username', 'x'.repeat(33)],
    ['display_name', 'a\u202eb'],
    ['language', 'en; drop'],
    ['first_steps_hidden', 'perhaps'],
    ['sidebar_modules', '[]'],
    ['sidebar_modules', '{'],
    ['sidebar_modules', 'null'],
    ['password', '1234567'],
    ['password', 'ä'.repeat(129)],
    ['password', 12345678],
  ] as const) {
    const refused = { code: 'invalid_field', param: field }
    await t.rejects(update(bob, { [field]: value }), refused, `${field} ${value}`)
  }
})

t.test(
  'a new password needs the old one, ends every other session and renews the own',
  async (t) => {
    const ada = await person('ada')
    const other = await visitor(ada)
    const next = '灯塔下面有七盏红纸灯笼'
    counted.length = 0
    for (const original_password of ['wrong horse', '', undefined, 'x'.repeat(1024)]) {
      const refused = { code: 'verification_failed', param: 'original_password' }
      await t.rejects(update(ada, { password: next, original_password }), refused)
    }
    t.strictSame(counted, Array(4).fill(ada.userId), 'each guess is counted, as a sign-in is')
    t.ok(await who(other.cookie))
    const answer = await update(ada, { password: next, original_password: password })
    t.equal(await who(ada.cookie), undefined)
    t.equal(await who(other.cookie), undefined)
    t.match(await who(String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''), {
      userId: ada.userId,
    })
    t.equal(answer.audit.detail, 'password')
    t.equal(await identity.byPassword(ada.username, next), ada.userId)
    t.equal(await identity.hasPassword(ada.userId, password), false)
  },
)

t.test('a script sets no password, and neither does a proof where there is one', async (t) => {
  const ada = await person('ada')
  const body = { password: 'another horse', original_password: password }
  await t.rejects(update(await script(ada), body), { code: 'session_required' })
  const { headers } = await proven(ada, 'password_change')
  await t.rejects(update(ada, { password: 'another horse' }, { headers }), {
    code: 'verification_failed',
  })
  t.ok(await identity.hasPassword(ada.userId, password))
})

t.test('of two changes of the password at once, one counts', async (t) => {
  const ada = await person('ada')
  const change = (name: string) =>
    update(ada, { password: `${name} horse`, original_password: password })
  const names = ['first', 'second']
  const done = await Promise.allSettled(names.map(change))
  const winners = names.filter((_, at) => done[at]?.status === 'fulfilled')
  t.equal(winners.length, 1)
  t.match(
    done.find(({ status }) => status === 'rejected'),
    { reason: { code: 'conflict' } },
  )
  t.equal(await identity.hasPassword(ada.userId, `${winners[0]} horse`), true)
})

t.test('a first password needs a proof of its own scope', async (t) => {
  const ada = await person('ada')
  const other = await visitor(ada)
  await knex('users').where('id', ada.userId).update({ password_hash: '' })
  t.equal((await data(area, 'self', { principal: ada })).has_password, false)
  const first = { password: 'first horse' }
  const required = { code: 'verification_required' }
  await t.rejects(update(ada, first), required)
  const { headers: foreign } = await proven(ada, 'access_token')
  await t.rejects(update(ada, first, { headers: foreign }), required)
  const { headers } = await proven(ada, 'password_change')
  await update(ada, first, { headers })
  t.equal(await identity.byPassword(ada.username, 'first horse'), ada.userId)
  t.equal(await who(other.cookie), undefined)
})

t.test(
  '[AUTH-4] an access token is made for a fresh proof in a live session, shown once',
  async (t) => {
    const ada = await person('ada')
    const required = { code: 'verification_required' }
    await t.rejects(call(area, 'newAccessToken', { principal: ada }), required)
    const wrong = await proven(ada, 'account_delete')
    await t.rejects(call(area, 'newAccessToken', wrong), required)
    t.strictSame(await identity.accessTokens.list(ada.userId), [])

    const requested = await proven(ada, 'access_token')
    const answer = await call(area, 'newAccessToken', requested)
    t.equal(answer.headers['cache-control'], 'no-store')
    const [{ id } = { id: 0 }] = await identity.accessTokens.list(ada.userId)
    const detail = `access token ${id} "default"`
    t.strictSame(answer.audit, { object: `user ${ada.userId}`, detail })
    const authorization = answer.data
    t.match(await identity.principal({ headers: { authorization } }), { userId: ada.userId })
    await t.rejects(call(area, 'newAccessToken', requested), required, 'a proof counts once')

    const late = await proven(ada, 'access_token')
    clock.advance(300_000)
    await t.rejects(call(area, 'newAccessToken', late), required)
    const elsewhere = { ...(await proven(ada, 'access_token')), principal: await visitor(ada) }
    await t.rejects(call(area, 'newAccessToken', elsewhere), required, 'of another session')
    const other = { ...(await proven(ada, 'access_token')), principal: await person('bob') }
    await t.rejects(call(area, 'newAccessToken', other), required, 'of another user')
    const principal = await identity.principal({ headers: { authorization } })
    await t.rejects(call(area, 'newAccessToken', { principal }), { code: 'session_required' })
  },
)

t.test('[AUTH-4] an access token ends by its owner, and with the password', async (t) => {
  const ada = await person('ada')
  const none = { code: 'gone_missing' }
  await t.rejects(call(area, 'endAccessToken', { principal: ada }), none)
  const asking = await script(ada)
  t.match(await call(area, 'endAccessToken', { principal: asking }), {
    data: null,
    audit: { object: `user ${ada.userId}` },
  })
  await t.rejects(call(area, 'endAccessToken', { principal: ada }), none)

  const { token: authorization } = await identity.accessTokens.replace({
    userId: ada.userId,
    name: 'default',
  })
  t.ok(await identity.principal({ headers: { authorization } }))
  const body = { password: 'another horse battery', original_password: password }
  await call(area, 'update', { principal: ada, body })
  t.equal(await identity.principal({ headers: { authorization } }), undefined)
})

t.test('[AUTH-4] GET makes no access token and states how to ask', async (t) => {
  await t.rejects(call(area, 'noAccessToken', { principal: await person('ada') }), {
    code: 'method_not_allowed',
    headers: { allow: 'POST, DELETE' },
  })
})

t.test(
  '[AUTH-5] an account ends for a proof of scope account_delete, and leaves nothing behind',
  async (t) => {
    const ada = await person('ada')
    const { userId } = ada
    const bob = await person('bob')
    const { key } = await gateway.apiKey(userId)
    await identity.accessTokens.replace({ userId, name: 'default' })
    const owned = async (principal: Principal, email: string) => {
      const { userId: user_id } = principal
      await knex('users')
        .where('id', user_id)
        .update({ email, secrets: { webhook_secret: 's' }, aff_code: `of${user_id}` })
      await knex('oauth_identities').insert({ user_id, provider: 'github', subject: `${user_id}` })
      await knex('outbox').insert({ user_id, type: 'test', payload: '' })
      await oneTime.issue({ kind: 'state', userId: user_id, seconds: 300 })
      const expires_at = new Date(clock.now() + 1000)
      await knex('mail_codes').insert({
        email,
        purpose: 'reset',
        code_hash: Buffer.alloc(32),
        expires_at,
      })
    }
    await owned(ada, 'ada@example.org')
    await owned(bob, 'bob@example.org')
    await t.rejects(call(area, 'remove', { principal: ada }), { code: 'verification_required' })
    const wrong = await proven(ada, 'access_token')
    await t.rejects(call(area, 'remove', wrong), { code: 'verification_required' })
    await t.rejects(call(area, 'remove', { principal: await script(ada) }), {
      code: 'session_required',
    })
    t.equal((await identity.byKey(key, '198.51.100.7')).user.id, userId)

    const answer = await call(area, 'remove', await proven(ada, 'account_delete'))
    t.match(answer.headers['set-cookie'], /^session=; .*Max-Age=0/)
    t.equal(answer.headers['clear-site-data'], '"cache", "storage"')
    t.equal(await who(ada.cookie), undefined)
    t.match(await rowOf(ada), {
      status: 2,
      deleted_at: new Date(clock.now()),
      password_hash: '',
      aff_code: null,
      secrets: {},
    })
    t.equal((await ledger.wallets([userId])).get(userId)?.active, false)
    t.strictSame(removed, [userId])
    for (const table of ['sessions', 'oauth_identities', 'outbox', 'one_time']) {
      const owners = await knex(table).distinct().pluck('user_id')
      t.notOk(owners.includes(userId), table)
      t.ok(owners.includes(bob.userId), table)
    }
    t.strictSame(await knex('mail_codes').pluck('email'), ['bob@example.org'])
    await t.rejects(identity.byPassword(ada.username, password), { code: 'invalid_credentials' })
    await t.rejects(async () => identity.byKey(key, '198.51.100.7'), {
      code: 'token_owner_deleted',
    })
  },
)

t.test('[AUTH-5] root does not leave', async (t) => {
  await t.rejects(call(area, 'remove', await proven(root, 'account_delete')), { code: 'forbidden' })
  t.equal((await rowOf(root)).deleted_at, null)
})
