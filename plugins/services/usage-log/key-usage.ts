/** What an API key may spend and has spent, by its own row. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { KeyUsage } from './usage-log.js'

export async function readKeyUsage(database: Database, id: number): Promise<KeyUsage | undefined> {
  const { rows } = await database.query({
    name: 'usage-of-key',
    text: `SELECT name, limit_quota, used, held, expires_at, model_limits_enabled, model_limits
      FROM tokens WHERE id = $1`,
    values: [id],
  })
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    name: row.name,
    limit: row.limit_quota ?? undefined,
    used: row.used,
    held: row.held,
    expiresAt: row.expires_at === null ? 0 : Math.floor(row.expires_at.getTime() / 1000),
    modelLimitsEnabled: row.model_limits_enabled,
    modelLimits: row.model_limits,
  }
}
