/** Reports of providers are kept as long as an admin wants: they state who paid what, when and from where. */
import type { Database } from '../../../kernel/contract/services/database.js'

const dayMs = 24 * 3_600_000
const rowsMax = 10_000

/** Deletes reports that came last before so many days. Returns how many. */
export async function trimEvents(
  { knex }: Pick<Database, 'knex'>,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<number> {
  const old = knex('payment_events')
    .where('last_at', '<', new Date(now - days * dayMs))
    .orderBy('id')
    .limit(rowsMax)
    .select('id')
  return knex('payment_events').whereIn('id', old).delete()
}
