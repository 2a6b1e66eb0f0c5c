/** Faults planted into a sound payment gateway, one at a time: the kit notices each of them. */
import t from 'tap'
import type { CallbackVerdict, PaymentCallback } from '../../kernel/contract/payment.js'
import { decimalAmount, minorUnits } from '../../kernel/toolkit/payment/index.js'
import { type Change, changed, noticed, sound, verdictOf } from './payment-example.js'

const body = (callback: PaymentCallback) => JSON.parse(callback.body.toString())
const paidBy = (amountMinor: bigint, order: string): CallbackVerdict => ({
  kind: 'notice',
  notice: { event: 'paid p1', reference: 'p1', state: 'paid', orderNo: order, amountMinor },
})

const faults: Readonly<Record<string, Change>> = {
  'it offers without its secret': () => ({
    offer: () => ({ currency: 'USD', unitPrice: '1', amountMin: '1', isTest: false }),
  }),
  'it believes whatever comes': () => ({
    verify: (callback) => {
      const { order, amount } = body(callback)
      return paidBy(minorUnits(amount, 'USD')!, order)
    },
  }),
  'it throws at what it cannot read': ({ verify }) => ({
    verify: (callback) => {
      body(callback)
      return verify!(callback)
    },
  }),
  'it forgets the time': (_, { settings }) => ({
    verify: (callback) => {
      const at = Number((callback.headers['acme-signature'] ?? '').split(' ')[0])
      return verdictOf(callback, settings.string('key'), at)
    },
  }),
  'it signs by another part of the callback': () => ({
    verify: (callback) => {
      if (!callback.headers['acme-signature']) return { kind: 'forged', reason: 'No.' }
      const { order, amount } = body(callback)
      return paidBy(minorUnits(amount, 'USD')!, order)
    },
  }),
  'it rounds': ({ verify }) => ({
    verify: (callback) => {
      const verdict = verify!(callback) as CallbackVerdict
      if (verdict.kind !== 'notice') return verdict
      const { order } = body(callback)
      return paidBy((verdict.notice.amountMinor! / 100n) * 100n, order)
    },
  }),
  'it gives each delivery another id': ({ verify }) => ({
    verify: (callback) => {
      const verdict = verify!(callback) as CallbackVerdict
      if (verdict.kind !== 'notice') return verdict
      return { ...verdict, notice: { ...verdict.notice, event: String(Math.random()) } }
    },
  }),
  'it shows its secret in an error': (_, { settings }) => ({
    checkout: () => Promise.reject(new Error(`refused for ${settings.string('key')}`)),
  }),
  'it shows its secret in the address': ({ checkout }, { settings }) => ({
    async checkout(order) {
      const opened = await checkout(order)
      return { ...opened, url: `https://acme.example/?key=${settings.string('key')}` } as never
    },
  }),
  'it forgets the order': (_, { fetch }) => ({
    async checkout({ amountMinor, currency }) {
      const sent = { amount: decimalAmount(amountMinor, currency), currency }
      await fetch('https://api.acme.example/payments', {
        method: 'POST',
        body: JSON.stringify(sent),
      })
      return { kind: 'redirect', url: 'https://acme.example/pay_1' }
    },
  }),
  'it writes every amount with two digits': (_, { fetch }) => ({
    async checkout({ orderNo, amountMinor }) {
      const sent = { orderNo, amount: (Number(amountMinor) / 100).toFixed(2) }
      await fetch('https://api.acme.example/payments', {
        method: 'POST',
        body: JSON.stringify(sent),
      })
      return { kind: 'redirect', url: 'https://acme.example/pay_1' }
    },
  }),
  'it calls another host': (_, { fetch }) => ({
    async checkout() {
      await fetch('https://elsewhere.example/', { method: 'POST', body: '{}' })
      return { kind: 'redirect', url: 'https://acme.example/pay_1' }
    },
  }),
  'it opens a payment that was not opened': () => ({
    checkout: async ({ orderNo, amountMinor, currency }) => ({
      kind: 'redirect',
      url: `https://acme.example/${orderNo}?amount=${decimalAmount(amountMinor, currency)}`,
    }),
  }),
  'it replies 200 to what has to come again': () => ({ reply: () => ({ status: 200, body: '' }) }),
  'a lookup that failed is no news': ({ fetch }) => ({
    fetch: (order) => fetch!(order).catch(() => undefined),
  }),
  'a lookup finds everything paid': () => ({
    fetch: async ({ orderNo, amountMinor }) => ({
      ...{ event: 'paid p1', reference: 'p1', state: 'paid', orderNo, amountMinor },
    }),
  }),
  'a refund forgets its key': ({ refund }) => ({
    refund: (request) => refund!({ ...request, key: 'always' }),
  }),
  'a refund always succeeds': ({ refund }) => ({
    refund: (request) => refund!(request).catch(() => ({ kind: 'begun' as const })),
  }),
}

t.test('the sound gateway conforms', async (t) => {
  t.strictSame(await noticed(sound), [])
})

for (const [fault, change] of Object.entries(faults)) {
  t.test(`noticed: ${fault}`, async (t) => {
    t.ok((await noticed(changed(change))).length > 0, 'some test of the kit fails')
  })
}
