/** The gateway of Creem before an API that takes nothing but what is documented, and events signed by openssl. */
import { execFileSync } from 'node:child_process'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type {
  CallbackVerdict,
  PaymentCallback,
  PaymentGateway,
} from '../../../kernel/contract/payment.js'
import createCreem from '../../../plugins/payments/creem/index.js'
import type { OutgoingCall, ScriptedAnswer } from '../../conformance/outgoing.js'
import { gatewayOf, now, order } from './gateway-fixture.js'

const secret = 'secret of the webhook'
export const key = 'creem_test_key'
export const products = [
  { name: 'Small', productId: 'prod_1', price: 70, currency: 'EUR', quota: 5_000_000 },
]
export const usual = { key, webhookSecret: secret, test: true, products }
type Script = (call: OutgoingCall) => ScriptedAnswer | undefined
export const creem = (settings: object = {}, script: Script = () => undefined) =>
  gatewayOf({ name: 'creem', create: createCreem, settings: { ...usual, ...settings }, script })
export const { gateway } = creem()

export function hmac(input: string, keyHex: string): Buffer {
  const options = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${keyHex}`, '-binary']
  return execFileSync('openssl', options, { input })
}
const hexOf = (text: string) => Buffer.from(text).toString('hex')
export const signed = (payload: string, by = secret) => hmac(payload, hexOf(by)).toString('hex')

export function judged(payload: string, headers: Readonly<Record<string, string>>, by = gateway) {
  const body = Buffer.from(payload)
  return by.verify!({ method: 'POST', headers, query: '', body }) as Promise<CallbackVerdict>
}
export const received = (payload: string, by?: PaymentGateway) =>
  judged(payload, { 'creem-signature': signed(payload) }, by)

export const ordered = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'ord_1', object: 'order', amount: 7000, currency: 'EUR', status: 'paid', ...over },
})
export const checkout = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'ch_1', object: 'checkout', request_id: order.orderNo, status: 'completed' },
  ...{ mode: 'test', order: ordered(), product: { id: 'prod_1', tax_mode: 'exclusive' } },
  ...over,
})
export const event = (eventType: string, object: JsonObject) =>
  JSON.stringify({ id: 'evt_1', eventType, created_at: now, object })
export const paid = event('checkout.completed', checkout())
export function callbackBy(
  type: string,
  object: JsonObject,
  secrets: JsonObject = {},
): PaymentCallback {
  const body = event(type, object)
  const by = String(secrets.webhookSecret ?? secret)
  // Nothing can be signed by an empty key on the command line: a stranger would send this.
  const signature = by === '' ? '0'.repeat(64) : signed(body, by)
  const headers = { 'creem-signature': signature }
  return { method: 'POST', headers, query: '', body: Buffer.from(body) }
}
export const notice = {
  ...{ event: 'evt_1', state: 'paid', orderNo: order.orderNo, reference: 'ord_1' },
  ...{ amountMinor: 7000n, currency: 'EUR', isTest: true, at: now },
}

/** Creem as documented: another path, header or field is refused. */
export function strict(answers: Readonly<Record<string, JsonObject>>): Script {
  return ({ method, url, headers, body }) => {
    const name = `${method} ${url.origin}${url.pathname}${url.search}`
    const json = answers[name]
    if (json === undefined) return { status: 404, json: { message: name } }
    if (headers['x-api-key'] !== key) return { status: 403, json: { message: key } }
    if (method === 'POST' && headers['content-type'] !== 'application/json') return { status: 400 }
    const fields = Object.entries(body === '' ? {} : (JSON.parse(body) as JsonObject))
    const isKnown = fields.every(([field, value]) => forms[field]?.test(JSON.stringify(value)))
    return isKnown ? { json } : { status: 400, json: { message: 'unknown field' } }
  }
}
const forms: Readonly<Record<string, RegExp>> = {
  ...{ product_id: /^"prod_\w+"$/, request_id: /^"\w{20,40}"$/, units: /^1$/ },
  ...{ success_url: /^"https:/, metadata: /^\{"order_no":"\w+"\}$/ },
  ...{ customer: /^\{"email":"[^"]+@[^"]+"\}$/, transaction_id: /^"tran_\w+"$/ },
  ...{ mode: /^"(immediate|scheduled)"$/, customer_id: /^"cust_\w+"$/ },
}
export const host = 'https://test-api.creem.io/v1'

export const product = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'prod_1', object: 'product', billing_type: 'recurring', billing_period: 'every-month' },
  ...{ price: 7000, currency: 'EUR', tax_mode: 'exclusive', ...over },
})
const started = '2026-01-31T12:00:05.000Z'
export const transaction = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'tran_1', object: 'transaction', amount: 7000, currency: 'EUR', status: 'paid' },
  ...{ type: 'invoice', order: 'ord_1', subscription: 'sub_1', mode: 'test' },
  ...{ period_start: now, ...over },
})
export const subscription = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'sub_1', object: 'subscription', status: 'active', mode: 'test', product: product() },
  ...{ customer: { id: 'cust_1' }, created_at: started, metadata: { order_no: order.orderNo } },
  ...{ last_transaction_id: 'tran_1', last_transaction: transaction(), ...over },
})
const monthMs = 31 * 86_400_000
export const second = transaction({ id: 'tran_2', period_start: now + monthMs })
export const renewed = subscription({ last_transaction_id: 'tran_2', last_transaction: second })
