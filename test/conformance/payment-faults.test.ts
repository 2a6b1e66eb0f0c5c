/** Faults planted into a sound payment gateway, one at a time: the kit notices each of them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  RefundRequest,
} from '../../kernel/contract/payment.js'
import { decimalAmount, minorUnits } from '../../kernel/toolkit/payment/index.js'
import { conformingPayment, type PaidFacts, type PaymentSubject } from './payment.js'

const manifest = JSON.stringify({
  ...{ id: 'payment.acme', kind: 'payment', engines: { waybill: '^1.0' }, version: '1.0.0' },
  ...{ title: 'Acme Pay', entry: './index.js', hosts: ['api.acme.example'] },
  payment: { callback: ['POST'] },
  settings: [
    { name: 'key', type: 'secret', title: 'Key' },
    { name: 'currency', type: 'string', default: 'USD', title: 'Currency' },
  ],
})
const key = 'k3y-of-the-merchant'
const signatureOf = (text: string, secret = key) =>
  createHmac('sha256', secret).update(text).digest('hex')

function sound({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  const secret = () => settings.string('key').trim()
  async function call(path: string, body: object): Promise<JsonObject> {
    const answer = await fetch(`https://api.acme.example/${path}`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${secret()}` } },
      body: JSON.stringify(body),
    })
    const json = answer.ok ? ((await answer.json()) as JsonObject) : {}
    if (typeof json.id !== 'string') throw new Error(`Acme returned status ${answer.status}.`)
    return json
  }
  return {
    offer() {
      const currency = settings.string('currency')
      if (secret() === '') return undefined
      return { currency, unitPrice: '1', amountMin: '1', isTest: false }
    },
    async checkout({ orderNo, amountMinor, currency }: CheckoutOrder) {
      const amount = decimalAmount(amountMinor, currency)
      const { id } = await call('payments', { orderNo, amount, currency })
      return { kind: 'redirect', url: `https://acme.example/${id}`, reference: String(id) }
    },
    verify: (callback) => verdictOf(callback, secret(), clock.now()),
    reply: (outcome) => ({ body: outcome }),
    async fetch() {
      const { orderNo, paid } = await call('query', {})
      if (typeof paid !== 'string') return undefined
      const amountMinor = minorUnits(paid, 'USD')!
      const notice = { state: 'paid', orderNo: String(orderNo), amountMinor } as const
      return { event: 'paid p1', reference: 'p1', ...notice }
    },
    async refund({ reference, refundMinor, currency, key: once }: RefundRequest) {
      await call('refunds', { reference, amount: decimalAmount(refundMinor, currency), once })
      return { kind: 'begun' }
    },
  }
}

function verdictOf(
  { headers, body }: PaymentCallback,
  secret: string,
  now: number,
): CallbackVerdict {
  const [at = '', given = ''] = (headers['acme-signature'] ?? '').split(' ')
  const wanted = signatureOf(`${at}.${body}`, secret || 'nothing')
  const isEqual =
    given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
  if (!isEqual) return { kind: 'forged', reason: 'Its signature is wrong.' }
  if (Math.abs(now - Number(at)) > 300_000) return { kind: 'forged', reason: 'It is too old.' }
  const { id, order, amount, currency } = JSON.parse(body.toString()) as Record<string, string>
  const amountMinor = minorUnits(amount!, currency!)!
  const notice = { state: 'paid', orderNo: order!, amountMinor, currency: currency! } as const
  return { kind: 'notice', notice: { event: `paid ${id}`, reference: id!, ...notice } }
}

const subject: PaymentSubject = {
  manifest,
  create: sound,
  settings: { key },
  required: ['key'],
  checkout: {
    provider: () => ({ json: { id: 'pay_1' } }),
    amounts: [
      { currency: 'USD', amountMinor: 7000n, written: '70.00' },
      { currency: 'JPY', amountMinor: 1050n, written: '1050', settings: { currency: 'JPY' } },
      { currency: 'KWD', amountMinor: 1050n, written: '1.050', settings: { currency: 'KWD' } },
    ],
  },
  callbacks: {
    secrets: ['key'],
    currency: 'USD',
    toleranceSeconds: 300,
    paid({ orderNo, amountMinor, currency, at }: PaidFacts, secrets = {}) {
      const amount = decimalAmount(amountMinor, currency)
      const text = JSON.stringify({ id: 'p1', order: orderNo, amount, currency })
      const sign = signatureOf(`${at}.${text}`, String(secrets.key ?? key))
      const headers = { 'acme-signature': `${at} ${sign}` }
      return { method: 'POST', headers, query: '', body: Buffer.from(text) }
    },
  },
  lookup: {
    paid: () => ({ json: { id: 'q', orderNo: 'c0ffee'.repeat(5), paid: '70.00' } }),
    unpaid: () => ({ json: { id: 'q' } }),
  },
  refund: { reference: 'p1', provider: () => ({ json: { id: 'r1' } }) },
}

/** Titles of what failed. */
async function noticed(create: PaymentSubject['create']): Promise<string[]> {
  const failed: string[] = []
  const running: Promise<void>[] = []
  const test = (title: string, run: () => void | Promise<void>) => {
    const whole = async () => run()
    running.push(whole().catch(() => void failed.push(title)))
  }
  conformingPayment(test, { ...subject, create })
  await Promise.all(running)
  return failed
}

type Change = (gateway: PaymentGateway, kit: OutgoingKit) => Partial<PaymentGateway>

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
    const failed = await noticed((kit) => {
      const gateway = sound(kit)
      return { ...gateway, ...change(gateway, kit) }
    })
    t.ok(failed.length > 0, 'some test of the kit fails')
  })
}
