/**
 * Stripe as it documents itself (API version 2026-10-28.endive): a call with another path, parameter, type or header is
 * refused, as is one without what is required. Customers, payments and subscriptions are kept, keys of idempotency for as
 * long as the test wants.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingCall, Script, ScriptedAnswer } from '../../conformance/outgoing.js'

export const key = 'sk_test_of_the_test'

type Form = Readonly<Record<string, string>>
/** Names of parameters are flat, as `metadata[order_no]`; a `?` behind one: it may be left out. */
type Takes = Readonly<Record<string, RegExp>>

interface Endpoint {
  readonly takes: Takes | ((form: Form) => Takes)
  /** A key of idempotency is required, other than the one Stripe's client makes up for each call; else none is taken. */
  readonly isKeyed?: boolean
  answer(form: Form, id: string): ScriptedAnswer
}

const anyText = /^.+$/s
const address = /^https:\/\//
const minor = /^[1-9]\d{0,7}$/
const currency = /^[a-z]{3}$/
const time = /^\d{10}$/
const isTrue = /^true$/
const count = /^[1-9]\d{0,2}$/

const line = 'line_items[0]'
const page = {
  [`${line}[quantity]`]: /^1$/,
  [`${line}[price_data][currency]`]: currency,
  [`${line}[price_data][unit_amount]`]: minor,
  [`${line}[price_data][product_data][name]`]: anyText,
  client_reference_id: /^[a-zA-Z0-9_-]{1,200}$/,
  'metadata[order_no]': anyText,
  success_url: address,
  cancel_url: address,
  expires_at: time,
  'customer_email?': /@/,
  'allow_promotion_codes?': isTrue,
}
const pageOnce = {
  ...page,
  mode: /^payment$/,
  'payment_intent_data[metadata][order_no]': anyText,
  'payment_intent_data[setup_future_usage]?': /^(on|off)_session$/,
  'customer_creation?': /^(always|if_required)$/,
}
const pageOften = {
  ...page,
  mode: /^subscription$/,
  [`${line}[price_data][recurring][interval]`]: /^(day|week|month|year)$/,
  [`${line}[price_data][recurring][interval_count]?`]: count,
  'subscription_data[metadata][order_no]': anyText,
}

export interface StripeState {
  readonly customers: Record<string, { readonly methods: JsonObject[]; chosen?: JsonObject }>
  /** Newest last. */
  readonly intents: JsonObject[]
  readonly subscriptions: Record<string, JsonObject>
  /** Payments of invoices, as they are listed. */
  readonly invoicePayments: JsonObject[]
  /** What becomes of the next payment, in place of success. */
  next?: Outcome
  /** Stripe forgets keys of idempotency after a day. */
  readonly keys: Map<string, ScriptedAnswer>
}

/** `lost`: the payment is taken, and the connection breaks. */
export type Outcome =
  | 'processing'
  | 'lost'
  | { readonly code: string; readonly declined?: string; readonly message?: string }

export function stripeState(over: Partial<StripeState> = {}): StripeState {
  const card = { id: 'pm_1', object: 'payment_method', type: 'card' }
  return {
    customers: { cus_1: { methods: [card] } },
    ...{ intents: [], subscriptions: {}, invoicePayments: [], keys: new Map(), ...over },
  }
}

/** What was taken in all, in minor units. */
export function takenBy({ intents }: StripeState): number {
  const taken = intents.filter(({ status }) => status === 'succeeded' || status === 'processing')
  return taken.reduce((sum, { amount }) => sum + Number(amount), 0)
}

export function stripeApi(state: StripeState): Script {
  return async (call) => {
    const name = `${call.method} ${call.url.pathname}`
    const [path, endpoint] = routes(state).find(([path]) => path.test(name)) ?? []
    if (path === undefined || endpoint === undefined) return refusal(404, 'url_invalid', name)
    const form = formOf(call)
    const wrong = wrongHeader(call, endpoint) ?? wrongParameter(form, endpoint)
    if (wrong !== undefined) return refusal(400, 'parameter_unknown', `${wrong} with ${key}`)
    const once = call.headers['idempotency-key']
    const known = once === undefined ? undefined : state.keys.get(once)
    if (known !== undefined) return known
    const answer = endpoint.answer(form, path.exec(name)?.[1] ?? '')
    if (once !== undefined) state.keys.set(once, answer)
    if (state.next !== 'lost' || endpoint.isKeyed !== true) return answer
    delete state.next
    return undefined
  }
}

function routes(state: StripeState): readonly (readonly [RegExp, Endpoint])[] {
  const customer = (id: string) => state.customers[id]
  return [
    [
      /^POST \/v1\/checkout\/sessions$/,
      {
        takes: ({ mode }) => (mode === 'subscription' ? pageOften : pageOnce),
        isKeyed: true,
        answer() {
          const session = { id: 'cs_test_1', object: 'checkout.session', livemode: false }
          return { json: { ...session, url: 'https://checkout.stripe.com/c/pay/cs_test_1' } }
        },
      },
    ],
    [
      /^GET \/v1\/payment_intents$/,
      {
        takes: {
          ...{ 'customer?': /^cus_/, 'limit?': count, 'starting_after?': /^pi_/ },
        },
        answer(form) {
          if (customer(form.customer ?? '') === undefined) return missing('customer', 400)
          const newest = state.intents.filter((one) => one.customer === form.customer).reverse()
          const from = newest.findIndex(({ id }) => id === form.starting_after) + 1
          const to = from + Number(form.limit ?? 10)
          const list = { object: 'list', url: '/v1/payment_intents', data: newest.slice(from, to) }
          return { json: { ...list, has_more: to < newest.length } }
        },
      },
    ],
    [
      /^POST \/v1\/payment_intents$/,
      {
        takes: {
          ...{ amount: minor, currency, customer: /^cus_/, payment_method: /^pm_/ },
          ...{ confirm: isTrue, off_session: isTrue, description: anyText },
          'allowed_payment_method_types[0]': /^[a-z_]+$/,
          ...{ 'metadata[order_no]': anyText, 'metadata[charged]': isTrue },
        },
        isKeyed: true,
        answer: (form) => paymentOf(form, state),
      },
    ],
    [
      /^GET \/v1\/payment_intents\/(\w+)$/,
      {
        takes: {},
        answer(_, id) {
          const intent = state.intents.find((one) => one.id === id)
          return intent === undefined ? missing('payment_intent') : { json: intent }
        },
      },
    ],
    [
      /^GET \/v1\/customers\/(\w+)$/,
      {
        takes: { 'expand[0]': /^invoice_settings\.default_payment_method$/ },
        answer(_, id) {
          const found = customer(id)
          if (found === undefined) return missing('customer')
          const settings = { default_payment_method: found.chosen ?? null }
          return { json: { id, object: 'customer', invoice_settings: settings } }
        },
      },
    ],
    [
      /^GET \/v1\/customers\/(\w+)\/payment_methods$/,
      {
        takes: { 'limit?': count },
        answer: (form, id) => {
          const data = (customer(id)?.methods ?? []).slice(0, Number(form.limit ?? 10))
          return { json: { object: 'list', data, has_more: false } }
        },
      },
    ],
    [
      /^DELETE \/v1\/subscriptions\/(\w+)$/,
      {
        takes: {},
        answer(_, id) {
          const found = state.subscriptions[id]
          if (found === undefined || found.status === 'canceled') return missing('subscription')
          state.subscriptions[id] = { ...found, status: 'canceled' }
          return { json: { ...found, status: 'canceled' } }
        },
      },
    ],
    [
      /^GET \/v1\/subscriptions\/(\w+)$/,
      {
        takes: {},
        answer: (_, id) => {
          const found = state.subscriptions[id]
          return found === undefined ? missing('subscription') : { json: found }
        },
      },
    ],
    [
      /^POST \/v1\/billing_portal\/sessions$/,
      {
        takes: { customer: /^cus_/, 'return_url?': address },
        answer: () => ({ json: { id: 'bps_1', url: 'https://billing.stripe.com/p/session/1' } }),
      },
    ],
    [
      /^GET \/v1\/invoice_payments$/,
      {
        takes: {
          ...{ 'invoice?': /^in_/, 'status?': /^(open|paid|canceled)$/, 'limit?': count },
          'payment[type]?': /^payment_intent$/,
          'payment[payment_intent]?': /^pi_/,
          'expand[0]?': /^data\.invoice$/,
        },
        answer: (form) => {
          const intent = form['payment[payment_intent]']
          const data = state.invoicePayments.filter(
            ({ invoice, payment }) =>
              (form.invoice ?? idIn(invoice)) === idIn(invoice) &&
              (intent ?? idIn(payment, 'payment_intent')) === idIn(payment, 'payment_intent'),
          )
          return { json: { object: 'list', data: data.slice(0, Number(form.limit ?? 10)) } }
        },
      },
    ],
    [
      /^POST \/v1\/refunds$/,
      {
        takes: { payment_intent: /^pi_/, amount: minor },
        isKeyed: true,
        answer: () => ({ json: { id: 're_1', object: 'refund', status: 'pending' } }),
      },
    ],
  ]
}

function paymentOf(form: Form, state: StripeState): ScriptedAnswer {
  const { customer = '', payment_method } = form
  const methods = state.customers[customer]?.methods ?? []
  if (!methods.some(({ id }) => id === payment_method)) return missing('payment_method', 400)
  const { next } = state
  const intent = (status: string, received: number, fault?: JsonObject): JsonObject => ({
    ...{ id: `pi_${state.intents.length + 1}`, object: 'payment_intent', livemode: false, status },
    ...{ amount: Number(form.amount), amount_received: received, currency: form.currency! },
    ...{ customer, last_payment_error: fault ?? null },
    metadata: { order_no: form['metadata[order_no]']!, charged: form['metadata[charged]']! },
  })
  if (typeof next === 'object') {
    delete state.next
    const { code, message = `Your card, says ${key}.` } = next
    const fault = { type: 'card_error', code, message }
    const declined = intent('requires_payment_method', 0, fault)
    state.intents.push(declined)
    const error = { ...fault, ...(next.declined && { decline_code: next.declined }) }
    return { status: 402, json: { error: { ...error, payment_intent: declined } } }
  }
  const isLate = next === 'processing'
  if (isLate) delete state.next
  const made = isLate ? intent('processing', 0) : intent('succeeded', Number(form.amount))
  state.intents.push(made)
  return { json: made }
}

function idIn(value: unknown, name = 'id'): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : value
}

function missing(param: string, status = 404): ScriptedAnswer {
  return refusal(status, 'resource_missing', `No such ${param}`)
}

export function refusal(status: number, code: string, message: string): ScriptedAnswer {
  return { status, json: { error: { type: 'invalid_request_error', code, message } } }
}

function wrongHeader({ method, headers, url }: OutgoingCall, { isKeyed }: Endpoint) {
  if (url.origin !== 'https://api.stripe.com') return 'the host'
  if (headers.authorization !== `Bearer ${key}`) return 'authorization'
  if (headers['stripe-version'] !== '2026-10-28.endive') return 'the version'
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  if (method === 'POST' && !isForm) return 'content-type'
  const once = headers['idempotency-key']
  if (once !== undefined && once.length > 255) return 'a long idempotency-key'
  const isOwn = once !== undefined && !once.startsWith('stripe-node-retry-')
  return isOwn === (isKeyed === true) ? undefined : 'idempotency-key'
}

function wrongParameter(form: Form, { takes }: Pick<Endpoint, 'takes'>): string | undefined {
  const known = new Map(Object.entries(typeof takes === 'function' ? takes(form) : takes))
  for (const [name, value] of Object.entries(form)) {
    const form = known.get(name) ?? known.get(`${name}?`)
    if (form === undefined || !form.test(value)) return `${name}=${value}`
  }
  return [...known.keys()].find((name) => !name.endsWith('?') && !(name in form))
}

/** The form of a call, as names and values; a name twice is an error. */
export function formOf({ body, url }: Pick<OutgoingCall, 'body' | 'url'>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of [...url.searchParams, ...new URLSearchParams(body)]) {
    if (name in found) throw new Error(`${name} stands there twice`)
    found[name] = value
  }
  return found
}
