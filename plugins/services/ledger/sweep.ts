/** Closes holds whose owner is gone. */
import type { Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Instance } from './instance.js'

/** Holds of one transaction. */
const sweepMax = 200

/** @returns how many were closed */
export async function sweepHolds(
  database: Database,
  { owner }: Pick<Instance, 'owner'>,
  log: Log,
): Promise<number> {
  let total = 0
  for (;;) {
    const { rows } = await database.billing({
      name: 'billing-sweep',
      text: 'SELECT billing_sweep($1, $2, $3) AS closed',
      values: [sweepMax, owner.instance, owner.epoch],
    })
    const { closed } = rows[0]
    total += closed
    if (closed === 0) break
  }
  if (total > 0) log.warn({ requests: total }, 'closed holds whose owner was gone')
  return total
}
