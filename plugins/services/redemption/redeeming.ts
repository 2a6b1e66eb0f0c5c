/** From a code to its credit in one transaction: the code is locked, so that of many who bring it no more have it than may. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Ledger } from '../ledger/index.js'
import type { RedeemRequest } from './redemption.js'
import { type CodeRow, hashOf, stateOf } from './rows.js'

export interface RedeemDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly ledger: Pick<Ledger, 'post'>
  readonly changes: Changes
  readonly now: () => Date
}

/** Rejects with `redemption_code_invalid`. */
export async function redeemed(
  request: RedeemRequest,
  { database, ledger, changes, now }: RedeemDependencies,
): Promise<bigint> {
  const codeHash = hashOf(request.code)
  if (codeHash === undefined) throw invalid()
  const quota = await database.knex.transaction(async (trx) => {
    const row = await usedUp(trx, codeHash, request.userId, now())
    if (row === undefined) return undefined
    const amount = BigInt(row.quota)
    const { userId, requestId } = request
    await ledger.post(
      {
        ...{ key: `redeem:${row.id}:${userId}`, kind: 'redeem', userId, amount, requestId },
        note: `Redemption code ${row.id} "${row.name}"`,
      },
      trx,
    )
    await changes.note(trx, 'users', userId)
    return amount
  })
  if (quota === undefined) throw invalid()
  await changes.settled()
  return quota
}

/** Undefined: this user cannot use the code; nothing changed. */
async function usedUp(
  trx: Knex.Transaction,
  codeHash: Buffer,
  userId: number,
  now: Date,
): Promise<CodeRow | undefined> {
  const row = await trx<CodeRow>('redemption_codes')
    .where({ code_hash: codeHash })
    .forNoKeyUpdate()
    .first()
  if (row === undefined || stateOf(row as CodeRow, now) !== 'on') return undefined
  const use = { code_id: row.id, user_id: userId, redeemed_at: now }
  const made = await trx('redemptions').insert(use).onConflict().ignore().returning('code_id')
  if (made.length === 0) return undefined
  await trx('redemption_codes').where('id', row.id).increment('uses', 1)
  return row as CodeRow
}

function invalid(): Refusal {
  return new Refusal('redemption_code_invalid', { param: 'key' })
}
