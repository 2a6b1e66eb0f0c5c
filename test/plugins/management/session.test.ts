/** Signing in and out over the management fixture: in which order things are queried, and what refusals give away. */
import t from 'tap'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createSession from '../../../plugins/management/session/index.js'
import type { Factors } from '../../../plugins/services/factors/index.js'
import type { Guesses } from '../../../plugins/services/guesses/index.js'
import createOneTime from '../../../plugins/services/one-time/index.js'
import createSignIn from '../../../plugins/services/sign-in/index.js'
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
const { identity, clock, log } = gateway
const { knex } = gateway.database
const idle = () => ({ stop() {}, async now() {} })
const schedule = { every: idle, everyLeased: idle }
const kit = { settings: settingsOf({}), clock, log }

/** What was queried, in order; a name in `refusing` states no. */
let steps: string[] = []
const refusing = new Set<string>()
async function step(name: string, code: 'challenge_required' | 'rate_limit_exceeded') {
  steps.push(name)
  if (refusing.has(name)) throw new Refusal(code)
}

const guarded = new Set<number>()
const factors: Pick<Factors, 'of' | 'check'> = {
  of: async (userId) => ({ totp: guarded.has(userId), passkeys: 0 }),
  async check(_userId, code) {
    if (code !== '123456') throw new Refusal('verification_failed')
    return 'totp'
  },
}
const watched = {
  ...identity,
  byPassword(username: string, given: string) {
    steps.push('password')
    return identity.byPassword(username, given)
  },
}
const guesses: Guesses = {
  ...freeGuesses,
  async password(_, { name }) {
    await step(`limit ${name}`, 'rate_limit_exceeded')
    return 'stranger'
  },
}
const services = {
  ...gateway,
  identity: watched,
  challenge: {
    siteKey: () => undefined,
    require: () => step('challenge', 'challenge_required'),
    work: async () => {},
  },
  guesses,
  'sign-in': createSignIn({
    ...kit,
    services: {
      ...gateway,
      guesses,
      factors: factors as Factors,
      'one-time': createOneTime({ ...kit, services: { ...gateway, schedule } }),
    },
  }),
}
const area = createSession({ ...kit, settings: settingsOf({ passwordLogin: true }), services })
const closed = createSession({ ...kit, settings: settingsOf({ passwordLogin: false }), services })

const login = (username: string, given: string = password, requested: RequestOptions = {}) =>
  call(area, 'login', { body: { username, password: given }, ...requested })

const cookieOf = ({ headers }: { headers: Record<string, string | string[]> }) =>
  [headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? ''

const who = (cookie: string) => identity.principal({ headers: { cookie } })

async function signedIn(username: string, agent = 'test') {
  const headers = { 'user-agent': agent }
  const cookie = cookieOf(await login(username, password, { headers }))
  return { cookie, principal: await who(cookie) }
}

t.test(
  'a login is counted before the password is looked at, and challenged before that',
  async (t) => {
    const { username } = await gateway.person('ada')
    steps = []
    await login(username)
    t.strictSame(steps, ['challenge', `limit ${username}`, 'password'])
    for (const [refused, reached, code] of [
      ['challenge', ['challenge'], 'challenge_required'],
      [`limit ${username}`, ['challenge', `limit ${username}`], 'rate_limit_exceeded'],
    ] as const) {
      steps = []
      refusing.add(refused)
      await t.rejects(login(username), { code })
      t.strictSame(steps, reached)
      refusing.delete(refused)
    }
  },
)

t.test('[LIMIT-5] tries by name and by address are of one account', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const email = `${username}@example.com`
  await gateway.database.knex('users').where('id', userId).update({ email, email_verified: true })
  for (const typed of [email, email.toUpperCase(), username.toUpperCase()]) {
    steps = []
    await login(typed)
    t.ok(steps.includes(`limit ${username}`), typed)
  }
  steps = []
  await t.rejects(login('nobody'), { code: 'invalid_credentials' })
  t.ok(steps.includes('limit nobody'))
})

t.test(
  '[AUTH-2] login opens a session, logout ends it, and a new login replaces the old',
  async (t) => {
    const { userId, username } = await gateway.person('ada')
    const first = cookieOf(await login(username))
    t.match(await who(first), { userId })
    const second = cookieOf(await login(username, password, { headers: { cookie: first } }))
    t.equal(await who(first), undefined)
    const bye = await call(area, 'logout', { headers: { cookie: second } })
    t.match(bye.headers['set-cookie'], /^session=; .*Max-Age=0/)
    t.equal(bye.headers['clear-site-data'], '"cache", "storage"')
    t.match(bye.audit, { actor: { userId }, object: `user ${userId}` })
    t.equal(await who(second), undefined)
    t.match(await call(area, 'logoutByPost', {}), { data: null, audit: undefined })
  },
)

t.test('a login that is refused states no more than it must', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const readResult = async (name: string, given: string) =>
    login(name, given).catch(({ code, message, headers }) => ({ code, message, headers }))
  const wrong = await readResult(username, 'wrong horse')
  t.equal(wrong.code, 'invalid_credentials')
  await knex('users').where('id', userId).update({ email: 'ada@example.org' })
  for (const name of ['nobody', 'ada@example.org', 'nobody@example.org', '%']) {
    t.strictSame(await readResult(name, password), wrong, name)
  }
  t.strictSame(await readResult(username, 'x'.repeat(1024)), wrong)
  await knex('users').where('id', userId).update({ status: 2 })
  t.strictSame(await readResult(username, 'wrong horse'), wrong)
  t.equal((await readResult(username, password)).code, 'account_disabled')
  const bad = [
    { username },
    { username: 'a\0b', password },
    { password },
    { username: {}, password },
  ]
  for (const body of bad) await t.rejects(call(area, 'login', { body }), { code: 'invalid_field' })
})

t.test(
  'while passwords are switched off root alone signs in by one, and nothing is learnt',
  async (t) => {
    const [root, ada] = [await gateway.person('root', 100), await gateway.person('ada', 10)]
    const attempt = (username: string, given: string) =>
      call(closed, 'login', { body: { username, password: given } })
    const readResult = (username: string, given: string) =>
      attempt(username, given).catch(({ code, message }) => ({ code, message }))
    const off = await readResult(ada.username, password)
    t.equal(off.code, 'feature_off')
    for (const [name, given] of [
      [ada.username, 'wrong horse'],
      [root.username, 'wrong horse'],
      ['nobody', password],
    ] as const) {
      t.strictSame(await readResult(name, given), off)
    }
    t.match((await attempt(root.username, password)).data, { id: root.userId })
  },
)

t.test('the second step opens the session, reported by flow token or by cookie', async (t) => {
  const { userId, username } = await gateway.person('ada')
  guarded.add(userId)
  const begun = await login(username)
  t.match(begun.data, { require_2fa: true, flow_token: String })
  const { flow_token } = begun.data
  const wrong = { code: '000000', flow_token }
  await t.rejects(call(area, 'secondStep', { body: wrong }), { code: 'verification_failed' })
  const done = await call(area, 'secondStep', { body: { code: ' 123456 ', flow_token } })
  t.match(done.data, { id: userId, username })
  t.match(await who(cookieOf(done)), { userId })
  const replay = call(area, 'secondStep', { body: { code: '123456', flow_token } })
  await t.rejects(replay, { code: 'sign_in_expired' })
  const headers = { cookie: cookieOf(await login(username)) }
  t.match((await call(area, 'secondStep', { headers, body: { code: '123456' } })).data, {
    username,
  })
  const nothing = call(area, 'secondStep', { body: { code: '123456' } })
  await t.rejects(nothing, { code: 'sign_in_expired' })
})

t.test('sessions are listed with the own one marked, and ended by their owner', async (t) => {
  const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
  const one = await signedIn(ada.username, 'Firefox')
  clock.advance(1000)
  const two = await signedIn(ada.username, 'Chrome')
  const list = await data(area, 'list', { principal: one.principal })
  const facts = { method: 'password', address: '203.0.113.9', created_at: Number }
  t.match(list, [
    { ...facts, user_agent: 'Chrome', current: false },
    { ...facts, user_agent: 'Firefox', current: true, last_seen_at: Number },
  ])
  t.strictSame(Object.keys(list[0]).sort(), [
    'address',
    'created_at',
    'current',
    'last_seen_at',
    'method',
    'sid',
    'user_agent',
  ])
  const params = { sid: list[0].sid }
  const foreign = (await signedIn(bob.username)).principal
  const missing = { code: 'gone_missing', param: 'sid' }
  await t.rejects(call(area, 'end', { principal: foreign, params }), missing)
  const ended = await call(area, 'end', { principal: one.principal, params })
  t.equal(ended.headers, undefined)
  t.equal(await who(two.cookie), undefined)
  await t.rejects(call(area, 'end', { principal: one.principal, params }), missing)
  const own = await call(area, 'end', { principal: one.principal, params: { sid: list[1].sid } })
  t.match(own.headers['set-cookie'], /^session=; .*Max-Age=0/)
  t.equal(own.headers['clear-site-data'], '"cache", "storage"')
  t.equal(await who(one.cookie), undefined)
})

t.test('ending the others leaves the one that asks', async (t) => {
  const { username } = await gateway.person('ada')
  const [one, two, three] = [
    await signedIn(username),
    await signedIn(username),
    await signedIn(username),
  ]
  await call(area, 'endOthers', { principal: two.principal })
  t.equal(await who(one.cookie), undefined)
  t.ok(await who(two.cookie))
  t.equal(await who(three.cookie), undefined)
})

t.test('a script lists sessions but ends none', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const { cookie } = await signedIn(username)
  const authorization = (await identity.accessTokens.replace({ userId, name: 'default' })).token
  const principal = await identity.principal({ headers: { authorization } })
  const [{ sid, current }] = await data(area, 'list', { principal })
  t.equal(current, false)
  const refused = { code: 'session_required' }
  await t.rejects(call(area, 'end', { principal, params: { sid } }), refused)
  await t.rejects(call(area, 'endOthers', { principal }), refused)
  await call(area, 'logout', { headers: { authorization, cookie } })
  t.equal(await who(cookie), undefined, 'the browser is signed out, whatever it shows beside')
})
