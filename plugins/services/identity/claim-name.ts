/** Taking a user name: not of mixed scripts, and not one that looks like another account's. Names from before stay. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { isOneScript, skeletonOf } from './name-skeleton.js'

const batch = 1000

/**
 * Columns of the name, for whoever is to have it; in the caller's transaction, at whose end it is theirs. Throws
 * `invalid_field` and `conflict`.
 */
export async function claimName(username: string, trx: Knex.Transaction, userId = 0) {
  if (!isOneScript(username)) {
    const reason = 'A user name is written in one script.'
    throw new Refusal('invalid_field', { reason, param: 'username' })
  }
  const skeleton = skeletonOf(username)
  await trx.raw("SELECT pg_advisory_xact_lock(hashtext('waybill look ' || ?))", [skeleton])
  const holder = await trx('users')
    .where('name_skeleton', skeleton)
    .whereNull('deleted_at')
    .whereNot('id', userId)
    .first('username')
  if (holder === undefined) return { username, name_skeleton: skeleton }
  const same = holder.username.toLowerCase() === username.toLowerCase()
  const reason = same ? 'This user name is taken.' : 'This user name looks like one that is taken.'
  throw new Refusal('conflict', { reason, param: 'username' })
}

/** Gives accounts from before their skeleton; of two that look alike, the older has it. */
export async function fillSkeletons(knex: Knex): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await knex('users')
      .whereNull('name_skeleton')
      .whereNull('deleted_at')
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .select('id', 'username')
    if (rows.length === 0) return
    after = rows[rows.length - 1].id
    const first = new Map(rows.reverse().map((row) => [skeletonOf(row.username), row.id]))
    await knex.raw(fill, [[...first.values()], [...first.keys()]])
  }
}

const fill = `
  UPDATE users SET name_skeleton = look.skeleton
  FROM unnest(?::integer[], ?::text[]) AS look (id, skeleton)
  WHERE users.id = look.id AND NOT EXISTS (
    SELECT FROM users other WHERE other.name_skeleton = look.skeleton AND other.deleted_at IS NULL)`
