/** Creem: products sold on its checkout pages, once or by subscriptions. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  Checkout,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  RecurringOrder,
} from '../../../kernel/contract/payment.js'
import { parsedObject, someText } from '../../../kernel/toolkit/json/index.js'
import { type Call, called } from './client.js'
import { verdictOf } from './notices.js'
import { assertOnce, assertRepeats } from './products.js'
import { queried } from './querying.js'
import { paidBack } from './refunds.js'
import { type Account, accountOf, offerOf } from './settings.js'
import { isSigned } from './signature.js'
import { ended, portalPage } from './subscriptions.js'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function account(): Account {
    const found = accountOf(settings)
    if (found === undefined) throw new Error('Creem is not set up.')
    return found
  }
  const call = (one: Call) => called(one, account(), fetch)

  async function opened(order: Omit<CheckoutOrder, 'keepsMandate'>): Promise<Checkout> {
    const { id, checkout_url } = await call({ path: 'checkouts', body: checkoutBody(order) })
    const url = someText(checkout_url)
    const reference = someText(id)
    if (url === undefined) throw new Error('Creem returned no address of a page.')
    return { kind: 'redirect', url, ...(reference !== undefined && { reference }) }
  }

  async function checkout(order: CheckoutOrder): Promise<Checkout> {
    await assertOnce(productOf(order), call)
    return opened(order)
  }

  async function subscribe(order: RecurringOrder): Promise<Checkout> {
    await assertRepeats(productOf(order), order, call)
    return opened(order)
  }

  async function verify(callback: PaymentCallback): Promise<CallbackVerdict> {
    if (!isSigned(callback, account().webhookSecret, clock.now())) {
      return { kind: 'forged', reason: 'Its signature is wrong or too old.' }
    }
    const event = parsedObject(callback.body.toString('utf8'))
    if (event === undefined) return { kind: 'forged', reason: 'It is no JSON.' }
    return verdictOf(event, call)
  }

  return {
    offer() {
      const found = accountOf(settings)
      return found && offerOf(settings, found)
    },
    checkout,
    verify,
    fetch: (order) => queried(order, call),
    refund: (request) => paidBack(request, call),
    subscribe,
    unsubscribe: (agreement) => ended(agreement, call),
    portal: ({ agreement }) => portalPage(agreement, call),
  }
}

function productOf({ productId }: Pick<CheckoutOrder, 'productId'>): string {
  if (productId === undefined) throw new Error('Creem sells products alone.')
  return productId
}

function checkoutBody({
  orderNo,
  productId,
  payer,
  returnUrl,
}: Omit<CheckoutOrder, 'keepsMandate'>): JsonObject {
  return {
    product_id: productId!,
    request_id: orderNo,
    units: 1,
    success_url: returnUrl,
    metadata: { order_no: orderNo },
    ...(payer.email !== undefined && { customer: { email: payer.email } }),
  }
}
