/** Paying for credit: what there is to buy, orders, and the addresses providers report to. */
import type { Management, ManagementRoute } from '../../../kernel/contract/management.js'
import type { PaymentCallback } from '../../../kernel/contract/payment.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { place, priceFor } from './buying.js'
import { receive } from './callback.js'
import * as forms from './forms.js'
import { gatewayStatuses, topUpInfo } from './offers.js'
import { complete, orderList, refund, totals } from './orders.js'
import { openPortal, placePlan, startPlan } from './plans.js'
import { probe } from './probing.js'
import { eventRecord } from './records.js'
import * as responses from './responses.js'
import { formAnswer, pageAnswer, startCredit } from './starting.js'

export default function create({
  services,
  clock,
}: Kit<
  'database' | 'egress' | 'payments' | 'secrets' | 'subscriptions' | 'verification'
>): Management {
  const { payments } = services

  /** `gateway`: whose address it is; absent: the address names it. */
  const callback = (method: PaymentCallback['method'], gateway?: string): ManagementRoute => ({
    ...(gateway === undefined && { params: forms.gatewayParams }),
    query: forms.anyQuery,
    bare: true,
    response: responses.reply,
    failureStatuses: [400, 500],
    handle: (request) => receive(method, request, services, gateway),
  })

  return {
    routes: {
      info: {
        response: responses.info,
        handle: () => topUpInfo(payments),
      },
      price: {
        body: forms.buyForm,
        response: responses.price,
        beside: responses.priceBeside,
        handle: (request) => priceFor(request, payments),
      },
      place: {
        body: forms.placeForm,
        response: responses.placed,
        handle: (request) => place(request, services),
      },
      startEpay: {
        body: forms.startForm,
        response: responses.startedEpay,
        beside: responses.startedEpayBeside,
        handle: async (request) => formAnswer(await startCredit('epay', request, services)),
      },
      startStripe: {
        body: forms.startForm,
        response: responses.startedStripe,
        handle: async (request) =>
          pageAnswer(await startCredit('stripe', request, services), 'pay_link'),
      },
      startCreem: {
        body: forms.startProductForm,
        response: responses.startedCreem,
        handle: async (request) =>
          pageAnswer(await startCredit('creem', request, services), 'checkout_url'),
      },
      placePlan: {
        body: forms.planForm,
        response: responses.placed,
        handle: (request) => placePlan(request, services),
      },
      startPlanEpay: {
        body: forms.startPlanForm,
        response: responses.startedEpay,
        beside: responses.startedEpayBeside,
        handle: async (request) => formAnswer(await startPlan('epay', request, services)),
      },
      startPlanStripe: {
        body: forms.startPlanForm,
        response: responses.startedStripe,
        handle: async (request) =>
          pageAnswer(await startPlan('stripe', request, services), 'pay_link'),
      },
      startPlanCreem: {
        body: forms.startPlanForm,
        response: responses.startedCreem,
        handle: async (request) =>
          pageAnswer(await startPlan('creem', request, services), 'checkout_url'),
      },
      portal: {
        params: forms.subscriptionParams,
        response: responses.portal,
        handle: (request) => openPortal(request, services),
      },
      own: {
        query: forms.ownQuery,
        response: responses.orderPage,
        searches: true,
        handle: (request) => orderList(request.query, payments, signedIn(request).userId),
      },
      list: {
        query: forms.listQuery,
        response: responses.orderPage,
        searches: true,
        handle: ({ query }) => orderList(query, payments),
      },
      gateways: {
        response: responses.gatewayStatusList,
        handle: () => gatewayStatuses(payments),
      },
      probe: {
        params: forms.gatewayParams,
        response: responses.probe,
        handle: (request) => probe(request, { ...services, clock }),
      },
      events: {
        params: forms.orderParams,
        response: responses.eventList,
        handle: async ({ params }) => (await payments.events(params.trade_no!)).map(eventRecord),
      },
      complete: {
        body: forms.completeForm,
        response: responses.order,
        handle: (request) => complete(request, services),
      },
      refund: {
        body: forms.refundForm,
        response: responses.order,
        handle: (request) => refund(request, services),
      },
      totals: {
        query: forms.totalsQuery,
        response: responses.totalList,
        searches: true,
        handle: ({ query }) => totals(query, payments),
      },
      callback: callback('POST'),
      callbackByGet: callback('GET'),
      stripeWebhook: callback('POST', 'stripe'),
      creemWebhook: callback('POST', 'creem'),
      epayNotify: callback('POST', 'epay'),
      epayNotifyByGet: callback('GET', 'epay'),
    },
  }
}
