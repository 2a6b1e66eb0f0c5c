/**
 * Caps: how much may be used within a day, a week or the like, whatever periods do. They are kept by the floor of the account
 * that runs: what is left of the tightest one is all that can be set aside.
 */
import type { Knex } from 'knex'
import type { PeriodAccount } from '../ledger/index.js'
import { nextStart } from './calendar.js'
import { isOver, openPeriods, unboundFloor } from './periods.js'
import type { CapRow, SubscriptionRow } from './rows.js'
import { type PlanTerms, termsOf } from './terms.js'
import type { Tools } from './tools.js'

export async function openCaps(
  row: SubscriptionRow,
  { now, zone }: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const { caps } = termsOf(row.terms)
  const startsAt = now()
  const calendar = { anchor: row.starts_at, zone: zone() }
  const rows = caps.map(({ span }, number) => ({
    ...{ subscription_id: row.id, number, base: 0, starts_at: startsAt },
    ends_at: nextStart(startsAt, span, calendar),
  }))
  if (rows.length > 0) await trx('subscription_caps').insert(rows)
}

/** Begins the windows that follow those that are over, and sets what may be used by all of them. */
export async function applyCaps(
  row: SubscriptionRow,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  const terms = termsOf(row.terms)
  if (terms.caps.length === 0) return
  const { accounts, used } = await lockedAccounts(row, tools, trx)
  const windows = await rolled(row, terms, used, tools, trx)
  for (const [accountId, account] of accounts) {
    const floor = floorOf(account, terms, windows, used)
    if (floor !== account.floor) await tools.ledger.periods.setFloor(accountId, floor, trx)
  }
}

/** The accounts that run, and what all there ever were have used. */
async function lockedAccounts(row: SubscriptionRow, tools: Tools, trx: Knex.Transaction) {
  const periods = await trx('subscription_periods')
    .where('subscription_id', row.id)
    .select<{ account_id: number; closed_at: Date | null }[]>('account_id', 'closed_at')
  const now = tools.now()
  const running = new Set(
    (await openPeriods(row.id, trx))
      .filter((period) => !isOver(period, row, now))
      .map(({ account_id }) => account_id),
  )
  const all = await tools.ledger.periods.lock(
    periods.map(({ account_id }) => account_id),
    trx,
  )
  let used = 0n
  for (const account of all.values()) used += account.used
  return { used, accounts: [...all].filter(([id]) => running.has(id)) }
}

async function rolled(
  row: SubscriptionRow,
  { caps }: PlanTerms,
  used: bigint,
  { now, zone }: Tools,
  trx: Knex.Transaction,
): Promise<CapRow[]> {
  const windows = await capRows(row.id, trx)
  const at = now()
  return Promise.all(
    windows.map(async (window) => {
      if (window.ends_at > at) return window
      const calendar = { anchor: row.starts_at, zone: zone() }
      const endsAt = nextStart(at, caps[window.number]!.span, calendar)
      const next = { base: used, starts_at: at, ends_at: endsAt }
      const { number } = window
      await trx('subscription_caps').where({ subscription_id: row.id, number }).update(next)
      return { ...window, ...next }
    }),
  )
}

function capRows(id: number, trx: Knex | Knex.Transaction): Promise<CapRow[]> {
  return trx<CapRow>('subscription_caps')
    .where('subscription_id', id)
    .orderBy('number') as unknown as Promise<CapRow[]>
}

function floorOf(
  { posted }: PeriodAccount,
  { quota, caps }: PlanTerms,
  windows: readonly CapRow[],
  used: bigint,
): bigint {
  let floor = quota === 0n ? unboundFloor : 0n
  for (const { number, base } of windows) {
    const left = caps[number]!.quota - (used - BigInt(base))
    if (posted - left > floor) floor = posted - left
  }
  return floor
}
