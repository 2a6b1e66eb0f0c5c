/** Acme Pay: payers go to a page of Acme, which reports what they paid by a signed callback. */
import { createHmac } from 'node:crypto'
import type {
  CallbackVerdict,
  Checkout,
  CheckoutOrder,
  OutgoingKit,
  PaymentCallback,
  PaymentGateway,
} from 'waybill/contract'
import { amountOf, parsedObject, someText } from 'waybill/toolkit/json'
import {
  currencyDigits,
  decimalAmount,
  isEqualInConstantTime,
  minorUnits,
} from 'waybill/toolkit/payment'

/** A callback may be this old, or its clock so much ahead. */
const toleranceMs = 300_000

export default function create({ settings, fetch, clock }: OutgoingKit): PaymentGateway {
  const text = (name: string) => settings.string(name).trim()

  function offer() {
    const currency = text('currency').toUpperCase()
    const unitPrice = amountOf(text('unitPrice'))
    // Without the secret of callbacks anybody could report a payment.
    const isComplete = text('key') !== '' && text('callbackSecret') !== ''
    if (!isComplete || unitPrice === undefined || currencyDigits(currency) === undefined) {
      return undefined
    }
    return { currency, unitPrice, amountMin: '1', isTest: false }
  }

  async function checkout(order: CheckoutOrder): Promise<Checkout> {
    const response = await fetch(new URL('/v1/checkouts', text('address')), {
      method: 'POST',
      headers: { authorization: `Bearer ${text('key')}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        order: order.orderNo,
        amount: decimalAmount(order.amountMinor, order.currency),
        currency: order.currency,
        title: order.title,
        return_url: order.returnUrl,
        cancel_url: order.cancelUrl,
        callback_url: order.callbackUrl,
      }),
    })
    const opened = response.ok ? parsedObject(await response.text()) : undefined
    const [reference, url] = [someText(opened?.id), someText(opened?.url)]
    if (reference === undefined || url === undefined || !/^https?:\/\//.test(url)) {
      throw new Error(`Acme opened no payment; its status was ${response.status}.`)
    }
    return { kind: 'redirect', url, reference }
  }

  /** `acme-signature: <Unix seconds>.<HMAC of "<seconds>.<body>" as hex>` */
  function verify({ headers, body }: PaymentCallback): CallbackVerdict {
    const secret = text('callbackSecret')
    const [seconds = '', signature = ''] = (headers['acme-signature'] ?? '').split('.')
    const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
    if (secret === '' || !isEqualInConstantTime(signature, expected)) {
      return { kind: 'forged', reason: 'The signature is not that of Acme.' }
    }
    const at = Number(seconds) * 1000
    if (!(Math.abs(clock.now() - at) <= toleranceMs)) {
      return { kind: 'forged', reason: 'The callback is too old.' }
    }
    return reported(body.toString('utf8'))
  }

  return { offer, checkout, verify, reply: () => ({ body: 'OK' }) }
}

/** What a genuine callback states. */
function reported(body: string): CallbackVerdict {
  const { id, type, order, payment, amount, currency } = parsedObject(body) ?? {}
  const [event, orderNo, reference] = [someText(id), someText(order), someText(payment)]
  if (type !== 'payment.paid') return { kind: 'ignored', event: someText(type) ?? 'unknown' }
  const paidIn = String(currency).toUpperCase()
  const amountMinor = minorUnits(String(amount), paidIn)
  if (event === undefined || orderNo === undefined || reference === undefined) {
    return { kind: 'forged', reason: 'It names no event, order or payment.' }
  }
  if (amountMinor === undefined) return { kind: 'forged', reason: 'Its amount is no amount.' }
  const notice = {
    event,
    state: 'paid',
    orderNo,
    reference,
    amountMinor,
    currency: paidIn,
  } as const
  return { kind: 'notice', notice }
}
