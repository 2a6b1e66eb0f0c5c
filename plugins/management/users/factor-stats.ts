/** How many users have a second factor. */
import type { Database } from '../../../kernel/contract/service.js'

export async function factorStats({ knex }: Database) {
  const { rows } = await knex.raw(`
    SELECT count(*) AS users,
           count(*) FILTER (WHERE t.user_id IS NOT NULL) AS apps,
           count(*) FILTER (WHERE EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id)) AS passkeys
    FROM users u LEFT JOIN totp t ON t.user_id = u.id AND t.enabled_at IS NOT NULL
    WHERE u.deleted_at IS NULL`)
  const [total, enabled] = [Number(rows[0].users), Number(rows[0].apps)]
  return {
    total_users: total,
    enabled_users: enabled,
    // In percent, to a tenth.
    enabled_rate: total === 0 ? 0 : Math.round((enabled / total) * 1000) / 10,
    passkey_users: Number(rows[0].passkeys),
  }
}
