/** Payments nobody knew what for within ten minutes: their providers were acknowledged, so root is alerted of each. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Notifications } from '../notifications/index.js'
import { alertOfUnclaimedPayment, type UnclaimedPayment } from './alerts.js'
import { unknownMs } from './callbacks.js'
import type { EventVerdict } from './payments.js'

export interface UnclaimedDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly notifications: Pick<Notifications, 'notifyRoot'>
  readonly log: Log
  /** Unix milliseconds. */
  readonly now: () => number
}

const batch = 100

/**
 * Of an order only where its number has the form of ours: other programs may share the account at the provider. Once for each: the
 * verdict of those that were dealt with is another.
 */
export async function alertOfUnclaimed({
  database,
  notifications,
  log,
  now,
}: UnclaimedDependencies): Promise<void> {
  await database.knex.transaction(async (trx) => {
    const rows = await trx('payment_events')
      .where('verdict', 'unknown_order')
      .where('first_at', '<=', new Date(now() - unknownMs))
      .whereRaw("detail ->> 'state' = 'paid'")
      .whereRaw(
        "(order_no IS NULL AND detail ->> 'agreement' IS NOT NULL OR order_no ~ '^[0-9a-f]{32}$')",
      )
      .orderBy('first_at')
      .limit(batch)
      .forUpdate()
      .select<UnclaimedPayment[]>(
        ...(['gateway', 'event', 'order_no as orderNo'] as const),
        trx.raw("detail ->> 'agreement' AS agreement"),
      )
    for (const row of rows) {
      const { gateway, event } = row
      await alertOfUnclaimedPayment(row, notifications, trx)
      await trx('payment_events')
        .where({ gateway, event })
        .update({ verdict: 'unclaimed' satisfies EventVerdict })
      log.error({ gateway, event }, 'a payment fits no order and no subscription')
    }
  })
}
