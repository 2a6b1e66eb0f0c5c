/** Second factors where many try at once: one code, one use. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import createFactors from '../../../plugins/services/factors/index.js'
import createOneTime from '../../../plugins/services/one-time/index.js'
import { Passkey, type PasskeyBent } from '../../kit/passkey.js'
import { managementFixture, secrets, settingsOf } from '../management/management-fixture.js'

const gateway = await managementFixture(t)
const { clock, log, database } = gateway
const life = { settings: settingsOf({ passkeys: true }), clock, log }
const idle = () => ({ stop() {}, async now() {} })
const oneTime = createOneTime({
  ...life,
  services: { database, secrets, schedule: { every: idle, everyLeased: idle } },
})
const options = { list: () => [], check() {} } as never
const factors = createFactors({ ...life, services: { ...gateway, options, 'one-time': oneTime } })
const nothing = async () => {}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

async function withApp() {
  const owner = await gateway.person('ada')
  const setup = await factors.setUp(owner)
  await factors.enable(owner.userId, codeOf(setup.secret), nothing)
  clock.advance(30_000)
  return { ...setup, ...owner }
}

async function race(count: number, act: () => Promise<unknown>) {
  const all = await Promise.allSettled(Array.from({ length: count }, act))
  const codes = all.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []))
  return { won: count - codes.length, codes: new Set(codes) }
}

t.test('of fifty who show the same code of the app at once, one is let in', async (t) => {
  const { userId, secret } = await withApp()
  const code = codeOf(secret)
  const { won, codes } = await race(50, () => factors.check(userId, code, 'stranger'))
  t.equal(won, 1)
  for (const refused of codes) t.match(refused, /^(?:verification_failed|factor_locked)$/)
})

t.test('a code is good for the step before and the step after, and no longer', async (t) => {
  for (const [steps, isGood] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    const { userId, secret } = await withApp()
    clock.advance(60_000)
    const timestamp = clock.now() + steps * 30_000
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
    const pending = factors.check(userId, code, 'stranger')
    if (isGood) t.equal(await pending, 'totp', `${steps}`)
    else await t.rejects(pending, { code: 'verification_failed' }, `${steps}`)
  }
})

t.test(
  'a code of an app that was replaced while it was checked puts nothing in force',
  async (t) => {
    const owner = await gateway.person('ada')
    const { secret } = await factors.setUp(owner)
    const replacing = {
      ...database,
      async query(statement: Parameters<typeof database.query>[0]) {
        const result = await database.query(statement)
        if (typeof statement === 'object' && statement.name === 'factors_count') {
          await factors.setUp(owner)
        }
        return result
      },
    }
    const slow = createFactors({
      ...life,
      services: {
        ...gateway,
        database: replacing as typeof database,
        options,
        'one-time': oneTime,
      },
    })
    await t.rejects(slow.enable(owner.userId, codeOf(secret), nothing), {
      code: 'verification_failed',
    })
    t.same(await factors.of(owner.userId), { totp: false, passkeys: 0 })
  },
)

t.test('of fifty who show the same recovery code at once, one is let in', async (t) => {
  const { userId, recoveryCodes } = await withApp()
  const { won } = await race(50, () => factors.check(userId, recoveryCodes[3]!, 'stranger'))
  t.equal(won, 1)
  t.equal((await factors.totp(userId)).recoveryCodes, 9)
})

t.test('of fifty wrong codes at once no more than five are looked at', async (t) => {
  const { userId, secret } = await withApp()
  const wrong = codeOf(secret) === '000000' ? '000001' : '000000'
  const all = await Promise.allSettled(
    Array.from({ length: 50 }, () => factors.check(userId, wrong, 'stranger')),
  )
  const codes = all.map((one) => (one.status === 'rejected' ? one.reason.code : 'let in'))
  t.equal(codes.filter((code) => code === 'verification_failed').length, 5)
  t.equal(codes.filter((code) => code === 'factor_locked').length, 45)
})

t.test('of fifty who put one app in force at once, one does', async (t) => {
  const owner = await gateway.person('ada')
  const { secret } = await factors.setUp(owner)
  const code = codeOf(secret)
  const { won } = await race(50, () => factors.enable(owner.userId, code, nothing))
  t.equal(won, 1)
  t.same(await factors.of(owner.userId), { totp: true, passkeys: 0 })
})

t.test('what fails beside a change undoes it', async (t) => {
  const owner = await gateway.person('ada')
  const { secret } = await factors.setUp(owner)
  const failing = async () => {
    throw new Error('no sessions today')
  }
  await t.rejects(factors.enable(owner.userId, codeOf(secret), failing), { message: /today/ })
  t.same(await factors.of(owner.userId), { totp: false, passkeys: 0 })
})

t.test('nothing of a factor is kept in the clear, and all of it goes', async (t) => {
  const { userId, secret, recoveryCodes } = await withApp()
  const { knex } = database
  const whole = (table: string) =>
    knex(table)
      .where('user_id', userId)
      .select(knex.raw('??::text as text', [table]))
  const rows = [...(await whole('totp')), ...(await whole('recovery_codes'))]
  t.equal(rows.length, 11)
  const text = rows.map((row) => row.text).join('\n')
  t.notMatch(text, secret)
  for (const code of recoveryCodes) t.notMatch(text, new RegExp(code.replace('-', '-?')))
  await database.knex.transaction((trx) => factors.remove(userId, 'passkeys', trx))
  t.match(await factors.of(userId), { totp: true })
  await database.knex.transaction((trx) => factors.remove(userId, 'all', trx))
  t.same(await factors.of(userId), { totp: false, passkeys: 0 })
  t.same(await database.knex('recovery_codes').where('user_id', userId), [])
  await t.rejects(factors.check(userId, '123456', 'stranger'), { code: 'verification_failed' })
  await t.rejects(factors.renewRecoveryCodes(userId, nothing), { code: 'conflict' })
})

const device = () => new Passkey(`http://localhost:${gateway.system.environment.port}`)

/** In a session that is nobody else's. */
async function inSession() {
  return { ...(await gateway.person('ada')), sessionId: randomBytes(32).toString('hex') }
}

async function registered(passkey: Passkey, bent: PasskeyBent = {}) {
  const { passkeys } = factors
  const owner = await inSession()
  const options = await passkeys.beginRegistration(owner)
  await passkeys.finishRegistration(owner, passkey.create(options, bent), '', nothing)
  return owner
}

t.test('certificates of an authenticator are not looked at, nor what they link to', async (t) => {
  const statement = new Map([['x5c', [new Uint8Array([1])]]])
  for (const format of ['packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple']) {
    const refused = { code: 'verification_failed', cause: { message: /nobody requested/ } }
    await t.rejects(registered(device(), { attestation: { format, statement } }), refused, format)
  }
})

t.test('a copy of a passkey is refused and reported to the log', async (t) => {
  const passkey = device()
  const { userId } = await registered(passkey)
  const signIn = async (bent: PasskeyBent) =>
    factors.passkeys.finishLogin(passkey.get(await factors.passkeys.beginLogin(), bent))
  t.match(await signIn({ counter: 9 }), { userId, userVerified: true })
  await t.rejects(signIn({ counter: 9 }), { code: 'verification_failed' })
  t.match(gateway.log.lines.at(-1), /counter of a passkey did not move on/)
})

t.test('of fifty who finish with the same count at once, one is let in', async (t) => {
  const passkey = device()
  await registered(passkey)
  const answers: ReturnType<Passkey['get']>[] = []
  for (let at = 0; at < 50; at++) {
    answers.push(passkey.get(await factors.passkeys.beginLogin(), { counter: 5 }))
  }
  const { won } = await race(50, () => factors.passkeys.finishLogin(answers.pop()!))
  t.equal(won, 1)
})

t.test('of thirty passkeys added at once, twenty stay', async (t) => {
  const owner = await inSession()
  const made: ReturnType<Passkey['create']>[] = []
  for (let at = 0; at < 30; at++) {
    made.push(device().create(await factors.passkeys.beginRegistration(owner)))
  }
  const { won, codes } = await race(30, () =>
    factors.passkeys.finishRegistration(owner, made.pop()!, '', nothing),
  )
  t.equal(won, 20)
  t.same([...codes], ['conflict'])
})
