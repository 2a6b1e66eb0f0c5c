/** Payments that do not fit their orders reach root in the transaction that keeps them: money came that nobody was credited for. */
import type { Knex } from 'knex'
import type { Notifications } from '../notifications/index.js'
import type { EventVerdict } from './payments.js'

export interface Misfit {
  readonly gateway: string
  readonly event: string
  readonly orderNo?: string
  readonly verdict: EventVerdict
}

export const misfits: ReadonlySet<EventVerdict> = new Set([
  'wrong_gateway',
  'wrong_amount',
  'wrong_currency',
  'wrong_mode',
  'duplicate_payment',
])

/** Once for each event, however often it comes. */
export function alertRoot(
  { gateway, event, orderNo = '', verdict }: Misfit,
  notifications: Pick<Notifications, 'notifyRoot'>,
  trx: Knex.Transaction,
): Promise<void> {
  const content =
    'A payment by {{value}} does not fit its order {{value}}: {{value}}. Nothing was credited for it. Look at the provider, and pay it back there.'
  const notice = {
    type: 'payment_misfit',
    title: 'A payment does not fit its order',
    content,
    values: [gateway, orderNo, verdict],
  }
  return notifications.notifyRoot(notice, `payment:${gateway}:${event}`, trx)
}
