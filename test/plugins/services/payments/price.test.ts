/** What an order costs: decimals multiplied exactly, rounded once. */
import t from 'tap'
import type { PaymentOffer } from '../../../../kernel/contract/payment.js'
import type { PriceRequest } from '../../../../plugins/services/payments/payments.js'
import { type PriceRules, priceOf } from '../../../../plugins/services/payments/price.js'

const rules: PriceRules = {
  groupRatios: { vip: 0.9, free: 'many' },
  discounts: { 100: 0.95, 500: 0.9 },
  bonuses: { 100: 10, 500: 77.5 },
  amountMax: 1000,
}
const offer: PaymentOffer = { currency: 'CNY', unitPrice: '7.3', amountMin: '1', isTest: false }
const price = (request: Partial<PriceRequest>, of: Partial<PaymentOffer> = {}) => {
  const requested = { gateway: 'acme', group: 'default', ...request }
  const { amountMinor, quota } = priceOf(
    requested,
    { title: 'Acme', offer: { ...offer, ...of } },
    rules,
  )
  return [amountMinor, quota]
}

t.test(
  '[PAY-1] an order costs amount, unit price, group ratio and discount, in minor units',
  async (t) => {
    t.strictSame(price({ amount: 1 }), [730n, 500_000n])
    t.strictSame(price({ amount: 10, group: 'vip' }), [6570n, 5_000_000n])
    t.strictSame(price({ amount: 100 }), [69_350n, 55_000_000n])
    t.strictSame(price({ amount: 500 }), [328_500n, 288_750_000n])
    t.strictSame(price({ amount: 99 }), [72_270n, 49_500_000n])
    t.strictSame(price({ amount: 10, group: 'free' }), [7300n, 5_000_000n], 'no number, full price')
    t.strictSame(price({ amount: 10, group: 'constructor' }), [7300n, 5_000_000n])
  },
)

t.test('[PAY-1] minor units are those of the currency, rounded once, half up', async (t) => {
  t.strictSame(price({ amount: 1 }, { currency: 'JPY', unitPrice: '150.5' }), [151n, 500_000n])
  t.strictSame(price({ amount: 1 }, { currency: 'JPY', unitPrice: '150.4' }), [150n, 500_000n])
  t.strictSame(price({ amount: 3 }, { currency: 'KWD', unitPrice: '0.3075' }), [923n, 1_500_000n])
  t.strictSame(price({ amount: 7, group: 'vip' }, { unitPrice: '0.1' }), [63n, 3_500_000n])
})

t.test('what cannot be bought is refused by its field', async (t) => {
  const rows = [
    [{}, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 1001 }, 'amount'],
    [{ amount: 5, method: 'cash' }, 'payment_method'],
  ] as const
  for (const [request, param] of rows) {
    t.throws(() => price(request), { code: 'invalid_field', param })
  }
  t.throws(() => price({ amount: 4 }, { amountMin: '4.5' }), { message: 'The least amount is 5.' })
  t.throws(() => price({ amount: 4 }, { unitPrice: '0' }), {
    code: 'invalid_field',
    param: 'gateway',
  })
  const products = [
    { id: 'p', title: 'Pack', amountMinor: 999n, currency: 'USD', quota: 7_000_000n },
  ]
  t.strictSame(price({ product: 'p', amount: 900 }, { products }), [999n, 7_000_000n])
  t.throws(() => price({ product: 'q' }, { products }), { code: 'invalid_field', param: 'product' })
})
