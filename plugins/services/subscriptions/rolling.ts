/** What time does to subscriptions: periods and windows follow one another, some are renewed, the others end. */
import type { Knex } from 'knex'
import { applyCaps } from './caps.js'
import { ended } from './ending.js'
import { closePeriods, openNext } from './periods.js'
import { renewFromWallet } from './renewing.js'
import { graceEndOf, graceMs, type SubscriptionRow } from './rows.js'
import { lockedSubscription, noteUser, type Tools } from './tools.js'

/** The next period is there before it begins, and a renewal paid before the end. */
const aheadMs = 120_000
const batch = 200

/** Each in a transaction of its own: one that fails is logged, and the others go on. */
export async function roll(tools: Tools): Promise<void> {
  let after = 0
  for (;;) {
    const ids = await due(tools, after)
    for (const id of ids) {
      await tools.database.knex
        .transaction((trx) => rolled(id, tools, trx))
        .catch((err) => tools.log.error({ err, subscription: id }, 'a subscription is not rolled'))
    }
    if (ids.length < batch) return
    after = ids.at(-1)!
  }
}

async function due({ database, now }: Tools, after: number): Promise<number[]> {
  const ahead = new Date(now().getTime() + aheadMs)
  const { rows } = await database.knex.raw<{ rows: { id: number }[] }>(
    `SELECT id FROM (
       SELECT id FROM subscriptions WHERE state = 'active' AND ends_at <= CASE renewal
         WHEN 'balance' THEN :ahead WHEN 'gateway' THEN :grace ELSE :now END::timestamptz
       UNION SELECT p.subscription_id FROM subscription_periods p
         JOIN subscriptions s ON s.id = p.subscription_id
         WHERE p.closed_at IS NULL AND s.state = 'active' AND p.ends_at <= :ahead
         AND p.ends_at < s.ends_at AND NOT EXISTS (SELECT FROM subscription_periods n
           WHERE n.subscription_id = p.subscription_id AND n.number > p.number)
       UNION SELECT p.subscription_id FROM subscription_periods p
         JOIN subscriptions s ON s.id = p.subscription_id JOIN accounts a ON a.id = p.account_id
         WHERE p.closed_at IS NULL AND a.held = 0
         AND (s.state <> 'active' OR p.ends_at <= :now AND p.ends_at < s.ends_at)
       UNION SELECT c.subscription_id FROM subscription_caps c
         JOIN subscriptions s ON s.id = c.subscription_id
         WHERE c.ends_at <= :now AND s.state = 'active'
     ) due WHERE id > :after ORDER BY id LIMIT ${batch}`,
    { ahead, now: now(), grace: new Date(now().getTime() - graceMs), after },
  )
  return rows.map(({ id }) => id)
}

async function rolled(id: number, tools: Tools, trx: Knex.Transaction): Promise<void> {
  const found = await lockedSubscription(id, trx)
  if (found === undefined) return
  if (found.state !== 'active') {
    await closePeriods(found, tools, trx)
    return
  }
  const now = tools.now()
  const ahead = new Date(now.getTime() + aheadMs)
  const row = found.ends_at <= ahead ? await renewFromWallet(found, tools, trx) : found
  if (graceEndOf(row) <= now) {
    await ended(row, { state: 'expired', reason: '' }, tools, trx)
    return
  }
  const opened = await openNext(row, ahead, tools, trx)
  const closed = await closePeriods(row, tools, trx)
  await applyCaps(row, tools, trx)
  if (opened || closed || row !== found) await noteUser(tools, row.user_id, trx)
}

/** `row`: locked. What follows a change of its end, at once. */
export async function rolledOn(
  row: SubscriptionRow,
  tools: Tools,
  trx: Knex.Transaction,
): Promise<void> {
  await openNext(row, new Date(tools.now().getTime() + aheadMs), tools, trx)
  await closePeriods(row, tools, trx)
  await applyCaps(row, tools, trx)
  await noteUser(tools, row.user_id, trx)
}
