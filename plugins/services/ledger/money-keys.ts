/**
 * What callers' own keys of writes were used for (Idempotency-Key). The same write again is the write that was done; another
 * one under the same key is a mistake of the caller, who would take the first one's result for its own.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { KeyedWrite } from './ledger.js'

/** Within the transaction of the write, so that a write that is undone keeps no key. */
export async function claimKey(
  { moneyKey: key, moneyPrint }: KeyedWrite,
  trx: Knex.Transaction,
): Promise<void> {
  if (moneyPrint === undefined) return
  const fingerprint = moneyPrint
  // Whoever is first holds the row; the others wait here for how it ends.
  const kept = trx('money_keys').insert({ key, fingerprint }).onConflict('key').ignore()
  const [made] = await kept.returning('key')
  if (made !== undefined) return
  const first = await trx('money_keys').where({ key }).first('fingerprint')
  if (first?.fingerprint.equals(fingerprint)) return
  throw new Refusal('idempotency_key_reused', { param: 'Idempotency-Key' })
}
