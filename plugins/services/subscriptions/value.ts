/**
 * What is left of a subscription's value when another takes its place: of what was paid, the share of time that is left; of
 * the period that runs no more than the share of its quota that is left. Rounded down, never paid out.
 */
import type { PeriodAccount } from '../ledger/index.js'
import type { PeriodRow, SubscriptionRow } from './rows.js'

export interface Running {
  readonly period: Pick<PeriodRow, 'granted' | 'starts_at' | 'ends_at'>
  readonly account: Pick<PeriodAccount, 'posted' | 'held'>
}

/** `paid`: minor units, or quota. `running`: absent where no period runs. */
export function valueLeft(
  paid: bigint,
  { term_starts_at, ends_at }: Pick<SubscriptionRow, 'term_starts_at' | 'ends_at'>,
  running: Running | undefined,
  now: Date,
): bigint {
  const term = span(term_starts_at, ends_at)
  if (term <= 0n || now >= ends_at) return 0n
  const from = running === undefined ? now : running.period.ends_at
  const left = span(from, ends_at) + (running === undefined ? 0n : leftOf(running, now))
  return (paid * (left > term ? term : left)) / term
}

/** Milliseconds. */
function leftOf({ period, account }: Running, now: Date): bigint {
  const time = span(now, period.ends_at)
  if (period.granted === null) return time
  const granted = BigInt(period.granted)
  const quota = account.posted - account.held
  if (granted === 0n || quota <= 0n) return 0n
  const byQuota = (span(period.starts_at, period.ends_at) * quota) / granted
  return byQuota < time ? byQuota : time
}

function span(from: Date, to: Date): bigint {
  return BigInt(Math.max(to.getTime() - from.getTime(), 0))
}
