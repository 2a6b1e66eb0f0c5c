/** The ledger at a glance: sums over every account, of one moment. */
import type { Knex } from 'knex'
import type { Overview } from './ledger.js'
import { openHolds } from './open-holds.js'
import { systemAccounts } from './wallets.js'

/** Blocked accounts that are named. */
const blockedMax = 20

/**
 * Accounts of the gateway keep no balance of their own. What they were charged by requests stands with each wallet,
 * and the rest of their transfers are few.
 */
const sums = `
  SELECT w.*, w.used AS revenue, s.*, o.open_holds
  FROM (
    SELECT count(*) AS accounts, coalesce(sum(posted), 0)::bigint AS posted,
      coalesce(sum(held), 0)::bigint AS held, coalesce(sum(used), 0)::bigint AS used,
      count(*) FILTER (WHERE posted < held) AS indebted,
      coalesce(sum(held - posted) FILTER (WHERE posted < held), 0)::bigint AS debt,
      count(*) FILTER (WHERE blocked) AS blocked
    FROM accounts WHERE id > 0
  ) w,
  (
    SELECT coalesce(sum(amount) FILTER (WHERE id = :adjustment), 0)::bigint AS adjustment,
      coalesce(sum(amount) FILTER (WHERE id = :promo), 0)::bigint AS promo,
      coalesce(sum(amount) FILTER (WHERE id = :clearing), 0)::bigint AS clearing
    FROM (
      SELECT credit_account AS id, amount FROM transfers
      WHERE credit_account IN (:adjustment, :promo, :clearing)
      UNION ALL SELECT debit_account, -amount FROM transfers
      WHERE debit_account IN (:adjustment, :promo, :clearing)
    ) side
  ) s,
  (SELECT count(*) AS open_holds FROM billing_requests WHERE state = 'reserved') o`

export async function readOverview(knex: Knex): Promise<Overview> {
  const { revenue: _, ...others } = systemAccounts
  const { rows } = await knex.raw(sums, others)
  const row: SumsRow = rows[0]
  const [oldestHold] = await openHolds(knex, { offset: 0, limit: 1 })
  return {
    accounts: Number(row.accounts),
    posted: row.posted,
    held: row.held,
    indebted: Number(row.indebted),
    debt: row.debt,
    openHolds: Number(row.open_holds),
    oldestHold,
    system: systemNames.map((name) => ({ id: systemAccounts[name], name, balance: row[name] })),
    blocked: Number(row.blocked),
    blockedAccounts: row.blocked > 0n ? await blockedAccounts(knex) : [],
  }
}

const systemNames = ['revenue', 'adjustment', 'promo', 'clearing'] as const

interface SumsRow extends Record<(typeof systemNames)[number], bigint> {
  readonly accounts: bigint
  readonly posted: bigint
  readonly held: bigint
  readonly indebted: bigint
  readonly debt: bigint
  readonly blocked: bigint
  readonly open_holds: bigint
}

function blockedAccounts(knex: Knex): Promise<Overview['blockedAccounts']> {
  return knex('accounts')
    .leftJoin('users', 'users.id', 'accounts.owner_id')
    .where('blocked', true)
    .orderBy('accounts.id')
    .limit(blockedMax)
    .select({ accountId: 'accounts.id', userId: 'owner_id', username: 'username' })
}
