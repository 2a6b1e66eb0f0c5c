/** What admins do of subscriptions. Plans are quota to be had, so making and granting them is root's, with a proof (E8). */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Plan, Subscriptions } from '../../services/subscriptions/index.js'
import type { ListQuery, PlanForm, PlanIdForm, ResetForm, SwitchForm } from './forms.js'
import { opened, periodsOf } from './own.js'
import { planRecord, subscriptionRecord } from './records.js'
import { planOf } from './terms.js'

type Dependencies = Pick<Services, 'subscriptions' | 'pricing' | 'verification'>

export async function createPlan(
  request: ManagementRequest<unknown, PlanForm>,
  { subscriptions, pricing, verification }: Dependencies,
): Promise<Answer> {
  const plan = planOf(request.body, pricing.groups())
  await verification.require(request, 'balance')
  return written(await subscriptions.plans.create(plan))
}

export async function changePlan(
  request: ManagementRequest<unknown, PlanForm>,
  { subscriptions, pricing, verification }: Dependencies,
): Promise<Answer> {
  const plan = planOf(request.body, pricing.groups())
  await verification.require(request, 'balance')
  return written(await subscriptions.plans.change(idOf(request), plan))
}

export async function switchPlan(
  request: ManagementRequest<unknown, SwitchForm>,
  { subscriptions }: Dependencies,
): Promise<Answer> {
  const { enabled: isOn } = request.body
  return written(await subscriptions.plans.change(idOf(request), { isOn }))
}

function written(plan: Plan | undefined): Answer {
  if (plan === undefined) throw new Refusal('gone_missing', { what: 'plan', param: 'id' })
  const { title, quota } = plan.terms
  const detail = `"${title}" of ${quota} a period, ${plan.isOn ? 'on' : 'off'}`
  return { answer: true, data: planRecord(plan), audit: { object: `plan ${plan.id}`, detail } }
}

export async function give(
  request: ManagementRequest<unknown, PlanIdForm>,
  userId: number,
  { subscriptions, verification }: Dependencies,
): Promise<Answer> {
  await verification.require(request, 'balance')
  const { plan_id: planId } = request.body
  const { requestId } = request
  return opened(await subscriptions.grant({ userId, planId, requestId }), subscriptions)
}

export async function end(
  request: ManagementRequest,
  reason: string,
  { subscriptions }: Dependencies,
): Promise<Answer> {
  const { username } = signedIn(request)
  const stated = `Ended by ${username}${reason === '' ? '' : `: ${reason}`}.`
  const ended = await subscriptions.end(idOf(request), stated)
  if (ended !== undefined) return opened(ended, subscriptions)
  throw new Refusal('gone_missing', { what: 'active subscription', param: 'id' })
}

export async function page(
  { p, page_size, user_id: userId, plan_id: planId, status: state }: ListQuery,
  subscriptions: Subscriptions,
) {
  const page = Math.max(p, 1)
  const bounds = { offset: (page - 1) * page_size, limit: page_size }
  const { items, total } = await subscriptions.list({ ...bounds, userId, planId, state })
  const usage = await subscriptions.usage(items.map(({ id }) => id))
  const shown = items.map((one) => subscriptionRecord(one, usage.get(one.id)))
  return { page, page_size, total, items: shown }
}

export async function periods({ params }: ManagementRequest, subscriptions: Subscriptions) {
  return periodsOf(await subscriptions.get(idOf({ params })), subscriptions)
}

export async function resetPlan(
  request: ManagementRequest<unknown, ResetForm>,
  dependencies: Dependencies,
): Promise<Answer> {
  const planId = idOf(request)
  return reset(request, { planId }, dependencies)
}

export async function resetOne(
  request: ManagementRequest<unknown, ResetForm>,
  dependencies: Dependencies,
): Promise<Answer> {
  const subscriptionId = idOf(request)
  return reset(request, { subscriptionId }, dependencies)
}

async function reset(
  request: ManagementRequest<unknown, ResetForm>,
  which: { readonly planId?: number; readonly subscriptionId?: number },
  { subscriptions, verification }: Dependencies,
): Promise<Answer> {
  await verification.require(request, 'balance')
  const { advance_reset_time } = request.body
  const { requestId } = request
  const wanted = { ...which, advances: advance_reset_time, requestId }
  const { matched, reset: done, users } = await subscriptions.reset(wanted)
  const object = which.planId === undefined ? 'subscription' : 'plan'
  const audit = { object: `${object} ${idOf(request)}`, detail: `quota granted anew to ${done}` }
  const counts = { matched_count: matched, reset_count: done, user_count: users }
  const data = { plan_id: which.planId ?? 0, ...counts, advance_reset_time }
  return { answer: true, data, audit }
}

function idOf({ params }: Pick<ManagementRequest, 'params'>): number {
  return Number(params.id)
}
