/** What can be bought, in the words of the management API. */
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { OfferedGateway } from '../../services/payments/index.js'

export function gatewayRecord({ name, title, offer }: OfferedGateway) {
  const { currency, amountMin, methods = [], isTest } = offer
  return {
    name,
    title,
    currency,
    amount_min: Number(amountMin),
    methods: methods.map((one) => ({
      id: one.id,
      title: one.title,
      amount_min: Number(one.amountMin ?? amountMin),
    })),
    products: productsOf(offer),
    test: isTest,
  }
}

function productsOf({ products = [] }: PaymentOffer) {
  return products.map(({ id, title, amountMinor, currency, quota }) => ({
    ...{ id, title, currency, quota },
    money: decimalAmount(amountMinor, currency),
  }))
}
