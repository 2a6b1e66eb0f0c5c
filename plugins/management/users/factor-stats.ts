/** How many users have a second factor; who left has none. */
import type { Database } from '../../../kernel/contract/services/database.js'

export async function factorStats({ knex }: Database) {
  const { rows } = await knex.raw(`
    SELECT (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
           (SELECT count(*) FROM totp WHERE enabled_at IS NOT NULL) AS apps,
           (SELECT count(DISTINCT user_id) FROM passkeys) AS passkeys`)
  const [total, enabled] = [Number(rows[0].users), Number(rows[0].apps)]
  return {
    total_users: total,
    enabled_users: enabled,
    // In percent, to a tenth.
    enabled_rate: total === 0 ? 0 : Math.round((enabled / total) * 1000) / 10,
    passkey_users: Number(rows[0].passkeys),
  }
}
