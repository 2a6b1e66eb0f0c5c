/**
 * Notifies owners of keys whose budget is used to 80 %, and used up: once for each period and threshold, whatever number of
 * processes look. A budget is used up when nothing is left, or when past 80 % a request did not fit into it any more.
 */
import type { Knex } from 'knex'
import { chosenLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { Notifications } from '../notifications/index.js'
import { noticeOf } from './alert-texts.js'
import { periodEnd } from './period.js'

export interface AlertDependencies {
  readonly knex: Knex
  readonly notifications: Pick<Notifications, 'notify'>
}

export interface Spent {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly budget_quota: bigint
  readonly budget_period: 'day' | 'week' | 'month'
  readonly starts_at: string
  readonly now: Date
  readonly used: bigint
  readonly percent: 80 | 100
  readonly language: unknown
}

/** Keys of one statement. */
const keysMax = 500
/** Keys remembered until the next look. */
const refusedMax = 10_000

export function budgetAlerts({ knex, notifications }: AlertDependencies) {
  let refusedKeys = new Set<number>()

  async function tell(spent: Spent): Promise<void> {
    await knex.transaction(async (trx) => {
      const { rowCount } = await trx.raw(noteText, [spent.id, spent.starts_at, spent.percent])
      if (rowCount !== 1) return
      const resetsAt = periodEnd(spent.budget_period, spent.now.getTime())
      const notice = noticeOf(spent, resetsAt, chosenLanguage(spent.language) ?? 'en')
      await notifications.notify(spent.user_id, notice, undefined, trx)
    })
  }

  async function tellOf(ids: readonly number[] | null): Promise<void> {
    const named = ids === null ? null : `{${ids.join(',')}}`
    for (let found = keysMax; found === keysMax; ) {
      const { rows } = await knex.raw(spentText, [ids !== null, named, named] as (
        | string
        | boolean
      )[])
      for (const row of rows as readonly Spent[]) await tell(row)
      found = rows.length
    }
  }

  return {
    refused(tokenId: number): void {
      if (refusedKeys.size < refusedMax) refusedKeys.add(tokenId)
    },
    tellUsed: () => tellOf(null),
    async tellRefused(): Promise<void> {
      if (refusedKeys.size === 0) return
      const ids = [...refusedKeys]
      refusedKeys = new Set()
      try {
        await tellOf(ids)
      } catch (error) {
        for (const id of ids) this.refused(id)
        throw error
      }
    },
  }
}

/** Periods as text, since a `Date` has no microseconds. */
const spentText = `
  SELECT t.id, t.user_id, t.name, t.budget_quota, t.budget_period, b.starts_at::text AS starts_at, now() AS now,
    b.used, p.percent, u.setting -> 'language' AS language
  FROM tokens t
  JOIN token_budgets b ON b.token_id = t.id AND b.starts_at = token_budget_from(t.budget_period, t.budget_since)
  CROSS JOIN LATERAL (SELECT CASE WHEN ?::boolean OR b.used >= t.budget_quota THEN 100 ELSE 80 END AS percent) p
  JOIN users u ON u.id = t.user_id
  WHERE t.budget_quota IS NOT NULL AND t.deleted_at IS NULL AND b.used >= t.budget_quota * 0.8
    AND (?::integer[] IS NULL OR t.id = ANY (?::integer[]))
    AND NOT EXISTS (SELECT FROM token_budget_notices n
      WHERE n.token_id = t.id AND n.starts_at = b.starts_at AND n.percent >= p.percent)
  ORDER BY t.id LIMIT ${keysMax}`

const noteText = `
  INSERT INTO token_budget_notices (token_id, starts_at, percent) VALUES (?, ?::timestamptz, ?)
  ON CONFLICT DO NOTHING`
