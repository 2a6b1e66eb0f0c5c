/**
 * What a report of a payment means for an order: pure, so that every case stands in a table of the tests. Nothing counts
 * before gateway, mode, currency and amount agree (PAY-1, PAY-2, PAY-4).
 */
import type { PaymentNotice } from '../../../kernel/contract/payment.js'
import type { EventVerdict, OrderState, PaymentOrder } from './payments.js'

export interface Judgement {
  readonly verdict: EventVerdict
  /** What becomes of the order. Absent: nothing. */
  readonly change?: OrderChange
}

export interface OrderChange {
  readonly state?: OrderState
  readonly reason?: string
  /** It is paid now, and credited. */
  readonly paid?: PaidChange
  /** The payment of an order that an admin completed before. */
  readonly reference?: string
  /** What payments can be taken by from now on. */
  readonly mandate?: string
  readonly refundedMinor?: bigint
  readonly disputedMinor?: bigint
}

export interface PaidChange {
  readonly reference: string
  readonly minor: bigint
  /** What repeats from now on. */
  readonly agreement?: string
}

export function judged(order: PaymentOrder, gateway: string, notice: PaymentNotice): Judgement {
  if (order.gateway !== gateway) return { verdict: 'wrong_gateway' }
  if (notice.isTest !== undefined && notice.isTest !== order.isTest) {
    return { verdict: 'wrong_mode' }
  }
  if (notice.currency !== undefined && notice.currency.toUpperCase() !== order.currency) {
    return { verdict: 'wrong_currency' }
  }
  switch (notice.state) {
    case 'paid':
      return paid(order, notice)
    case 'pending':
      return { verdict: order.state === 'pending' ? 'noted' : 'without_effect' }
    case 'failed':
    case 'expired':
      return ended(order, notice.state)
    default:
      return paidBack(order, notice)
  }
}

/** Also of an order that failed or expired: the money has come, so it is credited. */
function paid(order: PaymentOrder, notice: PaymentNotice): Judgement {
  const { reference, agreement, mandate } = notice
  if (isPaid(order)) {
    if (order.paymentReference === undefined) {
      return { verdict: 'already_paid', change: { reference, mandate } }
    }
    const isSame = order.paymentReference === reference
    return { verdict: isSame ? 'already_paid' : 'duplicate_payment' }
  }
  const minor = notice.amountMinor!
  if (minor + (notice.discountMinor ?? 0n) !== order.amountMinor) return { verdict: 'wrong_amount' }
  return {
    verdict: 'credited',
    change: { state: 'paid', reason: '', paid: { reference, minor, agreement }, mandate },
  }
}

function ended(order: PaymentOrder, state: 'failed' | 'expired'): Judgement {
  if (order.state !== 'pending') return { verdict: 'without_effect' }
  const reason = state === 'failed' ? 'The payment failed.' : 'The time to pay ran out.'
  return { verdict: 'noted', change: { state, reason } }
}

/** What was paid back is of the whole payment so far, so that reports may come twice and in any order. */
function paidBack(order: PaymentOrder, notice: PaymentNotice): Judgement {
  if (!isPaid(order)) return { verdict: 'early' }
  if (order.paymentReference !== notice.reference) return { verdict: 'without_effect' }
  if (notice.state === 'reinstated') {
    if (order.disputedMinor === 0n) return { verdict: 'without_effect' }
    return { verdict: 'returned', change: { disputedMinor: 0n } }
  }
  const minor = notice.amountMinor!
  if (minor > (order.paidMinor ?? 0n)) return { verdict: 'wrong_amount' }
  if (notice.state === 'disputed') {
    if (minor === order.disputedMinor) return { verdict: 'without_effect' }
    return { verdict: 'returned', change: { disputedMinor: minor } }
  }
  if (minor <= order.refundedMinor) return { verdict: 'without_effect' }
  return { verdict: 'returned', change: { refundedMinor: minor } }
}

export function isPaid({ state }: Pick<PaymentOrder, 'state'>): boolean {
  return state === 'paid' || state === 'refunded'
}

/** Quota that is to be taken back in all: the part of the credit that was paid back, half up. */
export function quotaBack({
  quota,
  paidMinor = 0n,
  refundedMinor,
  disputedMinor,
}: Pick<PaymentOrder, 'quota' | 'paidMinor' | 'refundedMinor' | 'disputedMinor'>): bigint {
  const back = refundedMinor + disputedMinor
  if (back === 0n) return 0n
  if (back >= paidMinor) return quota
  return (quota * back * 2n + paidMinor) / (paidMinor * 2n)
}
