/** Plans: what can be subscribed to. Who has subscribed keeps the terms of that day. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type PlanRow, planOf } from './rows.js'
import type { NewPlan, Plan, Plans } from './subscriptions.js'
import { termsText } from './terms.js'

const plansMax = 200

export function createPlans(knex: Knex, now: () => Date): Plans {
  async function get(id: number, trx?: Knex.Transaction): Promise<Plan | undefined> {
    const row = await (trx ?? knex)<PlanRow>('subscription_plans').where({ id }).first()
    return row && planOf(row as PlanRow)
  }

  return {
    get,
    async list({ isOn } = {}) {
      const rows = knex<PlanRow>('subscription_plans').orderBy('sort_order').orderBy('id')
      if (isOn !== undefined) rows.where('is_on', isOn)
      return ((await rows.limit(plansMax)) as PlanRow[]).map(planOf)
    },
    async create(plan) {
      const [counted] = await knex('subscription_plans').count('* as count')
      if (Number(counted?.count ?? 0) >= plansMax) {
        throw new Refusal('conflict', { reason: `There are ${plansMax} plans already.` })
      }
      const row = { ...columnsOf(plan), created_at: now(), updated_at: now() }
      const [made] = await knex('subscription_plans').insert(row).returning<PlanRow[]>('*')
      return planOf(made!)
    },
    async change(id, changes) {
      const row = { ...columnsOf(changes), updated_at: now() }
      const changed = knex('subscription_plans').where({ id }).update(row)
      const [made] = await changed.returning<PlanRow[]>('*')
      return made && planOf(made)
    },
  }
}

/** `balancePrice` that is stated as undefined takes it away. */
function columnsOf(plan: Partial<NewPlan>) {
  const { isOn, sortOrder, terms, prices, products, purchasesMax, trialDays } = plan
  const columns = {
    is_on: isOn,
    sort_order: sortOrder,
    terms: terms && termsText(terms),
    prices:
      prices && JSON.stringify(Object.entries(prices).map(([key, minor]) => [key, String(minor)])),
    products: products && JSON.stringify(products),
    purchases_max: purchasesMax,
    trial_days: trialDays,
    ...('balancePrice' in plan && { balance_price: plan.balancePrice ?? null }),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
