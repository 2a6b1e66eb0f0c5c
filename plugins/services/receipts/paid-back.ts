/** What was paid back of an order since, by its sums and by the reports that changed them. */
import type { PaymentEvent, PaymentOrder } from '../payments/index.js'

export interface PaidBack {
  readonly kind: 'refunded' | 'disputed'
  readonly minor: bigint
  /** Absent: the report of it is not kept any more. */
  readonly at?: Date
}

/** Oldest first. The sums of the order are what counts; events only tell when. */
export function paidBackOf(
  { refundedMinor, disputedMinor }: Pick<PaymentOrder, 'refundedMinor' | 'disputedMinor'>,
  events: readonly PaymentEvent[],
): readonly PaidBack[] {
  const changes = events.filter(({ verdict }) => verdict === 'returned')
  const refunds: PaidBack[] = []
  let dated = 0n
  for (const event of changes) {
    const sum = sumIn(event, 'refunded')
    if (sum === undefined || sum <= dated || sum > refundedMinor) continue
    refunds.push({ kind: 'refunded', minor: sum - dated, at: event.firstAt })
    dated = sum
  }
  const undated = refundedMinor - dated
  const at = changes.findLast((event) => sumIn(event, 'disputed') === disputedMinor)?.firstAt
  return [
    ...refunds,
    ...(undated > 0n ? [{ kind: 'refunded', minor: undated } as const] : []),
    ...(disputedMinor > 0n ? [{ kind: 'disputed', minor: disputedMinor, at } as const] : []),
  ]
}

/** Reports name how much was paid back so far. */
function sumIn({ detail }: PaymentEvent, state: PaidBack['kind']): bigint | undefined {
  const { state: reported, amount_minor: minor } = detail
  return reported === state && typeof minor === 'string' && /^\d{1,18}$/.test(minor)
    ? BigInt(minor)
    : undefined
}
