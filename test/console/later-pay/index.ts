/** A payment gateway for tests of the console that can charge later: its provider is the test, which signs its reports. */
import { createHmac } from 'node:crypto'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  ChargeResult,
  PaymentGateway,
  PaymentNotice,
} from '../../../kernel/contract/payment.js'
import { isEqualInConstantTime } from '../../../kernel/toolkit/payment/index.js'

export default function create({ settings, fetch }: OutgoingKit): PaymentGateway {
  const address = () => settings.string('address')
  const key = () => settings.string('key')
  return {
    offer() {
      if (address() === '' || key() === '') return undefined
      const isTest = settings.boolean('test')
      return { currency: 'EUR', unitPrice: '0.9', amountMin: '5', isTest }
    },
    async checkout({ orderNo, amountMinor, keepsMandate, returnUrl }) {
      const facts = { order: orderNo, amount: String(amountMinor), back: returnUrl }
      const query = new URLSearchParams({ ...facts, keeps: String(keepsMandate === true) })
      return { kind: 'redirect', url: `${address()}/pay?${query}` }
    },
    verify: ({ headers, body }) => verdictOf(body, headers['later-signature'] ?? '', key()),
    async charge({ orderNo, amountMinor, currency, mandate }) {
      const order = { orderNo, amount: String(amountMinor), currency, mandate }
      const sent = { method: 'POST', body: JSON.stringify(order) }
      const response = await fetch(`${address()}/charge`, sent)
      return (await response.json()) as ChargeResult
    },
    portal: async ({ mandate = '' }) => ({
      url: `${address()}/portal?${new URLSearchParams({ mandate })}`,
    }),
  }
}

function verdictOf(body: Buffer, given: string, key: string): CallbackVerdict {
  const expected = createHmac('sha256', key).update(body).digest('hex')
  if (!isEqualInConstantTime(given, expected)) return { kind: 'forged', reason: 'Not signed.' }
  const { amount, ...notice } = JSON.parse(body.toString())
  return {
    kind: 'notice',
    notice: { ...notice, amountMinor: BigInt(amount) } as PaymentNotice,
  }
}
