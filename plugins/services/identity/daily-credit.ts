/** What an access token may credit and debit in a day, counted with each movement and in its transaction. */
import type { Knex } from 'knex'
import type { ShownAccessToken } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

interface Credit {
  readonly token: ShownAccessToken
  /** Moved, whichever way. */
  readonly quota: bigint
  /** Unix milliseconds. */
  readonly at: number
}

/** Throws `daily_credit_used`. Movements of one token at once are counted one after the other. */
export async function countCredit(
  { token, quota, at }: Credit,
  trx: Knex.Transaction,
): Promise<void> {
  const size = quota < 0n ? -quota : quota
  const most = token.dailyCredit ?? 0n
  if (size === 0n) return
  if (size <= most) {
    const row = { token_id: token.id, day: new Date(at).toISOString().slice(0, 10), quota: size }
    const counted = await trx('access_token_credits')
      .insert(row)
      .onConflict(['token_id', 'day'])
      .merge({ quota: trx.raw('access_token_credits.quota + excluded.quota') })
      .whereRaw('access_token_credits.quota + excluded.quota <= ?::bigint', [String(most)])
      .returning('token_id')
    if (counted.length > 0) return
  }
  throw new Refusal('daily_credit_used', { most: String(most) })
}
