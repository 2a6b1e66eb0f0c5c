/** Paying for credit: what there is to buy, orders, and the addresses providers report to. */
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { PaymentOffer } from '../../../kernel/contract/payment.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { OfferedGateway, OrderState } from '../../services/payments/index.js'
import { receive } from './callback.js'
import {
  anyQuery,
  type BuyForm,
  buyForm,
  type CompleteForm,
  completeForm,
  gatewayParams,
  type ListQuery,
  listQuery,
  orderParams,
  ownQuery,
} from './forms.js'
import { eventRecord, orderRecord } from './records.js'
import {
  eventList,
  info,
  order,
  orderPage,
  placed,
  price,
  priceBeside,
  reply,
} from './responses.js'

type Buying = ManagementRequest<unknown, BuyForm>

export default function create({
  services,
}: Kit<'database' | 'payments' | 'options' | 'verification'>): Management {
  const { payments, verification } = services
  const { knex } = services.database

  /** The family names a gateway where a method stands. */
  function boughtBy({ body, principal }: Buying) {
    const { gateway, payment_method, amount, product } = body
    const offered = payments.gateways()
    const isGateway = offered.some(({ name }) => name === payment_method)
    const named = gateway ?? (isGateway ? payment_method : offered[0]?.name) ?? ''
    const method = gateway === undefined && isGateway ? undefined : payment_method
    return { gateway: named, group: principal?.group ?? '', amount, product, method }
  }

  function priceFor(request: Buying): Answer {
    const found = payments.price(boughtBy(request))
    const { amountMinor, currency, quota } = found
    const data = decimalAmount(amountMinor, currency)
    return { answer: true, message: 'success', data, beside: { currency, quota: String(quota) } }
  }

  async function place(request: Buying): Promise<Answer> {
    const { userId: id } = signedIn(request)
    const person = await knex('users').where({ id }).first('email')
    const payer = { id, email: person?.email || undefined }
    const made = await payments.place({ ...boughtBy(request), payer })
    const { reference: _, ...checkout } = made.checkout
    const data = { order: orderRecord(made.order), checkout }
    return { answer: true, data, audit: { object: `order ${made.order.orderNo}` } }
  }

  async function page(query: ListQuery, userId?: number) {
    const { p, page_size, status, gateway, keyword } = query
    const state: OrderState | undefined = status === 'success' ? 'paid' : status
    const bounds = { offset: (Math.max(p, 1) - 1) * page_size, limit: page_size }
    const found = { ...bounds, userId: userId ?? query.user_id, state, gateway, search: keyword }
    const { items, total } = await payments.orders(found)
    return { page: Math.max(p, 1), page_size, total, items: items.map(orderRecord) }
  }

  async function complete(request: ManagementRequest<unknown, CompleteForm>): Promise<Answer> {
    const { username } = signedIn(request)
    await verification.require(request, 'balance')
    const { trade_no: orderNo, reason } = request.body
    const { requestId } = request
    const done = await payments.complete({ orderNo, reason, by: username, requestId })
    const detail = `credit ${done.quota} to user ${done.userId}`
    return { answer: true, data: orderRecord(done), audit: { object: `order ${orderNo}`, detail } }
  }

  return {
    routes: {
      info: {
        response: info,
        handle: () => ({
          gateways: payments.gateways().map(gatewayRecord),
          ...payments.choices(),
        }),
      },
      price: { body: buyForm, response: price, beside: priceBeside, handle: priceFor },
      place: { body: buyForm, response: placed, handle: place },
      own: {
        query: ownQuery,
        response: orderPage,
        handle: (request) => page(request.query, signedIn(request).userId),
      },
      list: { query: listQuery, response: orderPage, handle: ({ query }) => page(query) },
      events: {
        params: orderParams,
        response: eventList,
        handle: async ({ params }) => (await payments.events(params.trade_no!)).map(eventRecord),
      },
      complete: { body: completeForm, response: order, handle: complete },
      callback: {
        params: gatewayParams,
        query: anyQuery,
        bare: true,
        response: reply,
        failureStatuses: [400, 500],
        handle: (request) => receive('POST', request, payments),
      },
      callbackByGet: {
        params: gatewayParams,
        query: anyQuery,
        bare: true,
        response: reply,
        failureStatuses: [400, 500],
        handle: (request) => receive('GET', request, payments),
      },
    },
  }
}

function gatewayRecord({ name, title, offer }: OfferedGateway) {
  const { currency, amountMin, methods = [], isTest } = offer
  return {
    name,
    title,
    currency,
    amount_min: Number(amountMin),
    methods: methods.map((one) => ({
      id: one.id,
      title: one.title,
      amount_min: Number(one.amountMin ?? amountMin),
    })),
    products: productsOf(offer),
    test: isTest,
  }
}

function productsOf({ products = [] }: PaymentOffer) {
  return products.map(({ id, title, amountMinor, currency, quota }) => ({
    ...{ id, title, currency, quota },
    money: decimalAmount(amountMinor, currency),
  }))
}
