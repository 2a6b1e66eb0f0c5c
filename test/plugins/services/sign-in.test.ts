/** From "they have shown who they are" to an open session, with a second factor and without. */
import t from 'tap'
import type { Answer } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import type { Factors } from '../../../plugins/services/factors/index.js'
import createOneTime from '../../../plugins/services/one-time/index.js'
import createSignIn from '../../../plugins/services/sign-in/index.js'
import { freeGuesses, managementFixture, settingsOf } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { identity, clock, log } = gateway
const { knex } = gateway.database
const idle = () => ({ stop() {}, async now() {} })
const kit = { settings: settingsOf({}), clock, log }
const oneTime = createOneTime({
  ...kit,
  services: { ...gateway, schedule: { every: idle, everyLeased: idle } },
})

/** Users with an app; its only right code is 123456. */
const guarded = new Set<number>()
let checks = 0
const factors: Pick<Factors, 'of' | 'check'> = {
  of: async (userId) => ({ totp: guarded.has(userId), passkeys: 1 }),
  async check(_userId, code) {
    checks++
    if (code === 'recovery') return 'recovery'
    if (code !== '123456') throw new Refusal('verification_failed')
    return 'totp'
  },
}
const services = {
  ...gateway,
  guesses: freeGuesses,
  'one-time': oneTime,
  factors: factors as Factors,
}
const signIn = createSignIn({ ...kit, services })

const from = (cookie = '', secure = false) => ({
  headers: { cookie, 'user-agent': 'test' },
  address: '203.0.113.9',
  secure,
})

async function guardedPerson(name: string) {
  const person = await gateway.person(name)
  guarded.add(person.userId)
  return person
}

const cookiesOf = ({ headers }: Answer) =>
  [headers?.['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0] ?? '')

const who = (cookie = '') => identity.principal({ headers: { cookie } })

const flowOf = ({ data }: Answer) => (data as { flow_token: string }).flow_token

t.test(
  'who needs no second factor is in: a brief record, a cookie, a note of who it was',
  async (t) => {
    const { userId, username } = await gateway.person('ada')
    const answer = await signIn.begin(from(), userId, 'password')
    t.strictSame(answer.data, {
      id: userId,
      username,
      display_name: username,
      role: 1,
      status: 1,
      group: 'default',
    })
    t.match(await who(cookiesOf(answer)[0]), { userId })
    t.match(answer.audit, { actor: { userId, username, role: 1 }, object: `user ${userId}` })
    t.equal(answer.audit?.detail, 'password')
    t.match(await identity.sessions(userId), [
      { method: 'password', address: '203.0.113.9', userAgent: 'test' },
    ])
    t.notMatch(JSON.stringify(answer.audit), cookiesOf(answer)[0]?.slice(8) ?? '')
  },
)

t.test(
  '[AUTH-2] every sign-in has a session of its own, and ends the one the browser had',
  async (t) => {
    const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
    const [first = ''] = cookiesOf(await signIn.begin(from(), ada.userId, 'password'))
    const [second = ''] = cookiesOf(await signIn.begin(from(first), bob.userId, 'oauth'))
    t.not(first, second)
    t.equal(await who(first), undefined)
    t.match(await who(second), { userId: bob.userId })
    const planted = `session=${'A'.repeat(43)}`
    const [third = ''] = cookiesOf(await signIn.begin(from(planted), ada.userId, 'password'))
    t.not(third, planted, 'an id somebody else chose is not taken over')
    t.equal(await who(planted), undefined)
  },
)

t.test('[AUTH-2] an access token beside the cookie changes nothing of that', async (t) => {
  const [ada, bob] = [await gateway.person('ada'), await gateway.person('bob')]
  const token = (await identity.accessTokens.replace({ userId: bob.userId, name: 'default' })).token
  const [first = ''] = cookiesOf(await signIn.begin(from(), ada.userId, 'password'))
  const both = from(first)
  const headers = { ...both.headers, authorization: `Bearer ${token}` }
  const [second = ''] = cookiesOf(await signIn.begin({ ...both, headers }, ada.userId, 'oauth'))
  t.equal(await who(first), undefined, 'the session the browser had is over')
  t.match(await who(second), { userId: ada.userId })
  t.match(await identity.principal({ headers: { authorization: `Bearer ${token}` } }), {
    userId: bob.userId,
    via: 'accessToken',
  })
})

t.test(
  'a second factor is requested after password and OAuth, and opens nothing before',
  async (t) => {
    const { userId } = await guardedPerson('ada')
    for (const method of ['password', 'oauth'] as const) {
      const begun = await signIn.begin(from('', true), userId, method)
      t.match(begun.data, { require_2fa: true, flow_token: /^[\w-]{43}$/ })
      t.match(begun.headers, {
        'set-cookie':
          /^__Host-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=300; Secure$/,
      })
      t.equal(begun.audit, undefined)
    }
    t.strictSame(await identity.sessions(userId), [])
    for (const method of ['passkey', 'register'] as const) {
      t.match((await signIn.begin(from(), userId, method)).data, { id: userId })
    }
  },
)

t.test('the second step takes the flow from the body, else from the cookie, once', async (t) => {
  const { userId } = await guardedPerson('ada')
  const begun = await signIn.begin(from(), userId, 'password')
  const byBody = await signIn.finish(from(), flowOf(begun), '123456')
  t.match(byBody.data, { id: userId })
  t.equal(byBody.audit?.detail, 'password, totp')
  t.match(await who(cookiesOf(byBody)[0]), { userId })
  t.match(await identity.sessions(userId), [{ method: 'totp' }])

  const again = await signIn.begin(from(), userId, 'oauth')
  const cookie = cookiesOf(again)[0] ?? ''
  const byCookie = await signIn.finish(from(cookie), '', 'recovery')
  t.equal(byCookie.audit?.detail, 'oauth, recovery')
  t.match(byCookie.headers?.['set-cookie'], [/^session=/, /^device=/, /^sign-in=; .*Max-Age=0/])
  const before = checks
  for (const flow of [flowOf(begun), flowOf(again), '', 'x'.repeat(43), 'short']) {
    await t.rejects(signIn.finish(from(), flow, '123456'), { code: 'sign_in_expired' })
  }
  await t.rejects(signIn.finish(from(cookie), '', '123456'), { code: 'sign_in_expired' })
  t.equal(checks, before, 'no code is looked at for a flow that is none')
})

t.test('five wrong codes end the sign-in, and the right one is too late then', async (t) => {
  const { userId } = await guardedPerson('ada')
  const flow = flowOf(await signIn.begin(from(), userId, 'password'))
  for (let attempt = 0; attempt < 5; attempt++) {
    await t.rejects(signIn.finish(from(), flow, '000000'), { code: 'verification_failed' })
  }
  await t.rejects(signIn.finish(from(), flow, '123456'), { code: 'sign_in_expired' })
})

t.test('a sign-in waits five minutes for its second step', async (t) => {
  const { userId } = await guardedPerson('ada')
  const flow = flowOf(await signIn.begin(from(), userId, 'password'))
  clock.advance(299_999)
  await t.rejects(signIn.finish(from(), flow, '000000'), { code: 'verification_failed' })
  clock.advance(1)
  await t.rejects(signIn.finish(from(), flow, '123456'), { code: 'sign_in_expired' })
})

t.test('a secret of another kind is no sign-in', async (t) => {
  const { userId } = await guardedPerson('ada')
  const proof = await oneTime.issue({ kind: 'proof', userId, seconds: 300 })
  await t.rejects(signIn.finish(from(), proof, '123456'), { code: 'sign_in_expired' })
  t.ok(await oneTime.take('proof', proof), 'and is left as it was')
})

t.test('of 20 right codes for one sign-in at once, one opens a session', async (t) => {
  const { userId } = await guardedPerson('ada')
  const flow = flowOf(await signIn.begin(from(), userId, 'password'))
  const all = Array.from({ length: 20 }, () => signIn.finish(from(), flow, '123456'))
  const done = (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled')
  t.equal(done.length, 1)
  t.equal((await identity.sessions(userId)).length, 1)
})

t.test(
  '[AUTH-2] disabled accounts get in by no way, and not by the second step either',
  async (t) => {
    const { userId } = await guardedPerson('ada')
    const flow = flowOf(await signIn.begin(from(), userId, 'password'))
    const users = knex('users').where('id', userId)
    await users.clone().update({ status: 2 })
    const refused = { code: 'account_disabled' }
    for (const method of ['password', 'oauth', 'passkey', 'register'] as const) {
      await t.rejects(signIn.begin(from(), userId, method), refused)
    }
    await t.rejects(signIn.finish(from(), flow, '123456'), refused)
    t.strictSame(await identity.sessions(userId), [])
    await users.clone().update({ status: 1, deleted_at: new Date() })
    await t.rejects(signIn.begin(from(), userId, 'password'), refused)
  },
)

t.test('a change of password or factors ends a sign-in that waits', async (t) => {
  const { userId } = await guardedPerson('ada')
  const flow = flowOf(await signIn.begin(from(), userId, 'password'))
  await knex.transaction((trx) => identity.cutSessions(userId, trx))
  await t.rejects(signIn.finish(from(), flow, '123456'), { code: 'sign_in_expired' })
})

t.test('a cut of all sessions while the second step is under way ends that too', async (t) => {
  const { userId } = await guardedPerson('ada')
  const cutting = createSignIn({
    ...kit,
    services: {
      ...services,
      'one-time': {
        ...oneTime,
        // The latest moment: the flow is taken and nothing but the session is left to do.
        async take(...given: Parameters<typeof oneTime.take>) {
          const taken = await oneTime.take(...given)
          await knex.transaction((trx) => identity.cutSessions(userId, trx))
          return taken
        },
      },
    },
  })
  const flow = flowOf(await cutting.begin(from(), userId, 'password'))
  await t.rejects(cutting.finish(from(), flow, '123456'), { code: 'sign_in_expired' })
  t.strictSame(await identity.sessions(userId), [])
})

t.test('where every way in is HTTPS, a plain cookie carries no sign-in', async (t) => {
  const { userId } = await guardedPerson('ada')
  const environment = { ...gateway.system.environment, cookieSecure: true }
  const strict = createSignIn({
    ...kit,
    services: { ...services, system: { ...gateway.system, environment } },
  })
  const begun = await strict.begin(from(), userId, 'password')
  t.match(begun.headers?.['set-cookie'], /^__Host-sign-in=.*; Secure$/)
  const flow = flowOf(begun)
  await t.rejects(strict.finish(from(`sign-in=${flow}`), '', '123456'), { code: 'sign_in_expired' })
  t.match((await strict.finish(from(`__Host-sign-in=${flow}`), '', '123456')).data, { id: userId })
})
