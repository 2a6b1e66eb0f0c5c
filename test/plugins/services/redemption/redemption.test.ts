/** Redemption codes: made in batches, redeemed once by each user, whoever races whom (M26). */
import t from 'tap'
import createRedemption, { type Redemption } from '../../../../plugins/services/redemption/index.js'
import { managementFixture, settingsOf } from '../../management/management-fixture.js'

const fixture = await managementFixture(t)
const { clock, log, database, ledger, person } = fixture
const { secrets, changes } = fixture
const services = { database, secrets, ledger, changes }
const another = (over: object = {}): Redemption =>
  createRedemption({ services: { ...services, ...over }, settings: settingsOf({}), clock, log })
const redemption = another()
const creator = await person('creator')
const made = (over: object = {}) =>
  redemption.create({
    ...{ creatorId: creator.userId, name: 'Spring', quota: 500n, count: 1, usesMax: 1 },
    ...over,
  })
const balance = async (userId: number) => (await ledger.wallets([userId])).get(userId)?.posted ?? 0n
const redeem = (userId: number, code: string, at = redemption) =>
  at.redeem({ userId, code, requestId: 'request' })
const refused = { code: 'redemption_code_invalid' }

t.test('codes of a batch are all different, unguessable, and sealed at rest', async (t) => {
  const codes = await made({ count: 100 })
  t.equal(new Set(codes.map(({ code }) => code)).size, 100)
  t.equal(new Set(codes.map(({ batch }) => batch)).size, 1)
  for (const { code } of codes) t.match(code, /^[0-9a-f]{32}$/)
  const rows = await database.knex('redemption_codes').where('batch', codes[0]!.batch)
  for (const row of rows) {
    const stored = `${row.code_sealed} ${row.code_hash.toString('hex')}`
    t.notOk(
      codes.some(({ code }) => stored.includes(code)),
      'no code is stored in clear',
    )
  }
})

t.test('[BILL-2] a code is credited once, however it is written', async (t) => {
  const { userId } = await person('ada')
  const { code, id } = (await made())[0]!
  t.equal(await redeem(userId, `  ${code.toUpperCase()} `), 500n)
  await t.rejects(redeem(userId, code), refused)
  t.equal(await balance(userId), 500n)
  t.match(await redemption.get(id), { state: 'used', uses: 1, redeemedBy: userId })
  const { items } = await ledger.entries({ userId, page: 1, pageSize: 10 })
  t.match(items, [{ kind: 'redeem', amount: 500n, note: `Redemption code ${id} "Spring"` }])
  t.strictSame(await ledger.check(), [])
})

t.test('[BILL-2] of 64 who race for one use in two processes, one has it', async (t) => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, at) => person(`racer${at}`)))
  const { code } = (await made())[0]!
  const processes = [redemption, another()]
  const tries = Array.from({ length: 64 }, (_, at) =>
    redeem(people[at % 8]!.userId, code, processes[at % 2]),
  )
  const results = await Promise.allSettled(tries)
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  const balances = await Promise.all(people.map(({ userId }) => balance(userId)))
  t.equal(
    balances.reduce((sum, one) => sum + one, 0n),
    500n,
  )
})

t.test('a code of several uses is good for as many users, once each', async (t) => {
  const { code, id } = (await made({ usesMax: 2 }))[0]!
  const [one, two, three] = await Promise.all([person('one'), person('two'), person('three')])
  t.equal(await redeem(one!.userId, code), 500n)
  await t.rejects(redeem(one!.userId, code), refused)
  t.equal(await redeem(two!.userId, code), 500n)
  await t.rejects(redeem(three!.userId, code), refused)
  t.match(await redemption.get(id), { uses: 2, state: 'used' })
})

t.test('what is off, expired or no code is refused in the same words', async (t) => {
  const { userId } = await person('bea')
  const [off, late] = await Promise.all([
    made().then(([code]) => code!),
    made({ expiresAt: new Date(clock.now() + 1000) }).then(([code]) => code!),
  ])
  await redemption.change(off.id, { isOn: false })
  clock.advance(999)
  t.match(await redemption.get(late.id), { state: 'on' })
  clock.advance(1)
  t.match(await redemption.get(late.id), { state: 'expired' })
  const texts = await Promise.all(
    [off.code, late.code, '0'.repeat(32), 'no code', '', '\0'.repeat(32), 'f'.repeat(64)].map(
      (code) => redeem(userId, code).then(String, (error: Error) => error.message),
    ),
  )
  t.equal(new Set(texts).size, 1, 'no reason can be distinguished')
  t.match(texts[0], /cannot be redeemed/)
  t.equal(await balance(userId), 0n)
  await redemption.change(late.id, { expiresAt: null })
  t.equal(await redeem(userId, late.code), 500n)
})

t.test('[BILL-2] a ledger that fails leaves the code as it was', async (t) => {
  const { userId } = await person('cleo')
  const { code, id } = (await made())[0]!
  const failing = another({
    ledger: { post: () => Promise.reject(new Error('the connection is lost')) },
  })
  await t.rejects(redeem(userId, code, failing), /connection is lost/)
  t.match(await redemption.get(id), { state: 'on', uses: 0 })
  t.equal(await redeem(userId, code), 500n)
})

t.test(
  'codes are found by name, id, whole code, batch and state; invalid ones are deleted together',
  async (t) => {
    await redemption.removeInvalid()
    const [spare, other] = await made({ name: '50%_off', count: 2 })
    const find = async (query: object) =>
      (await redemption.list({ offset: 0, limit: 10, ...query })).items.map(({ id }) => id)
    t.strictSame(await find({ search: '%_' }), [other!.id, spare!.id])
    t.strictSame(await find({ search: spare!.code.toUpperCase() }), [spare!.id])
    t.strictSame(await find({ search: String(other!.id) }), [other!.id])
    t.strictSame(await find({ batch: spare!.batch, state: 'on' }), [other!.id, spare!.id])
    t.strictSame(await find({ search: 'nothing' }), [])
    await redemption.change(spare!.id, { isOn: false, name: 'Old' })
    t.strictSame(await find({ state: 'off' }), [spare!.id])
    t.equal((await redemption.list({ offset: 1, limit: 1, batch: spare!.batch })).total, 2)
    t.equal(await redemption.removeInvalid(), 1)
    t.equal(await redemption.get(spare!.id), undefined)
    t.match(await redemption.get(other!.id), { state: 'on' })
    t.equal(await redemption.remove([other!.id, other!.id]), 1)
  },
)
