/** Whether a user is topped up, and what stands against it: pure, by the same rules as the query that finds who is due. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Mandate, OfferedGateway } from '../payments/index.js'
import type { Standing } from './auto-topup.js'
import { refusalsMax } from './outcomes.js'
import type { AutoTopupRow } from './rows.js'

export interface StandingFacts {
  readonly offered: boolean
  readonly capMax: number
  readonly spent: number
  /** Of the gateway in use. Absent: there is none. */
  readonly mandate?: Mandate
  /** The same. Absent: it is switched off, or cannot charge. */
  readonly gateway?: OfferedGateway
  /** Throws a `Refusal` where the amount cannot be bought. */
  readonly price: () => unknown
  /** Unix milliseconds. */
  readonly now: number
}

export function standingOf(row: AutoTopupRow | undefined, facts: StandingFacts): Standing {
  if (row === undefined) return { state: 'off' }
  const { is_on, order_no, refusal, failures } = row
  if (!is_on) {
    const isByRefusals = failures >= refusalsMax
    return isByRefusals ? { state: 'off', reason: 'refused', words: refusal } : { state: 'off' }
  }
  if (order_no !== null) return { state: 'charging' }
  return obstacle(row, facts) ?? { state: 'on' }
}

function obstacle(row: AutoTopupRow, facts: StandingFacts): Standing | undefined {
  const { offered, mandate, gateway, capMax, spent, now } = facts
  if (!offered) return paused('not_offered')
  if (mandate === undefined) return paused('mandate_ended')
  if (gateway === undefined) return paused('gateway_off')
  if (gateway.offer.isTest !== mandate.isTest) return paused('wrong_mode')
  const { paused_until, refusal } = row
  if (paused_until !== null && paused_until.getTime() > now && row.mandate_id === mandate.id) {
    return { ...paused('refused'), words: refusal, until: paused_until }
  }
  const words = wordsOf(facts.price)
  if (words !== undefined) return { ...paused('wrong_amount'), words }
  if (spent + row.amount > Math.min(row.monthly_cap, capMax)) {
    return { ...paused('cap_reached'), until: monthAfter(now) }
  }
  return undefined
}

function paused(reason: NonNullable<Standing['reason']>): Standing {
  return { state: 'paused', reason }
}

function wordsOf(price: () => unknown): string | undefined {
  try {
    price()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

function monthAfter(now: number): Date {
  const at = new Date(now)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}
