/** One change to many users: a few statements however many they are. The caller holds their rows. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Ledger } from '../ledger/index.js'
import type { Users } from './identity.js'

export interface ManyUsersDependencies {
  readonly ledger: Pick<Ledger, 'setWalletActive'>
  readonly changes: Changes
}

const enabled = 1

export function changeMany({ ledger, changes }: ManyUsersDependencies): Users['changeMany'] {
  return async ({ ids, group, switched, status }, trx) => {
    const own = (rows: readonly number[]) => trx('users').whereRaw(among('id'), [[...rows]])
    if (group !== undefined) await own(ids).update({ group })
    if (status !== undefined && switched.length > 0) {
      await own(switched).update({ status })
      await ledger.setWalletActive(switched, status === enabled, trx)
      if (status !== enabled) await shutOut(switched, trx)
    }
    await changes.note(trx, 'users', ids)
  }
}

/** Ends all they have begun and whatever acts for them; a sign-in that waits for the row finds it changed. */
async function shutOut(ids: readonly number[], trx: Knex.Transaction): Promise<void> {
  await trx('users')
    .whereRaw(among('id'), [[...ids]])
    .increment('sign_in_epoch', 1)
  for (const table of ['sessions', 'one_time', 'access_tokens']) {
    await trx(table)
      .whereRaw(among('user_id'), [[...ids]])
      .delete()
  }
  await trx('mail_codes')
    .where('purpose', 'reset')
    .whereIn(
      'email',
      trx('users')
        .whereRaw(among('id'), [[...ids]])
        .select(trx.raw('lower(email)')),
    )
    .delete()
}

/** One parameter, however many they are. */
function among(column: string): string {
  return `${column} = ANY(?::int[])`
}
