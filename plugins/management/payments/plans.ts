/** Plans paid by a gateway: their orders, and the provider's page of what repeats. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Payments, Placed } from '../../services/payments/index.js'
import { type BuyingDependencies, payerOf, placedAnswer } from './buying.js'
import type { PlanForm, StartPlanForm } from './forms.js'

export async function placePlan(
  request: ManagementRequest<unknown, PlanForm>,
  dependencies: BuyingDependencies,
): Promise<Answer> {
  const { plan_id: planId, replaces, recurring, payment_method: method } = request.body
  const gateway = request.body.gateway ?? onlyOffer(dependencies.payments)
  const payer = await payerOf(request, dependencies)
  const wanted = { gateway, method, payer, planId, replaces, recurring }
  return placedAnswer(await dependencies.payments.placePlan(wanted))
}

/** By a route that names the gateway; the family then repeats its name as the way to pay. */
export async function startPlan(
  gateway: string,
  request: ManagementRequest<unknown, StartPlanForm>,
  dependencies: BuyingDependencies,
): Promise<Placed> {
  const { plan_id: planId, replaces, recurring, payment_method } = request.body
  const method = payment_method === gateway ? undefined : payment_method
  const payer = await payerOf(request, dependencies)
  const wanted = { gateway, method, payer, planId, replaces, recurring }
  return dependencies.payments.placePlan(wanted)
}

/** Where there is only one way to pay, nobody has to name it. */
function onlyOffer(payments: Payments): string {
  const [first, ...others] = payments.gateways()
  if (first !== undefined && others.length === 0) return first.name
  const reason = 'State by which gateway it is paid.'
  throw new Refusal('invalid_field', { reason, param: 'gateway' })
}

export async function openPortal(
  request: ManagementRequest,
  { subscriptions, payments }: Pick<Services, 'subscriptions' | 'payments'>,
): Promise<{ readonly url: string }> {
  const { userId } = signedIn(request)
  const found = await subscriptions.get(Number(request.params.id))
  if (found?.userId !== userId) {
    throw new Refusal('gone_missing', { what: 'subscription', param: 'id' })
  }
  return { url: await payments.portal(found) }
}
