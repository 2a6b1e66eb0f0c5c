/** What payers agree to with a payment: kept with it, replaced by a later one, forgotten when it ends, and shown to nobody. */
import t from 'tap'
import type { PaymentNotice } from '../../../../kernel/contract/payment.js'
import { offer, paymentsFixture } from './payments-fixture.js'

const fixture = await paymentsFixture(t)
const { payments, script, opened, clock, database, person, callback, agree } = fixture
const { knex } = database

let events = 0
const paid = (orderNo: string, over: Partial<PaymentNotice> = {}): PaymentNotice => ({
  ...{ event: `evt-${++events}`, state: 'paid', orderNo, reference: `pay-${orderNo}` },
  ...{ amountMinor: 7_000n, currency: 'CNY' },
  ...over,
})

async function consenting(userId: number, gateway = 'acme') {
  const wanted = { gateway, group: 'default', amount: 10, payer: { id: userId } }
  return (await payments.place({ ...wanted, keepsMandate: true })).order
}

const rows = (userId: number) =>
  knex('payment_mandates').where('user_id', userId).orderBy('id').select()

t.test('a payer agrees where the gateway can charge later, and the offer says so', async (t) => {
  const { userId } = await person('ada')
  t.match(payments.gateways(), [
    { name: 'acme', keepsMandate: true },
    { name: 'other', keepsMandate: false },
  ])
  await consenting(userId)
  t.equal(opened.at(-1)?.keepsMandate, true)
  await fixture.order(userId)
  t.equal(opened.at(-1)?.keepsMandate, undefined)
  const refused = { code: 'invalid_field', param: 'keep_mandate' }
  await t.rejects(consenting(userId, 'other'), refused)
  const products = [{ id: 'p', title: 'P', amountMinor: 1n, currency: 'CNY', quota: 1n }] as const
  script.offer = { ...offer, products }
  const wanted = { gateway: 'acme', group: 'default', product: 'p', payer: { id: userId } }
  await t.rejects(payments.place({ ...wanted, keepsMandate: true }), refused)
  script.offer = offer
})

t.test('what was agreed is kept with its payment, once, and in no list or event', async (t) => {
  const { userId } = await person('bob')
  const { orderNo } = await consenting(userId)
  await callback(paid(orderNo, { amountMinor: 1n, mandate: 'pm_secret_1' }))
  t.strictSame(await rows(userId), [], 'the payment did not fit')
  const notice = paid(orderNo, { mandate: 'pm_secret_1' })
  await Promise.all(Array.from({ length: 4 }, () => callback(notice)))
  t.match(await rows(userId), [
    { gateway: 'acme', mandate: 'pm_secret_1', is_test: false, order_no: orderNo },
  ])
  const [known, ...others] = await payments.mandates(userId)
  t.strictSame(others, [])
  t.match(known, { gateway: 'acme', title: 'Acme Pay', isTest: false, hasPortal: true })
  const shown = JSON.stringify(
    [known, await payments.events(orderNo), await payments.orders({ userId, offset: 0, limit: 9 })],
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  )
  t.notMatch(shown, 'pm_secret_1')
})

t.test('without their agreement nothing is kept, whatever a provider reports', async (t) => {
  const { userId } = await person('cleo')
  const { orderNo } = await fixture.order(userId)
  await callback(paid(orderNo, { mandate: 'pm_unasked' }))
  t.equal(await fixture.balance(userId), 5_000_000n)
  t.strictSame(await rows(userId), [])
})

t.test('an order an admin completed brings the mandate once its payment is reported', async (t) => {
  const { userId } = await person('dan')
  const { orderNo } = await consenting(userId)
  await payments.complete({ orderNo, by: 'root', reason: 'seen', requestId: 'r' })
  t.strictSame(await payments.mandates(userId), [])
  await callback(paid(orderNo, { mandate: 'pm_late' }))
  t.match(await rows(userId), [{ mandate: 'pm_late' }])
})

t.test('a later mandate of a gateway replaces the earlier one, also at once', async (t) => {
  const { userId } = await person('eve')
  await agree(userId, 'pm_old')
  const orders = await Promise.all([1, 2, 3].map(() => consenting(userId)))
  const codes = await Promise.all(
    orders.map(({ orderNo }) => callback(paid(orderNo, { mandate: `pm_${orderNo}` }))),
  )
  t.strictSame(codes, [200, 200, 200])
  const kept = await rows(userId)
  t.equal(kept.length, 4)
  t.equal(kept.filter(({ replaced_at }) => replaced_at === null).length, 1)
  t.match(await payments.mandates(userId), [{ id: kept.at(-1).id }])
})

t.test('what is ended is forgotten, and so is what the deleted had agreed to', async (t) => {
  const ended = await person('finn')
  const gone = await person('gus')
  for (const { userId } of [ended, gone]) {
    await agree(userId, 'pm_first')
    await agree(userId, 'pm_second')
  }
  await knex.transaction((trx) => payments.endMandates(ended.userId, trx))
  t.match(await rows(ended.userId), [
    { mandate: null, ended_at: Date },
    { mandate: null, ended_at: Date },
  ])
  t.strictSame(await payments.mandates(ended.userId), [])
  t.equal((await payments.mandates(gone.userId)).length, 1)
  await knex('users')
    .where('id', gone.userId)
    .update({ deleted_at: new Date(clock.now()) })
  await payments.reconcile()
  t.match(await rows(gone.userId), [{ mandate: null }, { mandate: null }])
})

t.test('[PAY-3] a mandate that cannot be kept is sent again, and not logged', async (t) => {
  const { userId } = await person('gil')
  const { orderNo } = await consenting(userId)
  const lines: string[] = []
  fixture.log.error = (fields, message) => {
    const { err } = fields as { err?: Error }
    lines.push(`${message} ${err?.message} ${err?.stack}`)
  }
  await knex.raw(`
    CREATE FUNCTION break_mandates() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$`)
  await knex.raw(`CREATE TRIGGER break_it BEFORE INSERT ON payment_mandates
    FOR EACH ROW EXECUTE FUNCTION break_mandates()`)
  const notice = paid(orderNo, { mandate: 'pm_not_kept' })
  t.equal(await callback(notice), 500)
  t.equal(await fixture.balance(userId), 0n)
  await knex.raw('DROP TRIGGER break_it ON payment_mandates')
  t.match(lines.join('\n'), 'the disk is full')
  t.notMatch(lines.join('\n'), 'pm_not_kept')
  t.equal(await callback(notice), 200)
  t.match(await rows(userId), [{ mandate: 'pm_not_kept' }])
  t.equal(await fixture.balance(userId), 5_000_000n)
})

t.test('a payer gets to the page of the provider by what they agreed to', async (t) => {
  const { userId } = await person('hal')
  const portal = () => payments.mandatePortal(userId, 'acme')
  await t.rejects(portal(), { code: 'invalid_field', param: 'gateway' })
  await agree(userId, 'pm_portal')
  t.equal(await portal(), 'https://pay.example/portal/pm_portal')
  await t.rejects(payments.mandatePortal(userId, 'other'), {
    code: 'invalid_field',
    param: 'gateway',
  })
  script.offer = undefined
  await t.rejects(portal(), { code: 'invalid_field', param: 'gateway' })
  script.offer = offer
})
