/** How many notices of a kind a user gets within a while. What is too many is kept as a row with that state. */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'

/** Any number; with the user's, one writer of a user's notices at a time. */
const lockClass = 731_604_219

/** Why a further notice is not sent; undefined: it is. */
export async function overLimit(
  trx: Knex.Transaction,
  userId: number,
  type: string,
  clock: Clock,
  { count, minutes }: { readonly count: number; readonly minutes: number },
): Promise<string | undefined> {
  if (count === 0) return undefined
  await trx.raw('SELECT pg_advisory_xact_lock(?, ?)', [lockClass, userId])
  const since = new Date(clock.now() - minutes * 60_000)
  // Of the latest alone: an index by user leads there.
  const recent = await trx('outbox')
    .select('id')
    .where({ user_id: userId, type })
    .where('created_at', '>', since)
    .whereNot('reason', 'like', `${sentence}%`)
    .orderBy('id', 'desc')
    .limit(count)
  return recent.length < count
    ? undefined
    : `${sentence} ${count} of this kind were within ${minutes} minutes.`
}

const sentence = 'Too many notices:'
