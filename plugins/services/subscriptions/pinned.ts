/**
 * What an order keeps of its quote: what was agreed when it was made holds until it is paid, whatever becomes of the plan.
 * What the subscription it changes has used since is taken from the first period of the new one, so that nobody uses up what
 * was taken off the price.
 */
import type { Knex } from 'knex'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Ledger } from '../ledger/index.js'
import { type PlanTerms, termsJson, termsOf } from './terms.js'

export interface Pinned {
  readonly terms: PlanTerms
  readonly replaced?: Replaced
}

interface Replaced {
  readonly id: number
  /** What was taken off the price for it, in the currency of the order. */
  readonly takenOff: bigint
  /** All it had used when the order was made. */
  readonly used: bigint
}

export function pinnedJson({ terms, replaced }: Pinned): JsonObject {
  if (replaced === undefined) return { terms: termsJson(terms) }
  const { id, takenOff, used } = replaced
  return {
    terms: termsJson(terms),
    replaced: { id, taken_off: String(takenOff), used: String(used) },
  }
}

/** Of what `pinnedJson` wrote. */
export function pinnedOf({ terms, replaced }: JsonObject): Pinned {
  if (!isObject(replaced)) return { terms: termsOf(terms as Json) }
  const { id, taken_off, used } = replaced
  return {
    terms: termsOf(terms as Json),
    replaced: {
      id: Number(id),
      takenOff: BigInt(String(taken_off)),
      used: BigInt(String(used)),
    },
  }
}

/** All a subscription has used so far. */
export async function usedBy(
  id: number,
  { periods }: Pick<Ledger, 'periods'>,
  trx: Knex | Knex.Transaction,
): Promise<bigint> {
  const rows = await trx('subscription_periods')
    .where('subscription_id', id)
    .select<{ account_id: number }[]>('account_id')
  const accounts = await periods.read(
    rows.map(({ account_id }) => account_id),
    trx,
  )
  let used = 0n
  for (const account of accounts.values()) used += account.used
  return used
}
