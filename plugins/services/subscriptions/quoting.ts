/** What a plan costs a user now, and whether they may have it. */
import type { Knex } from 'knex'
import { openPeriods } from './periods.js'
import { pinnedJson, usedBy } from './pinned.js'
import { type PlanRow, planOf, type SubscriptionRow } from './rows.js'
import type { Plan, PlanQuote, QuoteRequest } from './subscriptions.js'
import { conflicting, invalid, type Tools } from './tools.js'
import { valueLeft } from './value.js'

type Quoting = Pick<Tools, 'ledger' | 'now'>

/** Throws a `Refusal` that names the field. */
export async function quoted(
  request: QuoteRequest,
  tools: Quoting,
  trx: Knex | Knex.Transaction,
): Promise<PlanQuote> {
  const plan = await offeredPlan(request.planId, trx)
  await checkPurchases(request, plan, trx)
  const full = priceOf(plan, request.currency)
  const { terms } = plan
  if (request.replaces === undefined) {
    return { plan, price: full, valueLeft: 0n, pinned: pinnedJson({ terms }) }
  }
  const row = await replaceable(request.replaces, request.userId, trx)
  const value = await worthOf(row, request.currency, tools, trx)
  const off = value < full ? value : full
  const replaced = { id: row.id, takenOff: off, used: await usedBy(row.id, tools.ledger, trx) }
  return { plan, price: full - off, valueLeft: off, pinned: pinnedJson({ terms, replaced }) }
}

export async function offeredPlan(id: number, trx: Knex | Knex.Transaction): Promise<Plan> {
  const row = await trx<PlanRow>('subscription_plans').where({ id }).first()
  if (row === undefined || !row.is_on) throw invalid('plan_id', 'There is no such plan.')
  return planOf(row as PlanRow)
}

function priceOf(plan: Plan, currency: string | undefined): bigint {
  if (currency === undefined) {
    if (plan.balancePrice !== undefined) return plan.balancePrice
    throw invalid('plan_id', 'This plan is not sold for credit.')
  }
  const price = Object.hasOwn(plan.prices, currency) ? plan.prices[currency] : undefined
  if (price !== undefined) return price
  throw invalid('plan_id', `This plan has no price in ${currency}.`)
}

/** Trials and gifts do not count; orders that wait for their payment do. */
async function checkPurchases(
  { userId, unpaid = 0 }: QuoteRequest,
  { id, purchasesMax }: Plan,
  trx: Knex | Knex.Transaction,
): Promise<void> {
  if (purchasesMax === 0) return
  const [bought] = await trx('subscriptions')
    .where({ user_id: userId, plan_id: id })
    .whereIn('source', ['order', 'balance'])
    .count('* as count')
  if (Number(bought?.count ?? 0) + unpaid < purchasesMax) return
  const times = purchasesMax === 1 ? 'once' : `${purchasesMax} times`
  const waiting = unpaid === 0 ? '' : ', and orders of it wait for their payment'
  throw conflicting('plan_id', `You may buy this plan ${times}${waiting}.`)
}

async function replaceable(
  id: number,
  userId: number,
  trx: Knex | Knex.Transaction,
): Promise<SubscriptionRow> {
  const row = await trx<SubscriptionRow>('subscriptions')
    .where({ id, user_id: userId, state: 'active' })
    .first()
  if (row !== undefined) return row as SubscriptionRow
  throw invalid('replaces', 'You have no such subscription that is active.')
}

/** In this currency, or in quota; what was paid in another is worth nothing in it. */
async function worthOf(
  row: SubscriptionRow,
  currency: string | undefined,
  { ledger, now }: Quoting,
  trx: Knex | Knex.Transaction,
): Promise<bigint> {
  const paid = currency === undefined ? row.paid_quota : row.paid_minor
  if (paid === null || (currency !== undefined && row.currency !== currency)) return 0n
  const at = now()
  const periods = await openPeriods(row.id, trx)
  const period = periods.find(({ starts_at, ends_at }) => starts_at <= at && ends_at > at)
  if (period === undefined) return valueLeft(BigInt(paid), row, undefined, at)
  const accounts = await ledger.periods.read([period.account_id], trx)
  const account = accounts.get(period.account_id)
  return valueLeft(BigInt(paid), row, account && { period, account }, at)
}
