/** Payments that repeat, and for ten minutes nobody knew what for: the provider was acknowledged, so root is alerted of each. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Notifications } from '../notifications/index.js'
import { alertOfUnknown, type UnknownPayment } from './alerts.js'
import { unknownMs } from './callbacks.js'
import type { EventVerdict } from './payments.js'

export interface UnknownDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly notifications: Pick<Notifications, 'notifyRoot'>
  readonly log: Log
  /** Unix milliseconds. */
  readonly now: () => number
}

const batch = 100

/** Once for each: the verdict of those that were dealt with is another. */
export async function alertOfUnknownAgreements({
  database,
  notifications,
  log,
  now,
}: UnknownDependencies): Promise<void> {
  await database.knex.transaction(async (trx) => {
    const rows = await trx('payment_events')
      .where('verdict', 'unknown_order')
      .where('first_at', '<=', new Date(now() - unknownMs))
      .whereNull('order_no')
      .whereRaw("detail ->> 'state' = 'paid'")
      .whereRaw("detail ->> 'agreement' IS NOT NULL")
      .orderBy('first_at')
      .limit(batch)
      .forUpdate()
      .select<UnknownPayment[]>('gateway', 'event', trx.raw("detail ->> 'agreement' AS agreement"))
    for (const { gateway, event, agreement } of rows) {
      await alertOfUnknown({ gateway, event, agreement }, notifications, trx)
      await trx('payment_events')
        .where({ gateway, event })
        .update({ verdict: 'unknown_agreement' satisfies EventVerdict })
      log.error({ gateway, event }, 'a payment that repeats fits no subscription')
    }
  })
}
