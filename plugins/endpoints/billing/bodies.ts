/** The bodies clients read (management/README.md section 5). */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { exact } from '../../../kernel/toolkit/management/index.js'
import type { KeyBudget, KeyUsage } from '../../services/usage-log/index.js'
import type { Figures } from './figures.js'

/** What clients of the family take for "no end", in whatever unit. */
const endless = 100_000_000

export function subscription({ granted, expiresAt }: Figures, unit: number): JsonObject {
  const limit = granted === undefined ? endless : amount(granted, unit)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: expiresAt,
  }
}

export function usage({ used }: Figures, unit: number): JsonObject {
  return { object: 'list', total_usage: amount(used * 100n, unit) }
}

/** A key without a cap was granted what it has used; that there is no cap shows in its flag. */
export function tokenUsage(key: KeyUsage): JsonObject {
  const granted = key.limit ?? key.used
  const left = key.limit === undefined ? 0n : granted - key.used - key.held
  return {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: key.name,
      total_granted: exact(granted),
      total_used: exact(key.used),
      total_available: exact(left),
      unlimited_quota: key.limit === undefined,
      model_limits: Object.fromEntries(key.modelLimits.map((model) => [model, true])),
      model_limits_enabled: key.modelLimitsEnabled,
      expires_at: key.expiresAt,
      ...(key.budget !== undefined && { budget: budgetBody(key.budget) }),
    },
  }
}

/** As the record of the key names it. */
function budgetBody({ quota, period, used, held, resetsAt }: KeyBudget): JsonObject {
  const left = quota - used - held
  return {
    budget_quota: exact(quota),
    budget_period: period,
    budget_used: exact(used),
    budget_remaining: exact(left > 0n ? left : 0n),
    budget_resets_at: resetsAt,
  }
}

/** To a millionth: what binary fractions leave behind is nobody's money. */
function amount(quota: bigint, unit: number): number {
  return Math.round(Number(quota) * unit * 1_000_000) / 1_000_000
}
