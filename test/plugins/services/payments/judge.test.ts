/** What a report means for an order, case by case: provider, mode, currency and amount first, then its state. */
import t from 'tap'
import type { PaymentNotice } from '../../../../kernel/contract/payment.js'
import { judged, quotaBack } from '../../../../plugins/services/payments/judge.js'
import type { PaymentOrder } from '../../../../plugins/services/payments/payments.js'

const order: PaymentOrder = {
  ...{ id: 1, orderNo: 'o'.repeat(32), userId: 2, gateway: 'acme', method: '', product: '' },
  ...{ amountMinor: 1050n, currency: 'USD', quota: 5_000_000n, price: {}, isTest: false },
  isRecurring: false,
  isAutomatic: false,
  ...{ state: 'pending', reason: '', refundedMinor: 0n, disputedMinor: 0n, returned: 0n },
  ...{ createdAt: new Date(0), expiresAt: new Date(1) },
}
const paidOrder: PaymentOrder = {
  ...order,
  ...{ state: 'paid', paymentReference: 'pay-1', paidMinor: 1050n, completedAt: new Date(2) },
}
const paid: PaymentNotice = {
  ...{ event: 'e1', state: 'paid', orderNo: order.orderNo, reference: 'pay-1' },
  ...{ amountMinor: 1050n, currency: 'USD' },
}
const verdictOf = (over: Partial<PaymentNotice>, of = order, gateway = 'acme') =>
  judged(of, gateway, { ...paid, ...over }).verdict

t.test(
  '[PAY-1] only the order’s own provider, exact amount and currency complete it',
  async (t) => {
    const rows: readonly (readonly [Partial<PaymentNotice>, string])[] = [
      [{}, 'credited'],
      [{ currency: 'usd' }, 'credited'],
      [{ currency: undefined }, 'credited'],
      [{ currency: 'EUR' }, 'wrong_currency'],
      [{ currency: '' }, 'wrong_currency'],
      [{ amountMinor: 1049n }, 'wrong_amount'],
      [{ amountMinor: 1051n }, 'wrong_amount'],
      [{ amountMinor: 0n }, 'wrong_amount'],
      [{ isTest: true }, 'wrong_mode'],
      [{ isTest: false }, 'credited'],
    ]
    for (const [over, verdict] of rows)
      t.equal(verdictOf(over), verdict, JSON.stringify(Object.keys(over)))
    t.equal(verdictOf({}, order, 'other'), 'wrong_gateway')
  },
)

t.test(
  '[PAY-4] with a discount less may be paid, never more, and both come to the price',
  async (t) => {
    t.equal(verdictOf({ amountMinor: 1000n, discountMinor: 50n }), 'credited')
    t.equal(verdictOf({ amountMinor: 0n, discountMinor: 1050n }), 'credited')
    t.equal(verdictOf({ amountMinor: 1000n, discountMinor: 49n }), 'wrong_amount')
    t.equal(verdictOf({ amountMinor: 1050n, discountMinor: 1n }), 'wrong_amount')
    t.equal(verdictOf({ amountMinor: 1100n, discountMinor: 0n }), 'wrong_amount')
  },
)

t.test('[PAY-2] what does not fit changes nothing', async (t) => {
  for (const over of [{ amountMinor: 1n }, { currency: 'EUR' }, { isTest: true }]) {
    t.equal(judged(order, 'acme', { ...paid, ...over }).change, undefined)
  }
  t.equal(judged(order, 'other', paid).change, undefined)
})

t.test('[PAY-5] a paid order stays as it is, whatever comes again', async (t) => {
  t.strictSame(judged(paidOrder, 'acme', paid), { verdict: 'already_paid' })
  t.strictSame(judged(paidOrder, 'acme', { ...paid, reference: 'pay-2' }), {
    verdict: 'duplicate_payment',
  })
  for (const state of ['failed', 'expired', 'pending'] as const) {
    t.strictSame(judged(paidOrder, 'acme', { ...paid, state }), { verdict: 'without_effect' })
  }
  const byAdmin = { ...paidOrder, paymentReference: undefined }
  t.strictSame(judged(byAdmin, 'acme', { ...paid, mandate: 'pm' }), {
    verdict: 'already_paid',
    change: { reference: 'pay-1', mandate: 'pm' },
  })
})

t.test('only a payment that fits brings what can be charged later', async (t) => {
  const mandateOf = (over: Partial<PaymentNotice>, of = order) =>
    judged(of, 'acme', { ...paid, mandate: 'pm', ...over }).change?.mandate
  t.equal(mandateOf({}), 'pm')
  t.equal(mandateOf({}, paidOrder), undefined)
  t.equal(mandateOf({ amountMinor: 1n }), undefined)
  t.equal(mandateOf({ currency: 'EUR' }), undefined)
  for (const state of ['pending', 'failed', 'expired'] as const) {
    t.equal(mandateOf({ state }), undefined, state)
  }
})

t.test('[PAY-5] money that comes late is credited', async (t) => {
  for (const state of ['failed', 'expired'] as const) {
    t.equal(verdictOf({}, { ...order, state }), 'credited', state)
  }
})

t.test('what is paid back is of the payment of the order, and known by its sum', async (t) => {
  const refunded = (amountMinor: bigint, of = paidOrder, over: Partial<PaymentNotice> = {}) =>
    judged(of, 'acme', { ...paid, state: 'refunded', amountMinor, ...over })
  t.strictSame(refunded(500n), { verdict: 'returned', change: { refundedMinor: 500n } })
  t.equal(refunded(500n, order).verdict, 'early')
  t.equal(refunded(500n, { ...paidOrder, refundedMinor: 600n }).verdict, 'without_effect')
  t.equal(refunded(1051n).verdict, 'wrong_amount')
  t.equal(refunded(500n, paidOrder, { reference: 'pay-2' }).verdict, 'without_effect')
  const disputed = { ...paidOrder, disputedMinor: 1050n }
  t.strictSame(judged(disputed, 'acme', { ...paid, state: 'reinstated', amountMinor: undefined }), {
    verdict: 'returned',
    change: { disputedMinor: 0n },
  })
  t.equal(judged(paidOrder, 'acme', { ...paid, state: 'reinstated' }).verdict, 'without_effect')
})

t.test(
  'credit is taken back by the part that was paid back, half up, never more than was given',
  async (t) => {
    const back = (refundedMinor: bigint, disputedMinor = 0n, quota = 1000n, paidMinor = 3n) =>
      quotaBack({ quota, paidMinor, refundedMinor, disputedMinor })
    t.equal(back(0n), 0n)
    t.equal(back(1n), 333n)
    t.equal(back(2n), 667n)
    t.equal(back(3n), 1000n)
    t.equal(back(2n, 2n), 1000n)
    t.equal(back(1n, 0n, 1n, 2n), 1n)
  },
)
