/** Access tokens of scripts: who is behind one, as of this request. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import { desk, password, passwordSignIn } from '../management/desk.js'

const house = await desk(t)
const { identity } = house
const { knex } = house.database

const who = (headers: Readonly<Record<string, string>>) => identity.principal({ headers })

async function scripted(name: string, role = 1): Promise<Principal & { readonly token: string }> {
  const person = await house.person(name, role)
  return {
    ...person,
    token: (await identity.accessTokens.replace({ userId: person.userId, name: 'default' })).token,
  }
}

t.test('an access token counts with and without Bearer, and with its owner named', async (t) => {
  const { token, userId, username } = await scripted('ada')
  t.match(token, /^[A-Za-z0-9]{32}$/)
  const owner = { userId, username, role: 1, group: 'default', via: 'accessToken' }
  for (const said of [token, `Bearer ${token}`, `bearer  ${token}`]) {
    t.strictSame(await who({ authorization: said }), owner)
    const named = { authorization: said, 'new-api-user': String(userId) }
    t.strictSame(await who(named), owner)
  }
  for (const other of ['', '0', '-1', String(userId + 1), `${userId}.0`, username]) {
    t.equal(await who({ authorization: token, 'new-api-user': other }), undefined, other)
  }
})

t.test('nothing but a whole access token is one', async (t) => {
  const { token, userId } = await scripted('ada')
  const { key } = await house.apiKey(userId)
  const wrong = [`${token}x`, token.slice(1), `Basic ${token}`, key, `Bearer ${key}`, '']
  for (const said of wrong) t.equal(await who({ authorization: said }), undefined, said)
  const unknown = 'A'.repeat(32)
  t.equal(await who({ authorization: unknown }), undefined)
  t.equal(await who({ 'x-api-key': token, cookie: `session=${token}` }), undefined)
})

t.test('a session beside a token that counts no more is not asked', async (t) => {
  const { username } = await house.person('ada')
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
    const { token: next } = await identity.accessTokens.replace({ userId, name: 'default' })
    t.equal(await who({ authorization: token }), undefined)
    t.match(await who({ authorization: next }), { userId })
    const row = await knex('users').where('id', userId).first()
    t.equal(row.access_token_tail, next.slice(-4))
    t.notMatch(Object.values(row).map(String).join('\n'), next)
  },
)

t.test('[AUTH-4] an access token is good for 90 days and no longer', async (t) => {
  const { userId } = await house.person('ada')
  const { token: authorization, expiresAt } = await identity.accessTokens.replace({
    userId,
    name: 'default',
  })
  const life = 90 * 24 * 3_600_000
  t.equal(expiresAt, Math.floor((house.clock.now() + life) / 1000))
  house.clock.advance(life - 1)
  t.ok(await who({ authorization }))
  house.clock.advance(1)
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
  await t.rejects(identity.accessTokens.replace({ userId, name: 'default' }), {
    code: 'gone_missing',
  })
  await users.clone().update({ status: 1, deleted_at: new Date() })
  t.equal(await now(), undefined)
  await t.rejects(identity.accessTokens.replace({ userId, name: 'default' }), {
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
