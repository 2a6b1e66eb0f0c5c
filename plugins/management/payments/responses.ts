/** What the area of payments returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  translationsForm,
  unixSeconds,
  wholeNumber,
} from '../../../kernel/toolkit/management/index.js'
import type { GatewayStatusRecord } from './offers.js'
import type { ProbeRecord } from './probing.js'
import type { EventRecord, OrderRecord, TotalRecord } from './records.js'

const text = joi.string().allow('')
const currency = joi.string().example('USD').description('ISO 4217.')
const money = joi.string().example('70.00').description('Decimal, in the currency of the order.')

export const order = responseForm<OrderRecord>({
  id: joi.number().integer(),
  trade_no: joi.string(),
  user_id: joi.number().integer(),
  payment_provider: joi.string().example('stripe').description('Name of the gateway.'),
  payment_method: text.description('The way to pay that was chosen.'),
  product: text.description('Empty: an amount was bought.'),
  amount_minor: wholeNumber.description('The price in minor units of the currency.'),
  money,
  currency,
  quota: quotaUnits.description('Credited once it is paid, in quota units.'),
  returned_quota: quotaUnits.description('Taken back for what was refunded or disputed.'),
  status: joi.string().valid('pending', 'success', 'failed', 'expired', 'refunded'),
  reason: text.description('Why it failed, or who completed it.'),
  automatic: joi.boolean().description('It was taken while its payer was away.'),
  test: joi.boolean().description('No real money moved.'),
  title: text.description('Of the plan, as it was called then. Empty: credit was bought.'),
  plan_id: joi.number().integer().description('0: credit was bought.'),
  subscription_id: joi
    .number()
    .integer()
    .description('What it opened or renewed; before it is paid, what it is to replace. 0: none.'),
  recurring: joi.boolean().description('Its provider collects it again and again.'),
  create_time: unixSeconds,
  expire_time: unixSeconds,
  complete_time: joi.number().integer().description('Unix seconds. 0: it is not paid.'),
}).id('PaymentOrder')

export const orderPage = pageOf(order)

const checkout = joi
  .object({
    kind: joi.string().valid('redirect', 'form', 'qr', 'offline'),
    url: joi.string().optional().description('`redirect` and `form`: where the browser goes.'),
    fields: joi
      .object()
      .pattern(joi.string(), text)
      .optional()
      .description('`form`: what the browser posts there.'),
    text: joi.string().optional().description('`qr`: what the code to be scanned holds.'),
    instructions: text.optional().description('`offline`: what the payer is to do, as Markdown.'),
  })
  .id('Checkout')

export const placed = joi.object({ order, checkout })

export const price = joi.string().example('7.30').description('What it costs, as a decimal.')
export const priceBeside = { currency, quota: quotaUnits }

const method = joi.object({
  id: joi.string(),
  title: joi.string(),
  amount_min: joi.number(),
})
const product = joi.object({
  id: joi.string(),
  title: joi.string(),
  money,
  currency,
  quota: quotaUnits,
})

export const startedEpay = joi
  .object()
  .pattern(joi.string(), text)
  .description('What the browser posts to `url`.')
export const startedEpayBeside = { url: joi.string().description('Where the browser posts it.') }
const page = joi.string().description('Where the browser goes.')
export const startedStripe = joi.object({ pay_link: page })
export const startedCreem = joi.object({ checkout_url: page })
export const portal = joi.object({ url: page })

const look = {
  name: joi.string().example('stripe'),
  title: joi.string(),
  icon: joi.string().optional().description('A data URL.'),
  translations: translationsForm.optional(),
}

const gateway = joi
  .object({
    ...look,
    currency,
    amount_min: joi.number().description('Least amount, in units of account.'),
    methods: joi.array().items(method),
    products: joi.array().items(product).description('Not empty: these are sold, no amounts.'),
    test: joi.boolean().description('No real money moves.'),
    keeps_mandate: joi.boolean().description('Payers can agree to automatic payments by it.'),
  })
  .id('PaymentGateway')

export const info = joi
  .object({
    gateways: joi.array().items(gateway),
    amount_options: joi.array().items(joi.number()).description('Amounts to choose from.'),
    discount: joi
      .object()
      .pattern(joi.string(), joi.number())
      .description('Factors of the price by the least amount that gets them.'),
    bonus: joi
      .object()
      .pattern(joi.string(), joi.number())
      .description('Units given besides, by the least amount that gets them.'),
    amount_max: joi.number().integer(),
    enable_online_topup: joi.boolean().description('Epay is offered.'),
    enable_stripe_topup: joi.boolean(),
    enable_creem_topup: joi.boolean(),
    min_topup: joi.number().description('Least amount by Epay, in units of account.'),
    stripe_min_topup: joi.number(),
    pay_methods: joi
      .array()
      .items(joi.object({ name: joi.string(), type: joi.string(), min_topup: joi.number() }))
      .description('The ways to pay of Epay.'),
    enable_redemption: joi.boolean().description('`POST /api/user/topup` redeems codes.'),
    creem_products: joi.string().description('The products of Creem, as JSON text.'),
  })
  .id('TopUpInfo')

const verdict = joi
  .string()
  .valid(
    'credited',
    'already_paid',
    'duplicate_payment',
    'wrong_gateway',
    'wrong_amount',
    'wrong_currency',
    'wrong_mode',
    'unknown_order',
    'unclaimed',
    'subscription_ended',
    'early',
    'without_effect',
    'noted',
    'returned',
    'ignored',
    'forged',
  )

export const gatewayStatusList = joi.array().items(
  responseForm<GatewayStatusRecord>({
    ...look,
    state: joi
      .string()
      .valid('on', 'off', 'incomplete')
      .description('`incomplete`: a setting is missing without which it takes no reports.'),
    test: joi.boolean().description('No real money moves.'),
    callback_address: text.description(
      'Where its provider is to report to. Empty: it does not report, or `ServerAddress` is not set.',
    ),
    last_report: joi.number().integer().description('Unix seconds. 0: nothing was ever reported.'),
    last_verdict: verdict.allow('').description('What came of it.'),
  }).id('PaymentGatewayStatus'),
)

export const probe = responseForm<ProbeRecord>({
  result: joi
    .string()
    .valid('reached', 'elsewhere', 'unreachable')
    .description('`elsewhere`: something responded that is not this gateway.'),
  status: joi.number().integer().description('0: there was no response.'),
  milliseconds: joi.number().integer(),
  reason: text,
}).id('PaymentProbe')

const total = responseForm<TotalRecord>({
  day: joi.string().example('2026-01-31').description('UTC.'),
  payment_provider: joi.string(),
  currency,
  test: joi.boolean().description('No real money moved.'),
  orders: joi.number().integer().min(1),
  paid: money,
  refunded: money.description('Paid back, in the currency.'),
  disputed: money.description('Taken back by banks of payers, in the currency.'),
  quota: quotaUnits.description('Credited, in quota units.'),
  returned_quota: quotaUnits.description('Taken back for what was refunded or disputed.'),
}).id('PaymentTotal')

export const totalList = joi.array().items(total).description('Newest day first.')

const event = responseForm<EventRecord>({
  event: joi.string(),
  gateway: joi.string(),
  verdict,
  detail: joi.object().unknown(true).description('What was reported, without who paid.'),
  address: text.description(
    'Where it came from; empty: the provider was queried, or an admin did it.',
  ),
  times: joi.number().integer().min(1),
  first_at: unixSeconds,
  last_at: unixSeconds,
}).id('PaymentEvent')

export const eventList = joi.array().items(event)

export const reply = joi
  .string()
  .allow('')
  .description('What the provider expects to be sent back, in a form of its own.')
