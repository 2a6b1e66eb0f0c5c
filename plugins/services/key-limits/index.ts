/** Limits of API keys: what each request is counted for, what callers are sent about it, and notices of budgets that run out. */
import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { budgetAlerts } from './budget-alerts.js'
import type { KeyLimits } from './key-limits.js'
import { RequestUse } from './request-use.js'

export type * from './key-limits.js'

const alertsMs = 60_000

type KeyLimitsKit = Kit<'database' | 'schedule' | 'rate-limits' | 'notifications'>

export default function create({ services, clock }: KeyLimitsKit): KeyLimits & Life {
  const { schedule, database, notifications } = services
  const window = services['rate-limits'].window('keys', 60)
  const alerts = budgetAlerts({ knex: database.knex, notifications })
  const jobs: { stop(): void }[] = []

  return {
    async admit(token, format) {
      if (token.limits === undefined) return undefined
      const options = { tokenId: token.id, limits: token.limits, format, window, clock }
      return new RequestUse({ ...options, budgetRefused: alerts.refused }).admitted()
    },
    async watchBudgets() {
      await alerts.tellRefused()
      await alerts.tellUsed()
    },
    start() {
      jobs.push(
        schedule.everyLeased('key-limits.budgets', alertsMs, alerts.tellUsed),
        schedule.every('key-limits.refused', alertsMs, alerts.tellRefused),
      )
    },
    stop() {
      for (const job of jobs) job.stop()
    },
  }
}
