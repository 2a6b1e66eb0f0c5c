/** Plans paid by a gateway: their orders, and the provider's page of what repeats. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Payments, Placed, PlanOrderRequest } from '../../services/payments/index.js'
import { type BuyingDependencies, payerOf, placedAnswer } from './buying.js'
import type { PlanForm, StartPlanForm } from './forms.js'

export async function placePlan(
  request: ManagementRequest<unknown, PlanForm>,
  dependencies: BuyingDependencies,
): Promise<Answer> {
  const { gateway = onlyOffer(dependencies.payments), payment_method: method } = request.body
  return placedAnswer(await placed({ gateway, method }, request, dependencies))
}

/** By a route that names the gateway; the family then repeats its name as the way to pay. */
export function startPlan(
  gateway: string,
  request: ManagementRequest<unknown, StartPlanForm>,
  dependencies: BuyingDependencies,
): Promise<Placed> {
  const { payment_method } = request.body
  const method = payment_method === gateway ? undefined : payment_method
  return placed({ gateway, method }, request, dependencies)
}

async function placed(
  way: Pick<PlanOrderRequest, 'gateway' | 'method'>,
  request: ManagementRequest<unknown, StartPlanForm>,
  dependencies: BuyingDependencies,
): Promise<Placed> {
  const { plan_id: planId, replaces, recurring } = request.body
  const payer = await payerOf(request, dependencies)
  return dependencies.payments.placePlan({ ...way, payer, planId, replaces, recurring })
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
  const found = await subscriptions.get(Number(request.params.id), userId)
  return { url: await payments.portal(found) }
}
