/** Faults planted into what repeats and what is taken while the payer is away, one at a time: the kit notices each of them. */
import t from 'tap'
import type { OutgoingKit } from '../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  ChargeOrder,
  PaymentCallback,
  PaymentGateway,
} from '../../kernel/contract/payment.js'
import { decimalAmount, minorUnits } from '../../kernel/toolkit/payment/index.js'
import { type Change, changed, fieldsOf, noticed, sound } from './payment-example.js'

const reported = (
  { verify }: PaymentGateway,
  change: (verdict: CallbackVerdict, callback: PaymentCallback) => CallbackVerdict,
): Partial<PaymentGateway> => ({
  verify: (callback) => change(verify!(callback) as CallbackVerdict, callback),
})

/** Sent without a look at what was sent before. */
const chargedAtOnce =
  (fetch: OutgoingKit['fetch'], key?: (order: ChargeOrder) => string): PaymentGateway['charge'] =>
  async (order) => {
    const { orderNo, amountMinor, currency } = order
    const amount = decimalAmount(amountMinor, currency)
    const { status } = await fetch('https://api.acme.example/charges', {
      method: 'POST',
      body: JSON.stringify({ orderNo, amount, currency, ...(key && { once: key(order) }) }),
    })
    if (status === 402) return { kind: 'refused', reason: 'Your bank declined this payment.' }
    if (status !== 200) throw new Error(`Acme returned status ${status}.`)
    return { kind: 'begun' }
  }

/** Of what repeats, of payments by a mandate, and of the page for payers; and the test that has to fail. */
const faults: Readonly<Record<string, readonly [RegExp, Change]>> = {
  'a payment that repeats forgets its order': [
    /is opened for its order/,
    ({ subscribe }) => ({
      subscribe: (order) => subscribe!({ ...order, orderNo: 'another' }),
    }),
  ],
  'a payment that repeats is opened for another amount': [
    /is opened for its order/,
    ({ subscribe }) => ({
      subscribe: (order) => subscribe!({ ...order, amountMinor: order.amountMinor + 1n }),
    }),
  ],
  'a payment that repeats is open where the provider refused': [
    /opens no payment that repeats/,
    ({ subscribe }) => ({
      subscribe: (order) =>
        subscribe!(order).catch(() => ({
          ...{ kind: 'redirect', url: `https://acme.example/${order.orderNo}` },
        })),
    }),
  ],
  'the first payment does not name what repeats': [
    /names the order and the agreement/,
    (gateway) =>
      reported(gateway, (verdict) => {
        if (verdict.kind !== 'notice') return verdict
        const { agreement: _, ...notice } = verdict.notice
        return { kind: 'notice', notice }
      }),
  ],
  'a renewal is believed unsigned': [
    /changed at any place/,
    ({ verify }) => ({
      verify(callback) {
        let verdict: CallbackVerdict
        try {
          verdict = verify!(callback) as CallbackVerdict
        } catch {
          return { kind: 'forged', reason: 'It is unreadable.' }
        }
        if (verdict.kind !== 'forged' || !callback.body.includes('renewal')) return verdict
        const { id, amount } = fieldsOf(callback.body)
        const amountMinor = minorUnits(amount ?? '', 'USD')
        if (amountMinor === undefined) return verdict
        const paid = { state: 'paid', reference: id!, amountMinor } as const
        return { kind: 'renewal', renewal: { event: `renewal ${id}`, agreement: 'sub_1', ...paid } }
      },
    }),
  ],
  'a renewal is rounded': [
    /a renewal is read exactly/,
    (gateway) =>
      reported(gateway, (verdict) => {
        if (verdict.kind !== 'renewal') return verdict
        const { amountMinor = 0n } = verdict.renewal
        return {
          ...verdict,
          renewal: { ...verdict.renewal, amountMinor: (amountMinor / 100n) * 100n },
        }
      }),
  ],
  'every renewal is the same payment': [
    /a reference of its own/,
    (gateway) =>
      reported(gateway, (verdict) =>
        verdict.kind === 'renewal'
          ? { ...verdict, renewal: { ...verdict.renewal, reference: 'sub_1' } }
          : verdict,
      ),
  ],
  'each delivery of a renewal is another event': [
    /the same at every delivery/,
    (gateway) =>
      reported(gateway, (verdict) =>
        verdict.kind === 'renewal'
          ? { ...verdict, renewal: { ...verdict.renewal, event: String(Math.random()) } }
          : verdict,
      ),
  ],
  'a renewal is a payment of the order': [
    /a renewal is read exactly/,
    (gateway) =>
      reported(gateway, (verdict, { body }) => {
        if (verdict.kind !== 'renewal' || verdict.renewal.state !== 'paid') return verdict
        const { event, reference, amountMinor } = verdict.renewal
        const paid = { event, state: 'paid', reference: reference!, amountMinor } as const
        return { kind: 'notice', notice: { ...paid, orderNo: fieldsOf(body).order! } }
      }),
  ],
  'the end is no news': [
    /the end of what repeats/,
    (gateway) =>
      reported(gateway, (verdict) =>
        verdict.kind === 'renewal' && verdict.renewal.state === 'ended'
          ? { kind: 'ignored', event: 'ended' }
          : verdict,
      ),
  ],
  'what has ended cannot be ended again': [
    /may be ended again/,
    (_, { fetch }) => ({
      async unsubscribe(agreement) {
        const body = JSON.stringify({ agreement })
        const url = 'https://api.acme.example/subscriptions/end'
        const { ok, status } = await fetch(url, { method: 'POST', body })
        if (!ok) throw new Error(`Acme returned status ${status}.`)
      },
    }),
  ],
  'what could not be ended has ended': [
    /has not ended/,
    ({ unsubscribe }) => ({
      unsubscribe: (agreement) => unsubscribe!(agreement).catch(() => {}),
    }),
  ],
  'ending calls nobody': [/may be ended again/, () => ({ unsubscribe: async () => {} })],
  'it shows its secret where it cannot end': [
    /has not ended/,
    ({ unsubscribe }, { settings }) => ({
      unsubscribe: (agreement) =>
        unsubscribe!(agreement).catch(() => {
          throw new Error(`refused for ${settings.string('key')}`)
        }),
    }),
  ],
  'the mandate is not named': [
    /names the mandate/,
    (gateway) =>
      reported(gateway, (verdict) => {
        if (verdict.kind !== 'notice') return verdict
        const { mandate: _, ...notice } = verdict.notice
        return { kind: 'notice', notice }
      }),
  ],
  'a charge is taken at every call': [
    /charged again takes nothing more/,
    (_, { fetch }) => ({ charge: chargedAtOnce(fetch) }),
  ],
  'a charge relies on a key that is forgotten': [
    /charged again takes nothing more/,
    (_, { fetch }) => ({
      charge: chargedAtOnce(fetch, ({ orderNo }) => orderNo),
    }),
  ],
  'every charge has the same key': [
    /charged again takes nothing more/,
    (_, { fetch }) => ({
      charge: chargedAtOnce(fetch, () => 'always'),
    }),
  ],
  'a charge is of another amount': [
    /are taken for their order/,
    ({ charge }) => ({
      charge: (order) => charge!({ ...order, amountMinor: order.amountMinor - 1n }),
    }),
  ],
  'a charge whose connection broke is refused': [
    /whose connection broke/,
    ({ charge }) => ({
      charge: (order) =>
        charge!(order).catch(() => ({
          kind: 'refused',
          reason: 'Your bank declined this payment.',
        })),
    }),
  ],
  'a charge that was declined is begun': [
    /what the bank declines/,
    ({ charge }) => ({
      async charge(order) {
        const result = await charge!(order)
        return result.kind === 'refused' ? { kind: 'begun' } : result
      },
    }),
  ],
  'a payer is shown what the provider states': [
    /what the bank declines/,
    ({ charge }) => ({
      async charge(order) {
        const result = await charge!(order)
        if (result.kind !== 'refused') return result
        return { kind: 'refused', reason: 'do_not_honor by acquirer 7731.' }
      },
    }),
  ],
  'it shows its secret to a payer who is declined': [
    /what the bank declines/,
    ({ charge }, { settings }) => ({
      async charge(order) {
        const result = await charge!(order)
        if (result.kind !== 'refused') return result
        return { kind: 'refused', reason: `Declined for ${settings.string('key')}.` }
      },
    }),
  ],
  'it shows its secret in the address of the page': [
    /the page of a payer/,
    ({ portal }, { settings }) => ({
      async portal(request) {
        const { url } = await portal!(request)
        return { url: `${url}?key=${settings.string('key')}` }
      },
    }),
  ],
  'there is a page where the provider has none': [
    /has no page/,
    ({ portal }) => ({
      portal: (request) => portal!(request).catch(() => ({ url: 'https://acme.example/' })),
    }),
  ],
  'what repeats cannot be ended': [/is tried here/, () => ({ unsubscribe: undefined })],
}

for (const [fault, [title, change]] of Object.entries(faults)) {
  t.test(`noticed: ${fault}`, async (t) => {
    const failed = await noticed(changed(change))
    t.ok(
      failed.some((one) => title.test(one)),
      `of ${title}: ${failed.join(', ')}`,
    )
  })
}

t.test('noticed: what moves money by itself and is not tried', async (t) => {
  for (const untried of ['recurring', 'charge', 'portal'] as const) {
    t.ok((await noticed(sound, { [untried]: undefined })).length > 0, untried)
  }
})
