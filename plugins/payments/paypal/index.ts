/** PayPal: orders that are approved on its page and captured here. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  Checkout,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  PaymentNotice,
  PlacedOrder,
  RefundRequest,
  RefundResult,
} from '../../../kernel/contract/payment.js'
import { objectOf, objectsOf, parsedObject, someText } from '../../../kernel/toolkit/json/index.js'
import { amountObject } from './amounts.js'
import { type Caller, createCaller, PayPalError } from './client.js'
import { eventNotice, type Fields, orderNotice } from './notices.js'
import { type Account, accountOf, offerOf } from './settings.js'
import { createVerify } from './signature.js'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function account(): Account {
    const found = accountOf(settings)
    if (found === undefined) throw new Error('PayPal is not set up.')
    return found
  }
  const call = createCaller(account, { fetch, clock })
  const isGenuine = createVerify(fetch)

  async function verify(callback: PaymentCallback): Promise<CallbackVerdict> {
    const { webhookId, isTest } = account()
    if (!(await isGenuine(callback, { webhookId, isTest, now: clock.now() }))) {
      return forged('Its signature is wrong, too old, or of something else.')
    }
    const event = parsedObject(callback.body.toString('utf8'))
    const id = someText(event?.id)
    const type = someText(event?.event_type)
    const resource = objectOf(event?.resource)
    if (id === undefined || type === undefined || resource === undefined) {
      return forged('It is no event.')
    }
    const fields =
      type === 'CHECKOUT.ORDER.APPROVED'
        ? await captured(someText(resource.id) ?? '', call)
        : eventNotice(type, resource)
    if (fields === undefined) return { kind: 'ignored', event: type.slice(0, 64) }
    return { kind: 'notice', notice: { event: id, isTest, ...fields } }
  }

  async function look({ orderNo, reference }: PlacedOrder): Promise<PaymentNotice | undefined> {
    if (reference === undefined || !isId(reference)) return undefined
    const order = await call({ path: `/v2/checkout/orders/${reference}` })
    const [unit] = objectsOf(order.purchase_units)
    if (unit?.custom_id !== orderNo) return undefined
    const fields =
      order.status === 'APPROVED' ? await captured(reference, call) : orderNotice(order)
    if (fields?.state !== 'paid') return undefined
    return { event: `paid ${fields.reference}`, isTest: account().isTest, ...fields }
  }

  return {
    offer() {
      const found = accountOf(settings)
      return found && offerOf(settings, found)
    },
    checkout: (order) => opened(order, call),
    verify,
    fetch: look,
    refund: (request) => paidBack(request, call),
  }
}

async function opened(order: CheckoutOrder, call: Caller): Promise<Checkout> {
  const key = `order-${order.orderNo}`
  const found = await call({ path: '/v2/checkout/orders', body: orderBody(order), key })
  const link = objectsOf(found.links).find(({ rel }) => rel === 'payer-action' || rel === 'approve')
  const url = someText(link?.href)
  const reference = someText(found.id)
  if (url === undefined || reference === undefined) {
    throw new Error('PayPal returned no address of a page.')
  }
  return { kind: 'redirect', url, reference }
}

function orderBody({ orderNo, title, returnUrl, cancelUrl, ...order }: CheckoutOrder): JsonObject {
  const amount = amountObject(order.amountMinor, order.currency)
  const unit = { custom_id: orderNo, invoice_id: orderNo, description: title.slice(0, 127), amount }
  return {
    intent: 'CAPTURE',
    purchase_units: [unit],
    payment_source: {
      paypal: {
        experience_context: {
          ...{ return_url: returnUrl, cancel_url: cancelUrl },
          ...{ user_action: 'PAY_NOW', shipping_preference: 'NO_SHIPPING' },
        },
      },
    },
  }
}

/** The money of an order that its payer approved. Undefined: there is none to be had now. */
async function captured(id: string, call: Caller): Promise<Fields | undefined> {
  if (!isId(id)) return undefined
  const path = `/v2/checkout/orders/${id}`
  try {
    return orderNotice(await call({ path: `${path}/capture`, body: {}, key: `capture-${id}` }))
  } catch (error) {
    if (!(error instanceof PayPalError) || error.status !== 422) throw error
    if (error.issue === 'ORDER_ALREADY_CAPTURED') return orderNotice(await call({ path }))
    return undefined
  }
}

async function paidBack(
  { reference, refundMinor, currency, key }: RefundRequest,
  call: Caller,
): Promise<RefundResult> {
  if (!isId(reference)) return { kind: 'refused', reason: 'The payment has no capture at PayPal.' }
  const { status } = await call({
    path: `/v2/payments/captures/${reference}/refund`,
    body: { amount: amountObject(refundMinor, currency) },
    key: `refund-${key}`,
  })
  const isBegun = status === 'COMPLETED' || status === 'PENDING'
  return isBegun
    ? { kind: 'begun' }
    : { kind: 'refused', reason: 'PayPal could not pay back this payment.' }
}

function isId(text: string): boolean {
  return /^[A-Z0-9]{8,36}$/.test(text)
}

function forged(reason: string): CallbackVerdict {
  return { kind: 'forged', reason }
}
