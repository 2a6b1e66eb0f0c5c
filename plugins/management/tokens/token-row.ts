/** The row of an API key, and the record the family's clients read (management/README.md section 8). */
import { Model } from 'objection'
import type { BudgetPeriod, RoutingPolicy } from '../../../kernel/contract/line/people.js'
import { exact } from '../../../kernel/toolkit/management/index.js'

/** Stored states; expired and exhausted are seen, never stored. */
export const states = { on: 1, off: 2, expired: 3, exhausted: 4 } as const

export class TokenRow extends Model {
  static override tableName = 'tokens'

  declare id: number
  declare user_id: number
  declare name: string
  declare key_hash: Buffer
  declare key_sealed: string
  declare key_tail: string
  declare status: number
  declare group: string
  declare cross_group_retry: boolean
  /** Null: none is stored. */
  declare routing: RoutingPolicy | null
  declare model_limits_enabled: boolean
  declare model_limits: string[]
  declare allow_ips: string[]
  declare expires_at: Date | null
  /** Null: no cap of its own. */
  declare limit_quota: bigint | null
  declare used: bigint
  declare held: bigint
  /** Null: no budget. */
  declare budget_quota: bigint | null
  declare budget_period: BudgetPeriod | null
  declare budget_since: Date | null
  declare rpm_limit: number
  declare tpm_limit: number
  declare record_level: 'headers' | 'bodies' | null
  declare record_until: Date | null
  declare created_at: Date
  declare accessed_at: Date | null
  declare deleted_at: Date | null
}

/** `key` is what the caller may see of it; masked unless given. */
export function tokenRecord(
  row: TokenRow,
  now: number,
  key = `sk-${'*'.repeat(12)}${row.key_tail}`,
) {
  const left = remaining(row) ?? 0n
  return {
    id: row.id,
    user_id: row.user_id,
    key,
    status: shownState(row, now),
    name: row.name,
    created_time: seconds(row.created_at),
    accessed_time: seconds(row.accessed_at ?? row.created_at),
    expired_time: row.expires_at === null ? -1 : seconds(row.expires_at),
    // A charge may exceed what was set aside for it; what is left is then nothing, and can be sent back as it is.
    remain_quota: exact(left > 0n ? left : 0n),
    unlimited_quota: row.limit_quota === null,
    model_limits_enabled: row.model_limits_enabled,
    model_limits: row.model_limits.join(','),
    allow_ips: row.allow_ips.join('\n'),
    used_quota: exact(row.used),
    group: row.group,
    cross_group_retry: row.cross_group_retry,
    ...recordingFields(row, now),
  }
}

/** What has come to its end is off. */
function recordingFields({ record_level: level, record_until: until }: TokenRow, now: number) {
  const isOn = level != null && until != null && until.getTime() > now
  return { record_level: isOn ? level : '', record_until: isOn ? seconds(until) : 0 }
}

/** What the period that runs has used and set aside. */
export interface BudgetSpent {
  readonly used: bigint
  readonly held: bigint
  /** When it ends, in Unix seconds. */
  readonly resets_at: bigint | number
}

const nothing: BudgetSpent = { used: 0n, held: 0n, resets_at: 0 }

export function limitFields(row: TokenRow, spent: BudgetSpent = nothing) {
  const { budget_quota: quota, budget_period, rpm_limit, tpm_limit } = row
  const left = (quota ?? 0n) - spent.used - spent.held
  return {
    budget_quota: exact(quota ?? 0n),
    budget_period: budget_period ?? '',
    budget_used: exact(spent.used),
    budget_remaining: exact(left > 0n ? left : 0n),
    budget_resets_at: Number(spent.resets_at),
    rpm_limit,
    tpm_limit,
  }
}

export function shownState(row: TokenRow, now: number): number {
  if (row.status !== states.on) return row.status
  if (row.expires_at !== null && row.expires_at.getTime() <= now) return states.expired
  const left = remaining(row)
  return left !== undefined && left <= 0n ? states.exhausted : states.on
}

/** What the cap leaves: limit − used − held. Undefined: no cap. */
function remaining(row: TokenRow): bigint | undefined {
  return row.limit_quota === null ? undefined : row.limit_quota - row.used - row.held
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
