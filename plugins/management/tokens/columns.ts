/** Which columns of a key a form changes, apart from those that decide where its requests may go. */
import { type PartialModelObject, raw } from 'objection'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { TokenForm } from './forms.js'
import { states, type TokenRow } from './token-row.js'

type Columns = PartialModelObject<TokenRow>

/** Fields that mean the same when made and when changed; those left out are left out. */
export function plainColumns(form: TokenForm): Columns {
  const { name, model_limits, allow_ips, expired_time } = form
  // A list of models without a word on whether it counts is meant to count.
  const enabled =
    form.model_limits_enabled ?? (model_limits && model_limits.length > 0 ? true : undefined)
  const expires = expired_time === -1 ? null : new Date((expired_time ?? 0) * 1000)
  return {
    ...(name !== undefined && { name }),
    ...(model_limits !== undefined && { model_limits: [...model_limits] }),
    ...(enabled !== undefined && { model_limits_enabled: enabled }),
    ...(allow_ips !== undefined && { allow_ips: [...allow_ips] }),
    ...(expired_time !== undefined && { expires_at: expires }),
    ...(form.rpm_limit !== undefined && { rpm_limit: form.rpm_limit }),
    ...(form.tpm_limit !== undefined && { tpm_limit: form.tpm_limit }),
  }
}

/** A new key that names neither a quota nor its absence is capped by its owner's wallet alone. */
export function firstLimit(form: TokenForm): bigint | null {
  const unlimited = form.unlimited_quota ?? form.remain_quota === undefined
  return unlimited ? null : BigInt(form.remain_quota ?? 0)
}

/**
 * `remain_quota` is what may still be spent, the stored limit what may be spent in all: limit = remain + used + held,
 * computed on the row as it stands. A quota without a word on unlimited leaves an unlimited key unlimited.
 */
export function limitColumns({ unlimited_quota, remain_quota }: TokenForm): Columns {
  if (unlimited_quota === true) return { limit_quota: null }
  const limit = raw('greatest(0, ?::bigint + used + held)', [remain_quota ?? 0])
  if (unlimited_quota === false) {
    const kept = raw('coalesce(limit_quota, used + held)')
    return { limit_quota: remain_quota === undefined ? kept : limit }
  }
  if (remain_quota === undefined) return {}
  return { limit_quota: raw('CASE WHEN limit_quota IS NOT NULL THEN ? END', [limit]) }
}

/** A budget that changes its period counts from now on; one that changes its amount goes on. */
export function budgetColumns(
  { budget_quota, budget_period }: TokenForm,
  before?: Pick<TokenRow, 'budget_quota' | 'budget_period'>,
): Columns {
  if (budget_quota === undefined && budget_period === undefined) return {}
  const quota = budget_quota ?? before?.budget_quota ?? 0
  const period = budget_period ?? before?.budget_period ?? ''
  const removed = budget_period === undefined ? budget_quota === 0 : budget_period === ''
  if (removed) return { budget_quota: null, budget_period: null, budget_since: null }
  if (period === '')
    throw wrong('budget_period', 'Choose the period of the budget: day, week or month.')
  if (BigInt(quota) === 0n)
    throw wrong('budget_quota', 'A budget has to be at least 1 unit of quota.')
  const isNew = period !== before?.budget_period
  return {
    budget_quota: BigInt(quota),
    budget_period: period,
    ...(isNew && { budget_since: raw('now()') }),
  }
}

function wrong(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

/** Expired and exhausted follow from the rest: they are never stored. */
export function statusColumns({ status }: TokenForm): Columns {
  return status === states.on || status === states.off ? { status } : {}
}
