/** Epay (易支付): aggregators that take Alipay and WeChat Pay, all with the same two interfaces. */
import { isObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  Checkout,
  CheckoutOrder,
  PaymentGateway,
  PaymentNotice,
  PlacedOrder,
} from '../../../kernel/contract/payment.js'
import { parsedText } from '../../../kernel/toolkit/json/index.js'
import { decimalAmount, minorUnits } from '../../../kernel/toolkit/payment/index.js'
import { verified } from './callback.js'
import { type Merchant, merchantOf, offerOf } from './settings.js'
import { signature } from './sign.js'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function merchant(): Merchant {
    const found = merchantOf(settings)
    if (found === undefined) throw new Error('Epay is not set up.')
    return found
  }

  return {
    offer() {
      const found = merchantOf(settings)
      return found && offerOf(settings, found)
    },
    checkout: async (order) => checkoutOf(order, merchant(), clock.now()),
    verify: async (callback) => verified(callback, merchant(), clock.now()),
    reply: (outcome) => ({ body: outcome === 'accepted' ? 'success' : 'fail' }),
    fetch: async (order) => lookedUp(order, merchant(), fetch),
  }
}

function checkoutOf(order: CheckoutOrder, merchant: Merchant, now: number): Checkout {
  const { id, address, keys } = merchant
  const parameters = {
    pid: id,
    ...(order.methodId !== undefined && { type: order.methodId }),
    out_trade_no: order.orderNo,
    notify_url: order.callbackUrl,
    return_url: order.returnUrl,
    name: order.title,
    money: decimalAmount(order.amountMinor, order.currency),
    ...(keys.kind === 'RSA' && { timestamp: String(Math.floor(now / 1000)) }),
  }
  const fields = { ...parameters, sign: signature(parameters, keys), sign_type: keys.kind }
  const path = keys.kind === 'RSA' ? '/api/pay/submit' : '/submit.php'
  return { kind: 'form', url: address + path, fields }
}

/** By the first interface; the answers of the second differ from service to service. */
async function lookedUp(
  { orderNo }: PlacedOrder,
  { id, address, keys, currency }: Merchant,
  fetch: OutgoingKit['fetch'],
): Promise<PaymentNotice | undefined> {
  if (keys.kind !== 'MD5') return undefined
  const query = new URLSearchParams({ act: 'order', pid: id, key: keys.key, out_trade_no: orderNo })
  const answer = await fetch(`${address}/api.php?${query}`)
  const found = parsedText(await answer.text())
  if (!answer.ok || !isObject(found)) throw new Error(`Epay returned status ${answer.status}.`)
  if (String(found.code) !== '1' || String(found.status) !== '1') return undefined
  if (String(found.out_trade_no) !== orderNo) return undefined
  const reference = String(found.trade_no ?? '')
  const amountMinor = minorUnits(String(found.money ?? ''), currency)
  if (reference === '' || amountMinor === undefined) return undefined
  return { event: `paid ${reference}`, state: 'paid', orderNo, reference, amountMinor }
}
