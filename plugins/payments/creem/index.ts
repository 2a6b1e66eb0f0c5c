/** Creem: products sold on its checkout pages. */
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
import { objectsOf, parsedObject, someText } from '../../../kernel/toolkit/json/index.js'
import { type Call, called } from './client.js'
import { checkoutNotice, verdictOf } from './notices.js'
import { type Account, accountOf, offerOf } from './settings.js'
import { isSigned } from './signature.js'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function account(): Account {
    const found = accountOf(settings)
    if (found === undefined) throw new Error('Creem is not set up.')
    return found
  }
  const call = (one: Call) => called(one, account(), fetch)

  async function checkout(order: CheckoutOrder): Promise<Checkout> {
    if (order.productId === undefined) throw new Error('Creem sells products alone.')
    const { id, checkout_url } = await call({ path: 'checkouts', body: checkoutBody(order) })
    const url = someText(checkout_url)
    const reference = someText(id)
    if (url === undefined) throw new Error('Creem returned no address of a page.')
    return { kind: 'redirect', url, ...(reference !== undefined && { reference }) }
  }

  function verify(callback: PaymentCallback): CallbackVerdict {
    if (!isSigned(callback, account().webhookSecret, clock.now())) {
      return { kind: 'forged', reason: 'Its signature is wrong or too old.' }
    }
    const event = parsedObject(callback.body.toString('utf8'))
    return event === undefined ? { kind: 'forged', reason: 'It is no JSON.' } : verdictOf(event)
  }

  async function look({ orderNo, reference }: PlacedOrder): Promise<PaymentNotice | undefined> {
    if (reference === undefined || !reference.startsWith('ch_')) return undefined
    const found = await call({ path: 'checkouts', query: { checkout_id: reference } })
    if (found.request_id !== orderNo) return undefined
    if (found.status === 'expired') {
      return { event: `expired ${reference}`, state: 'expired', orderNo, reference }
    }
    const fields = found.status === 'completed' ? checkoutNotice(found) : undefined
    return fields?.state === 'paid' ? { event: `paid ${reference}`, ...fields } : undefined
  }

  /** Creem pays back whole transactions, each once, so that a second try cannot pay back again. */
  async function refund(request: RefundRequest): Promise<RefundResult> {
    const found = await call({
      path: 'transactions/search',
      query: { order_id: request.reference },
    })
    const [transaction, ...others] = objectsOf(found.items)
    const id = someText(transaction?.id)
    if (id === undefined || others.length > 0) {
      return refused('Creem has no single payment of this order.')
    }
    if (request.refundMinor !== request.amountMinor - discountOf(transaction)) {
      return refused('Creem pays back whole payments alone; pay back a part on its dashboard.')
    }
    const { status } = await call({ path: 'refunds', body: { transaction_id: id } })
    const isDone = status === 'succeeded' || status === 'pending' || status === 'requiresAction'
    return isDone ? { kind: 'begun' } : refused('Creem could not pay back this payment.')
  }

  return {
    offer() {
      const found = accountOf(settings)
      return found && offerOf(settings, found)
    },
    checkout,
    verify,
    fetch: look,
    refund,
  }
}

function checkoutBody({ orderNo, productId, payer, returnUrl }: CheckoutOrder): JsonObject {
  return {
    product_id: productId!,
    request_id: orderNo,
    units: 1,
    success_url: returnUrl,
    metadata: { order_no: orderNo },
    ...(payer.email !== undefined && { customer: { email: payer.email } }),
  }
}

function discountOf(transaction: JsonObject | undefined): bigint {
  const discount = transaction?.discount_amount
  return Number.isSafeInteger(discount) ? BigInt(Number(discount)) : 0n
}

function refused(reason: string): RefundResult {
  return { kind: 'refused', reason }
}
