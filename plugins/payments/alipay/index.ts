/** Alipay: payment on its web page, signed notices, queries and refunds. */
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  Checkout,
  CheckoutOrder,
  PaymentGateway,
  PaymentNotice,
  PlacedOrder,
  RefundRequest,
  RefundResult,
} from '../../../kernel/contract/payment.js'
import { someText } from '../../../kernel/toolkit/json/index.js'
import { decimalAmount, minorUnits } from '../../../kernel/toolkit/payment/index.js'
import { verified } from './callback.js'
import { addressOf, called, type Request, signedRequest } from './client.js'
import { type Merchant, merchantOf, offerOf } from './settings.js'
import { atBeijing } from './times.js'

const success = '10000'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function merchant(): Merchant {
    const found = merchantOf(settings)
    if (found === undefined) throw new Error('Alipay is not set up.')
    return found
  }
  const call = (request: Request) => called(request, merchant(), { fetch, now: clock.now() })

  async function look({ orderNo }: PlacedOrder): Promise<PaymentNotice | undefined> {
    const content = { out_trade_no: orderNo }
    const found = await call({ method: 'alipay.trade.query', content })
    const reference = someText(found.trade_no)
    if (found.code !== success || found.out_trade_no !== orderNo) return undefined
    if (found.trade_status !== 'TRADE_SUCCESS' && found.trade_status !== 'TRADE_FINISHED') {
      return undefined
    }
    const amountMinor = minorUnits(someText(found.total_amount) ?? '', 'CNY')
    if (reference === undefined || amountMinor === undefined) return undefined
    const facts = { amountMinor, currency: 'CNY', isTest: merchant().isTest }
    return { event: `paid ${reference}`, state: 'paid', orderNo, reference, ...facts }
  }

  async function refund(request: RefundRequest): Promise<RefundResult> {
    const { orderNo, reference, refundMinor, key } = request
    const content = {
      ...{ trade_no: reference, out_request_no: key },
      refund_amount: decimalAmount(refundMinor, 'CNY'),
    }
    const found = await call({ method: 'alipay.trade.refund', content })
    if (found.code !== success) {
      const fault = /^[A-Z._]{1,64}$/.exec(someText(found.sub_code) ?? '')?.[0] ?? 'no reason'
      return { kind: 'refused', reason: `Alipay refused to pay back (${fault}).` }
    }
    const amountMinor = minorUnits(someText(found.refund_fee) ?? '', 'CNY')
    if (amountMinor === undefined) return { kind: 'begun' }
    const facts = { amountMinor, currency: 'CNY', isTest: merchant().isTest }
    const notice = { event: `refund ${key}`, orderNo, reference, ...facts }
    return { kind: 'done', notice: { ...notice, state: 'refunded' } }
  }

  return {
    offer() {
      const found = merchantOf(settings)
      return found && offerOf(settings, found)
    },
    checkout: async (order) => opened(order, merchant(), clock.now()),
    verify: (callback) => verified(callback, merchant(), clock.now()),
    reply: (outcome) => ({ body: outcome === 'accepted' ? 'success' : 'failure' }),
    fetch: look,
    refund,
  }
}

function opened(order: CheckoutOrder, merchant: Merchant, now: number): Checkout {
  const { orderNo, amountMinor, currency, title, expiresAt } = order
  if (currency !== 'CNY') throw new Error('Alipay takes CNY alone.')
  const content = {
    ...{ out_trade_no: orderNo, product_code: 'FAST_INSTANT_TRADE_PAY' },
    ...{ total_amount: decimalAmount(amountMinor, currency), subject: title.slice(0, 128) },
    time_expire: atBeijing(expiresAt),
  }
  const addresses = { notify_url: order.callbackUrl, return_url: order.returnUrl }
  const request = { method: 'alipay.trade.page.pay', content, addresses }
  const parameters = new URLSearchParams(signedRequest(request, merchant, now))
  return { kind: 'redirect', url: `${addressOf(merchant)}?${parameters}` }
}
