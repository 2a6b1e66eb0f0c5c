/** Periods: each has an account of its own, opened with the quota of the plan, closed once nothing is held on it any more. */
import type { Knex } from 'knex'
import { later, nextStart } from './calendar.js'
import { graceEndOf, type PeriodRow, type SubscriptionRow } from './rows.js'
import { termsOf } from './terms.js'
import type { Tools } from './tools.js'

/** How far the account of a plan without bound may fall: more than anybody can use. */
export const unboundFloor = -1_000_000_000_000_000n

/** When the period that begins then ends. */
export function periodEnd(row: SubscriptionRow, startsAt: Date, zone: string): Date {
  const { reset } = termsOf(row.terms)
  if (reset === undefined) return row.ends_at
  const end = nextStart(startsAt, reset, { anchor: row.starts_at, zone })
  return end < row.ends_at ? end : row.ends_at
}

export interface PeriodOpening {
  readonly row: SubscriptionRow
  readonly number: number
  readonly startsAt: Date
  readonly endsAt: Date
  readonly requestId: string
  /** Used in advance; absent: nothing. */
  readonly carried?: bigint
}

export async function openPeriod(
  { row, number, startsAt, endsAt, requestId, carried = 0n }: PeriodOpening,
  { ledger }: Pick<Tools, 'ledger'>,
  trx: Knex.Transaction,
): Promise<void> {
  const { id, user_id: userId } = row
  const { quota, title } = termsOf(row.terms)
  const floor = quota === 0n ? unboundFloor : 0n
  const accountId = await ledger.periods.open({ userId, key: `${id}:${number}`, floor }, trx)
  const granted = quota > carried ? quota - carried : 0n
  if (granted > 0n) {
    const note = `Period ${number} of subscription ${id} "${title}"`
    const key = `sub_grant:${id}:${number}`
    await ledger.post(
      { key, kind: 'sub_grant', userId, accountId, amount: granted, requestId, note },
      trx,
    )
  }
  await trx('subscription_periods').insert({
    ...{ subscription_id: id, number, account_id: accountId },
    granted: quota === 0n ? null : granted,
    ...{ starts_at: startsAt, ends_at: endsAt },
  })
}

export function openPeriods(id: number, trx: Knex | Knex.Transaction): Promise<PeriodRow[]> {
  return trx<PeriodRow>('subscription_periods')
    .where('subscription_id', id)
    .whereNull('closed_at')
    .orderBy('number') as unknown as Promise<PeriodRow[]>
}

/** Opens the period that follows the last, where its time has come. True: there is one more. */
export async function openNext(
  row: SubscriptionRow,
  until: Date,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<boolean> {
  const last = await trx<PeriodRow>('subscription_periods')
    .where('subscription_id', row.id)
    .orderBy('number', 'desc')
    .first()
  if (last === undefined || last.ends_at > until || last.ends_at >= row.ends_at) return false
  const startsAt = startAfter(last.ends_at, row, tools)
  if (startsAt >= row.ends_at) return false
  const endsAt = periodEnd(row, startsAt, tools.zone())
  const number = last.number + 1
  const requestId = `subscription:${row.id}:${number}`
  await openPeriod({ row, number, startsAt, endsAt, requestId }, tools, trx)
  return true
}

/** Periods that passed while nobody looked are left out. */
function startAfter(end: Date, row: SubscriptionRow, { now, zone }: Tools): Date {
  return periodEnd(row, end, zone()) > now() ? end : now()
}

/** Closes those that are over and hold nothing any more. True: there were some. */
export async function closePeriods(
  row: SubscriptionRow,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<boolean> {
  const over = (await openPeriods(row.id, trx)).filter((period) => isOver(period, row, tools.now()))
  const accounts = await tools.ledger.periods.lock(
    over.map(({ account_id }) => account_id),
    trx,
  )
  let closed = false
  for (const period of over) {
    const account = accounts.get(period.account_id)!
    if (account.held > 0n) continue
    closed = true
    await close(period, account.posted, row, tools, trx)
  }
  return closed
}

/** The last of a subscription that is collected for may be used for a while longer. */
export function isOver({ ends_at }: PeriodRow, row: SubscriptionRow, now: Date): boolean {
  if (row.state !== 'active') return true
  return (ends_at >= row.ends_at ? graceEndOf(row) : ends_at) <= now
}

async function close(
  { number, account_id: accountId }: PeriodRow,
  left: bigint,
  { id, user_id: userId, terms }: SubscriptionRow,
  { ledger, now }: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  if (left !== 0n) {
    const key = `sub_expire:${id}:${number}`
    const requestId = `subscription:${id}:${number}`
    const note = `End of period ${number} of subscription ${id} "${termsOf(terms).title}"`
    await ledger.post(
      {
        ...{ key, kind: 'sub_expire', userId, accountId, amount: -left },
        ...{ mayOverdraw: true, requestId, note },
      },
      trx,
    )
  }
  await ledger.periods.setFloor(accountId, 0n, trx)
  await trx('subscription_periods')
    .where({ subscription_id: id, number })
    .update({ closed_at: now(), returned: left })
}

/** The period is granted anew: the one that runs ends now, whatever was left of it goes back. */
export async function restart(
  row: SubscriptionRow,
  { advances, requestId }: { readonly advances: boolean; readonly requestId: string },
  tools: Tools,
  trx: Knex.Transaction,
): Promise<boolean> {
  const now = tools.now()
  const periods = await openPeriods(row.id, trx)
  const running = periods.find(({ starts_at, ends_at }) => starts_at <= now && ends_at > now)
  const last = periods.at(-1)
  if (running === undefined || last !== running) return false
  const { reset } = termsOf(row.terms)
  const counted = reset && advances ? later(now, reset, tools.zone()) : running.ends_at
  const endsAt = counted < row.ends_at ? counted : row.ends_at
  await trx('subscription_periods')
    .where({ subscription_id: row.id, number: running.number })
    .update({ ends_at: now })
  const number = running.number + 1
  await openPeriod({ row, number, startsAt: now, endsAt, requestId }, tools, trx)
  return true
}
