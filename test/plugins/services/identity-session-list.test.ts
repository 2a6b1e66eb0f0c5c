/** A user's sessions as a list: seen, ended one by one, renewed and swept. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createIdentity from '../../../plugins/services/identity/index.js'
import { unlimited } from '../../kit/fakes.js'
import { earnReward } from '../../kit/rewards.js'
import { managementFixture, options, settingsOf } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { identity, clock } = gateway
const { knex } = gateway.database
const day = 24 * 3_600_000

async function opened(userId: number, over: object = {}) {
  const { principal, cookie } = await identity.openSession({
    userId,
    method: 'password',
    address: '198.51.100.7',
    userAgent: 'test',
    secure: false,
    ...over,
  })
  return { principal, cookie: cookie.split(';', 1)[0] ?? '' }
}

const who = (cookie: string) => identity.principal({ headers: { cookie } })

const cut = ({ userId }: Principal, except?: Principal) =>
  knex.transaction((trx) => identity.cutSessions(userId, trx, except))

t.test("the list names a user's own sessions, the one used last first", async (t) => {
  const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
  const first = await opened(ada.userId, { userAgent: 'x'.repeat(1000) })
  clock.advance(1000)
  const second = await opened(ada.userId, { method: 'passkey', address: '2001:db8::1' })
  await opened(bob.userId)
  const list = await identity.sessions(ada.userId)
  t.strictSame(
    list.map(({ sessionId }) => sessionId),
    [second.principal.sessionId, first.principal.sessionId],
  )
  const seen = { method: 'passkey', address: '2001:db8::1', userAgent: 'test' }
  t.match(list[0], { ...seen, createdAt: new Date(clock.now()), lastSeenAt: new Date(clock.now()) })
  t.equal(list[1]?.userAgent.length, 256)
  clock.advance(day)
  t.strictSame(await identity.sessions(ada.userId), [], 'what ended by itself is not shown')
})

t.test('a session is ended by its owner alone, and once', async (t) => {
  const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
  const { cookie } = await opened(ada.userId)
  const other = await opened(ada.userId)
  const sid = (await identity.sessions(ada.userId)).find(
    ({ sessionId }) => sessionId !== other.principal.sessionId,
  )?.sid
  t.equal(await identity.endSession(bob.userId, String(sid)), false)
  t.ok(await who(cookie))
  t.equal(await identity.endSession(ada.userId, String(sid)), true)
  t.equal(await who(cookie), undefined)
  t.ok(await who(other.cookie))
  for (const name of [String(sid), '', "' OR true --", 'none']) {
    t.equal(await identity.endSession(ada.userId, name), false, name)
  }
})

t.test('[AUTH-2] a renewed session has a new id, and the old one opens nothing', async (t) => {
  const ada = await gateway.person('ada')
  const before = await opened(ada.userId)
  const after = await identity.renewSession(before.principal, true)
  t.match(after.cookie, /^__Host-session=/)
  t.equal(await who(before.cookie), undefined)
  t.match(await who(after.cookie), { userId: ada.userId, sessionId: after.principal.sessionId })
  await t.rejects(identity.renewSession(before.principal, true), { code: 'session_required' })
})

t.test('cutting ends every session but the one named, and sign-ins under way', async (t) => {
  const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
  const [own, other] = [await opened(ada.userId), await opened(ada.userId)]
  const bobs = await opened(bob.userId)
  const waiting = { kind: 'sign-in', data: '', expires_at: new Date(clock.now() + 1000) }
  await knex('one_time').insert([
    { ...waiting, hash: Buffer.alloc(32, 1), user_id: ada.userId },
    { ...waiting, hash: Buffer.alloc(32, 2), user_id: bob.userId },
  ])
  const email = 'ada@cut.example'
  await knex('users').where('id', ada.userId).update({ email: 'Ada@cut.example' })
  const code = { code_hash: Buffer.alloc(32), expires_at: waiting.expires_at }
  await knex('mail_codes').insert([
    { ...code, email, purpose: 'reset' },
    { ...code, email, purpose: 'verify' },
    { ...code, email: 'bob@cut.example', purpose: 'reset' },
  ])
  await cut(ada, own.principal)
  const left = knex('mail_codes').whereLike('email', '%@cut.example').orderBy('email')
  t.same(
    await left.select('email', 'purpose'),
    [
      { email, purpose: 'verify' },
      { email: 'bob@cut.example', purpose: 'reset' },
    ],
    'a link to a new password that was on its way is void',
  )
  t.ok(await who(own.cookie))
  t.equal(await who(other.cookie), undefined)
  t.ok(await who(bobs.cookie))
  t.strictSame(await knex('one_time').pluck('user_id'), [bob.userId])
  await cut(ada)
  t.equal(await who(own.cookie), undefined)
})

t.test('an account that is disabled or gone opens no session', async (t) => {
  const { userId } = await gateway.person('ada')
  const users = knex('users').where('id', userId)
  await users.clone().update({ status: 2 })
  await t.rejects(opened(userId), { code: 'account_disabled' })
  await users.clone().update({ status: 1, deleted_at: new Date() })
  await t.rejects(opened(userId), { code: 'account_disabled' })
  await t.rejects(opened(999_999), { code: 'account_disabled' })
  t.equal((await knex('sessions').where('user_id', userId)).length, 0)
})

t.test('sessions that ended by themselves are swept out, and no others', async (t) => {
  const { userId } = await gateway.person('ada')
  await opened(userId)
  clock.advance(day - 1)
  const { cookie } = await opened(userId)
  clock.advance(1)
  const jobs = new Map<string, () => Promise<void> | void>()
  const job = (name: string, _ms: number, run: () => Promise<void> | void) => {
    jobs.set(name, run)
    return { stop() {}, async now() {} }
  }
  const swept = createIdentity({
    settings: settingsOf({}),
    clock,
    log: gateway.log,
    services: {
      ...gateway,
      options,
      schedule: { every: job, everyLeased: job },
      'rate-limits': unlimited,
    },
  })
  await swept.start?.()
  await jobs.get('identity.sessions')?.()
  t.equal((await knex('sessions').where('user_id', userId)).length, 1)
  t.ok(await who(cookie))
  await swept.stop?.()
})

t.test('the record of a user is the family’s, and blanks every secret', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const setting = { webhook_url: 'https://leak', webhook_secret: 'leak', language: 'en' }
  for (const reward of [30, 40]) await earnReward(knex, userId, reward)
  await knex('users').where('id', userId).update({ setting, aff_code: 'Ab12' })
  await knex('oauth_identities').insert([
    { user_id: userId, provider: 'github', subject: '583231', name: 'octocat' },
    { user_id: userId, provider: 'built-in', subject: 'x' },
  ])
  const record = (await identity.records([userId])).get(userId)
  t.match(record, {
    id: userId,
    username,
    quota: 0,
    used_quota: 0,
    request_count: 0,
    aff_code: 'Ab12',
    aff_count: 2,
    aff_quota: 70,
    aff_history_quota: 70,
    inviter_id: 0,
    github_id: '583231',
    linux_do_id: '',
    email_verified: false,
    last_login_at: 0,
  })
  t.strictSame(JSON.parse(record?.setting ?? ''), {
    ...setting,
    ...{ webhook_url: '', bark_url: '' },
    webhook_secret: '',
    gotify_token: '',
  })
  t.notMatch(JSON.stringify(record), /argon2|leak|hash/)
  t.equal((await identity.records([999_999])).size, 0)
})
