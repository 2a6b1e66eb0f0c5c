/** Subscriptions: what users buy and see, and what admins and root do of plans and subscriptions. */
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import * as admin from './admin.js'
import * as forms from './forms.js'
import * as own from './own.js'
import * as records from './records.js'

export default function create({
  services,
}: Kit<'subscriptions' | 'payments' | 'pricing' | 'verification'>): Management {
  const { subscriptions, payments } = services
  const ended = {
    params: forms.idParams,
    response: records.subscription,
  }
  return {
    routes: {
      plans: {
        response: records.offeredPlanList,
        handle: (request) => own.plans(signedIn(request).userId, services),
      },
      self: {
        response: records.own,
        handle: (request) => own.overview(signedIn(request).userId, subscriptions),
      },
      setPreference: {
        body: forms.preferenceForm,
        response: noData,
        handle: (request) => own.setPreference(request, subscriptions),
      },
      quote: {
        body: forms.quoteForm,
        response: records.quote,
        handle: (request) => own.quote(request, subscriptions),
      },
      buy: {
        body: forms.buyForm,
        response: records.subscription,
        handle: (request) => own.buy(request, subscriptions),
      },
      exchange: {
        body: forms.exchangeForm,
        response: records.subscription,
        handle: (request) => own.exchange(request, subscriptions),
      },
      try: {
        body: forms.planIdForm,
        response: records.subscription,
        handle: (request) => own.tryPlan(request, subscriptions),
      },
      setRenewal: {
        params: forms.idParams,
        body: forms.renewalForm,
        response: records.subscription,
        handle: (request) => own.setRenewal(request, subscriptions),
      },
      periods: {
        params: forms.idParams,
        response: records.periodList,
        handle: (request) => own.periods(request, subscriptions),
      },
      allPlans: {
        response: records.sellablePlanList,
        handle: async () =>
          (await subscriptions.plans.list()).map((plan) => ({
            ...records.planRecord(plan),
            offers: payments.planOffers(plan).map(records.offerRecord),
          })),
      },
      createPlan: {
        body: forms.planForm,
        response: records.plan,
        handle: (request) => admin.createPlan(request, services),
      },
      changePlan: {
        params: forms.idParams,
        body: forms.planForm,
        response: records.plan,
        handle: (request) => admin.changePlan(request, services),
      },
      switchPlan: {
        params: forms.idParams,
        body: forms.switchForm,
        response: records.plan,
        handle: (request) => admin.switchPlan(request, services),
      },
      resetPlan: {
        params: forms.idParams,
        body: forms.resetForm,
        response: records.resetCounts,
        handle: (request) => admin.resetPlan(request, services),
      },
      list: {
        query: forms.listQuery,
        response: records.subscriptionPage,
        handle: ({ query }) => admin.page(query, subscriptions),
      },
      ofUser: {
        params: forms.idParams,
        query: forms.ownListQuery,
        response: records.subscriptionPage,
        handle: ({ query, params }) =>
          admin.page({ ...query, user_id: Number(params.id) }, subscriptions),
      },
      bind: {
        body: forms.bindForm,
        response: records.subscription,
        handle: (request) => admin.give(request, request.body.user_id, services),
      },
      give: {
        params: forms.idParams,
        body: forms.planIdForm,
        response: records.subscription,
        handle: (request) => admin.give(request, Number(request.params.id), services),
      },
      invalidate: {
        ...ended,
        body: forms.endForm,
        handle: (request) => admin.end(request, request.body.reason, services),
      },
      remove: { ...ended, handle: (request) => admin.end(request, '', services) },
      periodsOf: {
        params: forms.idParams,
        response: records.periodList,
        handle: (request) => admin.periods(request, subscriptions),
      },
      reset: {
        params: forms.idParams,
        body: forms.resetForm,
        response: records.resetCounts,
        handle: (request) => admin.resetOne(request, services),
      },
    },
  }
}
