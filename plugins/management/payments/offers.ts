/** What can be bought, in the words of the management API. */
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type {
  GatewayStatus,
  LastReport,
  OfferedGateway,
  Payments,
} from '../../services/payments/index.js'

export function topUpInfo(payments: Payments) {
  const gateways = payments.gateways()
  return {
    gateways: gateways.map(gatewayRecord),
    ...payments.choices(),
    ...familyFields(new Map(gateways.map(({ name, offer }) => [name, offer]))),
  }
}

function gatewayRecord({ offer, keepsMandate, ...look }: OfferedGateway) {
  const { currency, amountMin, isTest } = offer
  const methods = methodsOf(offer)
  return {
    ...{ ...look, currency },
    amount_min: Number(amountMin),
    ...{ methods, products: productsOf(offer), test: isTest, keeps_mandate: keepsMandate },
  }
}

/** Every gateway there is, with what was reported last. */
export async function gatewayStatuses(payments: Payments) {
  const last = await payments.lastReports()
  return payments.gatewayStates().map((one) => gatewayStatusRecord(one, last.get(one.name)))
}

export type GatewayStatusRecord = ReturnType<typeof gatewayStatusRecord>

function gatewayStatusRecord(
  { isTest, callbackAddress, ...shown }: GatewayStatus,
  last: LastReport | undefined,
) {
  return {
    ...{ ...shown, test: isTest, callback_address: callbackAddress },
    last_report: last === undefined ? 0 : Math.floor(last.at.getTime() / 1000),
    last_verdict: last?.verdict ?? ('' as const),
  }
}

/** The same for scripts and pages of the family, which know these gateways by name. */
function familyFields(offers: ReadonlyMap<string, PaymentOffer>) {
  const [epay, stripe, creem] = ['epay', 'stripe', 'creem'].map((name) => offers.get(name))
  const methods = epay === undefined ? [] : methodsOf(epay)
  const products = creem === undefined ? [] : productsOf(creem)
  return {
    enable_online_topup: epay !== undefined,
    enable_stripe_topup: stripe !== undefined,
    enable_creem_topup: creem !== undefined,
    min_topup: Number(epay?.amountMin ?? 1),
    stripe_min_topup: Number(stripe?.amountMin ?? 1),
    pay_methods: methods.map(({ id, title, amount_min }) => ({
      ...{ name: title, type: id, min_topup: amount_min },
    })),
    enable_redemption: true,
    creem_products: JSON.stringify(
      products.map(({ id, title, money, currency, quota }) => ({
        ...{ name: title, productId: id, price: Number(money), currency, quota: Number(quota) },
      })),
    ),
  }
}

function methodsOf({ methods = [], amountMin }: PaymentOffer) {
  return methods.map((one) => ({
    id: one.id,
    title: one.title,
    amount_min: Number(one.amountMin ?? amountMin),
  }))
}

function productsOf({ products = [] }: PaymentOffer) {
  return products.map(({ id, title, amountMinor, currency, quota }) => ({
    ...{ id, title, currency, quota },
    money: decimalAmount(amountMinor, currency),
  }))
}
