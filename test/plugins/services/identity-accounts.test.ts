/** User names, addresses and passwords: who has them, and what a sign-in states to those who do not. */
import { setImmediate } from 'node:timers/promises'
import { hash as argon2 } from '@node-rs/argon2'
import t from 'tap'
import { passwordQueue } from '../../../plugins/services/identity/passwords.js'
import { managementFixture, password } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { identity } = gateway
const { knex } = gateway.database

const users = (id: number) => knex('users').where('id', id)

t.test('a verified address signs in like the user name, whatever its case', async (t) => {
  const { userId } = await gateway.person('ada')
  await users(userId).update({ email: 'ada@example.org' })
  const refused = { code: 'invalid_credentials' }
  await t.rejects(identity.byPassword('ada@example.org', password), refused, 'nobody showed it')
  await users(userId).update({ email_verified: true })
  t.equal(await identity.byPassword('ADA@example.org', password), userId)
  await t.rejects(identity.byPassword('', password), refused, 'an empty address is nobody’s')
  await t.rejects(identity.byPassword('%@example.org', password), refused)
})

t.test('of a user name and an address that read the same, the address counts', async (t) => {
  const [owner, twin] = [await gateway.person('owner'), await gateway.person('twin')]
  await users(owner.userId).update({ email: 'one@example.org', email_verified: true })
  await users(twin.userId).update({ username: 'one@example.org' })
  t.equal(await identity.byPassword('one@example.org', password), owner.userId)
})

t.test('an account without a password opens with none', async (t) => {
  const { userId, username } = await gateway.person('eve')
  await users(userId).update({ password_hash: '' })
  for (const guess of ['', password]) {
    await t.rejects(identity.byPassword(username, guess), { code: 'invalid_credentials' })
    t.equal(await identity.hasPassword(userId, guess), false)
  }
})

t.test('whose password it is, is reported of the living alone', async (t) => {
  const { userId } = await gateway.person('ada')
  t.equal(await identity.hasPassword(userId, password), true)
  t.equal(await identity.hasPassword(userId, 'wrong horse'), false)
  t.equal(await identity.hasPassword(999_999, password), false)
  await users(userId).update({ deleted_at: new Date() })
  t.equal(await identity.hasPassword(userId, password), false)
})

t.test('a hash of older cost is made anew at the next sign-in, and at no other', async (t) => {
  const { userId, username } = await gateway.person('old')
  const older = await argon2(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await users(userId).update({ password_hash: older })
  const stored = async () => (await users(userId).first('password_hash')).password_hash
  await t.rejects(identity.byPassword(username, 'wrong horse'), { code: 'invalid_credentials' })
  t.equal(await stored(), older, 'a guess changes nothing')
  t.equal(await identity.byPassword(username, password), userId)
  const renewed = await stored()
  t.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.equal(await identity.byPassword(username, password), userId)
  t.equal(await stored(), renewed, 'once is enough')
})

t.test('of 50 logins at once, one hash is computed at a time, unknown names too', async (t) => {
  let running = 0
  let most = 0
  let computed = 0
  async function compute<T>(answer: T): Promise<T> {
    most = Math.max(most, ++running)
    await setImmediate()
    running--
    computed++
    return answer
  }
  const queue = passwordQueue({
    hash: () => compute('decoy'),
    verify: (hash, given) => compute(hash === given),
  })
  await queue.prepare()
  const logins = Array.from({ length: 50 }, (_, at) =>
    queue.verify(at % 2 === 0 ? 'known' : undefined, 'known'),
  )
  const answers = await Promise.all(logins)
  t.equal(most, 1)
  t.equal(computed, 51, 'one for the decoy and one for each login')
  t.strictSame(
    answers,
    answers.map((_, at) => at % 2 === 0),
  )
})

t.test('[LIMIT-5] a browser that is known does not wait behind strangers', async (t) => {
  const order: string[] = []
  const queue = passwordQueue({
    hash: async () => 'decoy',
    verify: async (hash) => {
      await setImmediate()
      return order.push(hash) > 0
    },
  })
  await queue.prepare()
  const strangers = Array.from({ length: 101 }, (_, at) => queue.verify(`stranger ${at}`, 'a'))
  const full = queue.verify('one too many', 'a')
  const known = queue.verify('known', 'a', 'known')
  await t.rejects(full, { code: 'rate_limit_exceeded' })
  await known
  t.ok(order.indexOf('known') <= 1, 'at most the one that was being compared comes first')
  await Promise.all(strangers)
  t.equal(order.length, 102)
})
