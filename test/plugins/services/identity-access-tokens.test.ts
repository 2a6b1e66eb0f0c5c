/** Access tokens of scripts: who is behind one, as of this request. */
import { inspect } from 'node:util'
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import { managementFixture, password, passwordSignIn } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { identity } = gateway
const { accessTokens } = identity
const { knex } = gateway.database

const who = (headers: Readonly<Record<string, string>>) => identity.principal({ headers })

async function scripted(name: string, role = 1): Promise<Principal & { readonly token: string }> {
  const person = await gateway.person(name, role)
  return {
    ...person,
    token: (await accessTokens.replace({ userId: person.userId, name: 'default' })).token,
  }
}

t.test('an access token counts with and without Bearer, and with its owner named', async (t) => {
  const { token, userId, username } = await scripted('ada')
  t.match(token, /^[A-Za-z0-9]{32}$/)
  const [{ id } = { id: 0 }] = await accessTokens.list(userId)
  const accessToken = { id, name: 'default', scopes: ['all'] }
  const owner = { userId, username, role: 1, group: 'default', via: 'accessToken', accessToken }
  for (const text of [token, `Bearer ${token}`, `bearer  ${token}`]) {
    t.strictSame(await who({ authorization: text }), owner)
    const named = { authorization: text, 'new-api-user': String(userId) }
    t.strictSame(await who(named), owner)
  }
  for (const other of ['', '0', '-1', String(userId + 1), `${userId}.0`, username]) {
    t.equal(await who({ authorization: token, 'new-api-user': other }), undefined, other)
  }
})

t.test('nothing but a whole access token is one', async (t) => {
  const { token, userId } = await scripted('ada')
  const { key } = await gateway.apiKey(userId)
  const wrong = [`${token}x`, token.slice(1), `Basic ${token}`, key, `Bearer ${key}`, '']
  for (const text of wrong) t.equal(await who({ authorization: text }), undefined, text)
  const unknown = 'A'.repeat(32)
  t.equal(await who({ authorization: unknown }), undefined)
  t.equal(await who({ 'x-api-key': token, cookie: `session=${token}` }), undefined)
})

t.test('a session beside a token that counts no more is not queried', async (t) => {
  const { username } = await gateway.person('ada')
  const facts = { password, address: '', userAgent: '', secure: false }
  const { cookie } = await passwordSignIn(identity, { username, ...facts })
  t.match(await who({ cookie }), { username })
  t.equal(await who({ cookie, authorization: 'A'.repeat(32) }), undefined)
  t.equal(await who({ cookie, 'new-api-user': '999999' }), undefined, 'a page of somebody else')
})

t.test(
  '[AUTH-4] a new access token ends the one before, and the database has no text of it',
  async (t) => {
    const { token, userId } = await scripted('ada')
    const { token: next } = await accessTokens.replace({ userId, name: 'default' })
    t.equal(await who({ authorization: token }), undefined)
    t.match(await who({ authorization: next }), { userId })
    const rows = await knex('access_tokens').where('user_id', userId)
    t.equal(rows.length, 1)
    t.notMatch(JSON.stringify(rows), next)
  },
)

t.test('[AUTH-4] an access token is good for 90 days and no longer', async (t) => {
  const { userId } = await gateway.person('ada')
  const { token: authorization, expires_at } = await accessTokens.replace({
    userId,
    name: 'default',
  })
  const life = 90 * 24 * 3_600_000
  t.equal(expires_at, Math.floor((gateway.clock.now() + life) / 1000))
  gateway.clock.advance(life - 1)
  t.ok(await who({ authorization }))
  gateway.clock.advance(1)
  t.equal(await who({ authorization }), undefined)
})

t.test('[AUTH-2] who is disabled, demoted or deleted is so with an old access token', async (t) => {
  const { token, userId } = await scripted('boss', 10)
  const users = knex('users').where('id', userId)
  const now = () => who({ authorization: token })
  t.equal((await now())?.role, 10)
  await users.clone().update({ role: 1 })
  t.equal((await now())?.role, 1)
  await users.clone().update({ status: 2 })
  t.equal(await now(), undefined)
  await t.rejects(accessTokens.replace({ userId, name: 'default' }), {
    code: 'gone_missing',
  })
  await users.clone().update({ status: 1, deleted_at: new Date() })
  t.equal(await now(), undefined)
  await t.rejects(accessTokens.replace({ userId, name: 'default' }), {
    code: 'gone_missing',
  })
})

t.test('an access token has no session to sign out of, to renew or to keep', async (t) => {
  const { token, userId, username } = await scripted('ada')
  const facts = { password, address: '', userAgent: '', secure: false }
  const { cookie } = await passwordSignIn(identity, { username, ...facts })
  const script = await who({ authorization: token })
  if (script === undefined) throw new Error('nobody')
  await identity.signOut(script)
  t.ok(await who({ cookie }))
  await t.rejects(identity.renewSession(script, false), { code: 'session_required' })
  await knex.transaction((trx) => identity.cutSessions(userId, trx, script))
  t.equal(await who({ cookie }), undefined, 'every session goes')
  t.ok(await who({ authorization: token }))
})

const day = 24 * 3_600

t.test('[AUTH-4] a user has several access tokens, each with a life of its own', async (t) => {
  const { userId } = await gateway.person('ada')
  const now = Math.floor(gateway.clock.now() / 1000)
  const wish = { userId, name: 'nightly', scopes: ['read', 'money:write', 'read'] }
  const nightly = await accessTokens.create({ ...wish, lifetimeDays: 2 })
  const other = await accessTokens.create({ userId, name: 'other', scopes: ['all'] })
  t.match(nightly, { scopes: ['read', 'money:write'], created_at: now, expires_at: now + 2 * day })
  t.equal(other.expires_at, now + 90 * day)
  await t.rejects(accessTokens.create(wish), { code: 'conflict' }, 'a name is taken once')
  await t.rejects(accessTokens.create({ ...wish, name: 'long', lifetimeDays: 366 }), {
    code: 'invalid_field',
  })
  t.match(await who({ authorization: nightly.token }), {
    accessToken: { id: nightly.id, name: 'nightly', scopes: ['read', 'money:write'] },
  })

  gateway.clock.advance(2 * day * 1000)
  t.equal(await who({ authorization: nightly.token }), undefined)
  t.ok(await who({ authorization: other.token }))
  const listed = await accessTokens.list(userId)
  t.match(listed, [
    { name: 'nightly', expired: true, last_used_at: 0, last_used_address: '' },
    { name: 'other', expired: false },
  ])
  t.notMatch(inspect(listed, { depth: null }), nightly.token)

  const { userId: stranger } = await gateway.person('bob')
  t.equal(await accessTokens.end(stranger, { id: other.id }), undefined)
  t.ok(await who({ authorization: other.token }), 'nobody ends the token of somebody else')
  t.match(await accessTokens.end(userId, { id: other.id }), { id: other.id, name: 'other' })
  t.equal(await who({ authorization: other.token }), undefined)
})

t.test('[AUTH-4] of many access tokens made at once, twenty are made', async (t) => {
  const { userId } = await gateway.person('ada')
  const wishes = Array.from({ length: 25 }, (_, at) =>
    accessTokens.create({ userId, name: `t${at}`, scopes: ['read'] }),
  )
  const results = await Promise.allSettled(wishes)
  const refused = results.filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 5)
  t.match(refused, [{ reason: { code: 'conflict' } }])
  t.equal((await accessTokens.list(userId)).length, 20)
  await t.rejects(accessTokens.replace({ userId, name: 'default' }), { code: 'conflict' })
  await accessTokens.replace({ userId, name: 't0' }).catch(() => undefined)
  t.equal((await accessTokens.list(userId)).length, 20)
})

t.test('[AUTH-4] a session that has ended meanwhile makes no access token', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const facts = { password, address: '', userAgent: '', secure: false }
  const { principal } = await passwordSignIn(identity, { username, ...facts })
  const { sessionId } = principal
  await knex.transaction((trx) => identity.cutSessions(userId, trx))
  const wish = { userId, sessionId, name: 'late', scopes: ['all'] }
  await t.rejects(accessTokens.create(wish), { code: 'session_required' })
  await t.rejects(accessTokens.replace(wish), { code: 'session_required' })
  t.strictSame(await accessTokens.list(userId), [])
})
