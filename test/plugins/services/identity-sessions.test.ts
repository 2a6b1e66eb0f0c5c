/** Sessions and passwords: who is at the console, as of this request. */
import { stat } from 'node:fs/promises'
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import { passwordQueue } from '../../../plugins/services/identity/passwords.js'
import { managementFixture, password, passwordSignIn } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const attempt = {
  password,
  address: '198.51.100.7',
  userAgent: 'test',
  secure: false,
}
const day = 24 * 3_600_000

async function signedIn(username: string, over: object = {}): Promise<string> {
  const { cookie } = await passwordSignIn(gateway.identity, { ...attempt, username, ...over })
  return cookie.split(';', 1)[0] ?? ''
}

async function who(cookie: string): Promise<Principal | undefined> {
  return gateway.identity.principal({ headers: { cookie } })
}

t.test(
  '[AUTH-2] a session is an HttpOnly cookie, and the database knows only its hash',
  async (t) => {
    const { userId, username } = await gateway.person('ada')
    const session = await passwordSignIn(gateway.identity, { ...attempt, username })
    t.match(session.cookie, /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const secure = await passwordSignIn(gateway.identity, {
      ...attempt,
      username: username.toUpperCase(),
      secure: true,
    })
    t.match(
      secure.cookie,
      /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/,
    )
    t.match(await who(secure.cookie), { userId, username, role: 1, via: 'session' })
    t.equal(
      gateway.log.lines.filter((line) => line.includes('plain HTTP')).length,
      1,
      'warned once',
    )

    const secret = session.cookie.slice('session='.length, 'session='.length + 43)
    const rows = await gateway.database.knex('sessions').select('*')
    t.notMatch(JSON.stringify(rows), secret)
    t.not(session.cookie, secure.cookie, 'each login has an id of its own')
  },
)

t.test('[AUTH-2] who is disabled, deleted or demoted is so with an old session too', async (t) => {
  const { userId, username } = await gateway.person('ada', 10)
  const cookie = await signedIn(username)
  const users = gateway.database.knex('users').where('id', userId)
  t.equal((await who(cookie))?.role, 10)
  await users.clone().update({ role: 1 })
  t.equal((await who(cookie))?.role, 1, 'the rank of now, not of then')
  await users.clone().update({ status: 2 })
  t.equal(await who(cookie), undefined)
  await users.clone().update({ status: 1 })
  t.equal((await who(cookie))?.userId, userId)
  await users.clone().update({ deleted_at: new Date() })
  t.equal(await who(cookie), undefined)
})

t.test(
  'over HTTPS the cookie of plain HTTP, which a neighbour could have set, is none',
  async (t) => {
    const { userId, username } = await gateway.person('ada')
    const plain = await signedIn(username)
    const sealed = await signedIn(username, { secure: true })
    const by = (cookie: string, secure: boolean) =>
      gateway.identity.principal({ headers: { cookie }, secure })
    t.match(await by(plain, false), { userId })
    t.equal(await by(plain, true), undefined)
    t.match(await by(sealed, true), { userId })
  },
)

t.test('a session ends after a day unused, and after 30 days whatever happens', async (t) => {
  const { username } = await gateway.person('ada')
  const cookie = await signedIn(username)
  for (let days = 1; days < 30; days++) {
    gateway.clock.advance(day - 1)
    t.ok(await who(cookie), `day ${days}`)
  }
  gateway.clock.advance(day - 1)
  t.ok(await who(cookie), 'day 30, by a few milliseconds')
  gateway.clock.advance(1_000)
  t.equal(await who(cookie), undefined)

  const idle = await signedIn(username)
  gateway.clock.advance(day)
  t.equal(await who(idle), undefined)
})

t.test('a session is marked as seen once a minute, not at each request', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const cookie = await signedIn(username)
  const seen = async () => {
    await who(cookie)
    return (
      await gateway.database.knex('sessions').where('user_id', userId).first('last_seen_at')
    ).last_seen_at.getTime()
  }
  const opened = gateway.clock.now()
  gateway.clock.advance(60_000)
  t.equal(await seen(), opened)
  gateway.clock.advance(1)
  t.equal(await seen(), gateway.clock.now())
})

t.test('signing out and cutting end sessions at once', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const [one, two] = [await signedIn(username), await signedIn(username)]
  const principal = await who(one)
  if (principal) await gateway.identity.signOut(principal)
  t.equal(await who(one), undefined)
  t.ok(await who(two), 'other sessions stay')
  await gateway.database.knex.transaction((trx) => gateway.identity.cutSessions(userId, trx))
  t.equal(await who(two), undefined)
})

t.test('a wrong password and an unknown name are reported the same', async (t) => {
  const { userId, username } = await gateway.person('ada')
  const refused = (over: object) =>
    passwordSignIn(gateway.identity, { ...attempt, username, ...over })
  await t.rejects(refused({ password: 'wrong horse battery' }), { code: 'invalid_credentials' })
  await t.rejects(refused({ username: 'nobody' }), { code: 'invalid_credentials' })
  await t.rejects(refused({ password: 'x'.repeat(129) }), { code: 'invalid_credentials' })
  await gateway.database.knex('users').where('id', userId).update({ status: 2 })
  await t.rejects(refused({}), { code: 'account_disabled' })
  await t.rejects(
    refused({ password: 'wrong' }),
    { code: 'invalid_credentials' },
    'the state is no secret only to who knows the password',
  )
})

t.test('only the well-formed cookie counts, the secure one first', async (t) => {
  const { username } = await gateway.person('ada')
  const [plain, other] = [await signedIn(username), await signedIn(username, { secure: true })]
  t.ok(await who(`theme=dark; ${plain}; lang=en`))
  t.equal(await who('session=; other=1'), undefined)
  t.equal(await who(`session=${"' OR 1=1 --".padEnd(43, 'x')}`), undefined)
  t.equal(await who(''), undefined)
  const [first, second] = [await who(other), await who(`${plain}; ${other}`)]
  t.equal(second?.sessionId, first?.sessionId)
})

t.test('a flood of logins leaves the thread pool to others', async (t) => {
  const passwords = passwordQueue()
  const stored = await passwords.hash('right')
  let done = 0
  const flood = Array.from({ length: 50 }, async () => {
    await passwords.verify(stored, 'guess')
    done++
  })
  await stat('.')
  t.ok(done < 5, `${done} hashes were computed before a file could be looked at`)
  await Promise.all(flood)
  t.equal(done, 50)
})

t.test('the queue of hashes is bounded, and frees itself', async (t) => {
  const passwords = passwordQueue()
  const stored = await passwords.hash('right')
  const flood = await Promise.allSettled(
    Array.from({ length: 120 }, () => passwords.verify(stored, 'wrong')),
  )
  const refused = flood.filter((result) => result.status === 'rejected')
  t.equal(refused.length, 19, 'one is being compared, a hundred wait')
  t.match(refused[0], { reason: { code: 'rate_limit_exceeded' } })
  t.equal(await passwords.verify(stored, 'right'), true)
})

t.test('passwords are argon2id of 19 MiB, and have at most 128 characters', async (t) => {
  const passwords = passwordQueue()
  t.match(await passwords.hash('字'.repeat(128)), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await t.rejects(passwords.hash('🙂'.repeat(129)), { code: 'invalid_field', param: 'password' })
})

t.test('[AUTH-2] asking who is there is no use of a session, if it is not to be one', async (t) => {
  const { username, userId } = await gateway.person('ada')
  const cookie = await signedIn(username)
  const sendRequest = () => gateway.identity.principal({ headers: { cookie }, unused: true })
  for (let hour = 0; hour < 24; hour += 1) {
    t.match(await sendRequest(), { userId })
    gateway.clock.advance(3_600_000)
  }
  t.equal(await sendRequest(), undefined, 'it ends as if nobody had queried')
})
