/** What was reported last, by gateway: where nothing arrives, an admin sees it there first. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { EventVerdict, LastReport } from './payments.js'

interface Row {
  readonly gateway: string
  readonly verdict: EventVerdict
  readonly last_at: Date
}

/** By callbacks alone: what was fetched, or done by an admin, is none. */
export async function lastReports(
  { knex }: Pick<Database, 'knex'>,
  gateways: readonly string[],
): Promise<ReadonlyMap<string, LastReport>> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `SELECT g.gateway, e.verdict, e.last_at FROM unnest(?::text[]) AS g (gateway)
     CROSS JOIN LATERAL (SELECT verdict, last_at FROM payment_events
       WHERE gateway = g.gateway AND address <> '' ORDER BY last_at DESC LIMIT 1) e`,
    [[...gateways]],
  )
  return new Map(rows.map(({ gateway, verdict, last_at }) => [gateway, { verdict, at: last_at }]))
}
