/**
 * A sound payment gateway that can all a gateway can, what the kit needs to try it, and what the kit says of a copy with a
 * fault.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  ChargeOrder,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  PortalRequest,
  RecurringOrder,
  RefundRequest,
} from '../../kernel/contract/payment.js'
import { decimalAmount, minorUnits } from '../../kernel/toolkit/payment/index.js'
import type { ScriptedAnswer } from './outgoing.js'
import { conformingPayment, type PaidFacts, type PaymentSubject } from './payment.js'
import type { ChargeProvider } from './payment-charge.js'

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

export function sound({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  const secret = () => settings.string('key').trim()
  const post = (path: string, body: object) =>
    fetch(`https://api.acme.example/${path}`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${secret()}` } },
      body: JSON.stringify(body),
    })
  async function call(path: string, body: object): Promise<JsonObject> {
    const answer = await post(path, body)
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
    async subscribe({ orderNo, amountMinor, currency, every }: RecurringOrder) {
      const amount = decimalAmount(amountMinor, currency)
      const { id } = await call('subscriptions', { orderNo, amount, currency, every })
      return { kind: 'redirect', url: `https://acme.example/${id}` }
    },
    async unsubscribe(agreement: string) {
      const { ok, status } = await post('subscriptions/end', { agreement })
      if (!ok && status !== 404) throw new Error(`Acme returned status ${status}.`)
    },
    async portal({ agreement, mandate }: PortalRequest) {
      const { id } = await call('pages', { agreement, mandate })
      return { url: `https://acme.example/pages/${id}` }
    },
    async charge({ orderNo, amountMinor, currency, mandate }: ChargeOrder) {
      const notice = { event: `paid ${orderNo}`, state: 'paid', orderNo, amountMinor } as const
      const done = { kind: 'done', notice: { ...notice, reference: `c ${orderNo}` } } as const
      const { paid } = await call('charges/lookup', { orderNo })
      if (typeof paid === 'string') return done
      const amount = decimalAmount(amountMinor, currency)
      const { ok, status } = await post('charges', { orderNo, amount, currency, mandate })
      if (status === 402) return { kind: 'refused', reason: 'Your bank declined this payment.' }
      if (!ok) throw new Error(`Acme returned status ${status}.`)
      return done
    },
  }
}

export function verdictOf(
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
  const { id, kind, order, amount, currency, agreement, mandate } = fieldsOf(body)
  const event = `${kind} ${id}`
  if (kind === 'ended') {
    return { kind: 'renewal', renewal: { event, state: 'ended', agreement: agreement! } }
  }
  const amountMinor = minorUnits(amount!, currency!)!
  const paid = { event, state: 'paid', reference: id!, amountMinor, currency: currency! } as const
  if (kind === 'renewal') return { kind, renewal: { ...paid, agreement: agreement! } }
  return { kind: 'notice', notice: { ...paid, orderNo: order!, agreement, mandate } }
}

export function fieldsOf(body: Buffer): Partial<Record<string, string>> {
  return JSON.parse(body.toString())
}

function signed(fields: JsonObject, at: number, secrets: JsonObject = {}): PaymentCallback {
  const text = JSON.stringify(fields)
  const sign = signatureOf(`${at}.${text}`, String(secrets.key ?? key))
  const headers = { 'acme-signature': `${at} ${sign}` }
  return { method: 'POST', headers, query: '', body: Buffer.from(text) }
}

const fieldsFor = ({ orderNo, amountMinor, currency }: PaidFacts): JsonObject => ({
  ...{ id: 'p1', order: orderNo, amount: decimalAmount(amountMinor, currency), currency },
})

/** It keeps orders for ever, and keys until they are forgotten. */
function charging(): ChargeProvider {
  const orders = new Set<string>()
  const keys = new Map<string, ScriptedAnswer>()
  let taken = 0n
  let decline: string | undefined
  function charge({ orderNo, amount, currency }: Record<string, string>): ScriptedAnswer {
    if (decline !== undefined) return { status: 402, json: { error: decline } }
    orders.add(orderNo!)
    taken += minorUnits(amount!, currency!)!
    return { json: { id: 'c1' } }
  }
  return {
    script({ url, body }) {
      const sent = JSON.parse(body) as Record<string, string>
      if (url.pathname === '/charges/lookup') {
        return { json: { id: 'l1', ...(orders.has(sent.orderNo!) && { paid: 'yes' }) } }
      }
      const known = sent.once === undefined ? undefined : keys.get(sent.once)
      const answer = known ?? charge(sent)
      if (sent.once !== undefined) keys.set(sent.once, answer)
      return answer
    },
    taken: () => taken,
    forget: () => keys.clear(),
    decline: (text) => {
      decline = text
    },
  }
}

const amounts: PaymentSubject['checkout']['amounts'] = [
  { currency: 'USD', amountMinor: 7000n, written: '70.00' },
  { currency: 'JPY', amountMinor: 1050n, written: '1050', settings: { currency: 'JPY' } },
  { currency: 'KWD', amountMinor: 1050n, written: '1.050', settings: { currency: 'KWD' } },
]

const subject: PaymentSubject = {
  manifest,
  create: sound,
  settings: { key },
  required: ['key'],
  checkout: {
    provider: () => ({ json: { id: 'pay_1' } }),
    amounts,
  },
  callbacks: {
    secrets: ['key'],
    currency: 'USD',
    toleranceSeconds: 300,
    paid: (facts, secrets) => signed({ kind: 'paid', ...fieldsFor(facts) }, facts.at, secrets),
  },
  lookup: {
    paid: () => ({ json: { id: 'q', orderNo: 'c0ffee'.repeat(5), paid: '70.00' } }),
    unpaid: () => ({ json: { id: 'q' } }),
  },
  refund: { reference: 'p1', provider: () => ({ json: { id: 'r1' } }) },
  recurring: {
    provider: () => ({ json: { id: 'sub_1' } }),
    amounts,
    agreement: 'sub_1',
    first: (facts, secrets) =>
      signed({ kind: 'paid', agreement: 'sub_1', ...fieldsFor(facts) }, facts.at, secrets),
    renewed(facts, secrets) {
      const fields = { ...fieldsFor(facts), kind: 'renewal', id: `p${facts.nth}` }
      return signed({ ...fields, agreement: 'sub_1' }, facts.at, secrets)
    },
    ended: ({ at }, secrets) =>
      signed({ kind: 'ended', id: 'e1', agreement: 'sub_1' }, at, secrets),
    ending() {
      let hasEnded = false
      return () => {
        const answer = hasEnded ? { status: 404 } : {}
        hasEnded = true
        return answer
      }
    },
  },
  charge: {
    mandate: 'card_1',
    amounts,
    agreed: (facts, secrets) =>
      signed({ kind: 'paid', mandate: 'card_1', ...fieldsFor(facts) }, facts.at, secrets),
    provider: charging,
  },
  portal: {
    requests: [{ agreement: 'sub_1' }, { mandate: 'card_1' }],
    provider: () => ({ json: { id: 'page_1' } }),
  },
}

/** Titles of what failed. */
export async function noticed(
  create: PaymentSubject['create'],
  over: Partial<PaymentSubject> = {},
): Promise<string[]> {
  const failed: string[] = []
  const running: Promise<void>[] = []
  const test = (title: string, run: () => void | Promise<void>) => {
    const whole = async () => run()
    running.push(whole().catch(() => void failed.push(title)))
  }
  conformingPayment(test, { ...subject, create, ...over })
  await Promise.all(running)
  return failed
}

/** What a faulty copy does otherwise. */
export type Change = (gateway: PaymentGateway, kit: OutgoingKit) => Partial<PaymentGateway>

export const changed =
  (change: Change): PaymentSubject['create'] =>
  (kit) => {
    const gateway = sound(kit)
    return { ...gateway, ...change(gateway, kit) }
  }
