/** Payments outside of any provider, as by bank transfer: the payer reads what to do, an admin confirms. */
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CheckoutOrder,
  PaymentGateway,
  PaymentOffer,
} from '../../../kernel/contract/payment.js'
import { amountOf } from '../../../kernel/toolkit/json/index.js'
import { currencyDigits, decimalAmount } from '../../../kernel/toolkit/payment/index.js'

export default function create({ settings }: Pick<OutgoingKit, 'settings'>): PaymentGateway {
  /** Without the number nobody could tell whose payment it is. */
  function offer(): PaymentOffer | undefined {
    const currency = settings.string('currency').trim().toUpperCase()
    const unitPrice = amountOf(String(settings.number('unitPrice')))
    const amountMin = amountOf(String(settings.number('amountMin')))
    if (unitPrice === undefined || amountMin === undefined) return undefined
    if (currencyDigits(currency) === undefined) return undefined
    if (!settings.string('instructions').includes('{order}')) return undefined
    return { currency, unitPrice, amountMin, isTest: false }
  }

  return {
    offer,
    checkout: async (order) => ({
      kind: 'offline',
      instructions: filled(settings.string('instructions'), order),
    }),
  }
}

function filled(text: string, { orderNo, amountMinor, currency }: CheckoutOrder): string {
  const values = new Map([
    ['{order}', orderNo],
    ['{amount}', decimalAmount(amountMinor, currency)],
    ['{currency}', currency],
  ])
  return text.replace(/\{(?:order|amount|currency)\}/g, (hole) => values.get(hole) ?? hole)
}
