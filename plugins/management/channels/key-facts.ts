/** What a record shows of the keys of channels that have several: how many, and which ones are switched off (CHAN-5). */
import type { Knex } from 'knex'

/** Maps are from the place of a key, counted from 0 in order of id; only keys that are switched off stand there. */
export interface KeyFacts {
  readonly size: number
  readonly statuses: Readonly<Record<string, number>>
  readonly reasons: Readonly<Record<string, string>>
  /** Unix seconds. */
  readonly times: Readonly<Record<string, number>>
}

interface FactRow extends Omit<KeyFacts, 'size'> {
  readonly channel_id: number
  readonly size: bigint
}

const query = `
  SELECT channel_id, count(*) AS size,
    coalesce(jsonb_object_agg(place, status) FILTER (WHERE status <> 1), '{}') AS statuses,
    coalesce(jsonb_object_agg(place, disabled_reason) FILTER (WHERE status <> 1), '{}') AS reasons,
    coalesce(jsonb_object_agg(place, coalesce(floor(extract(epoch FROM disabled_at)), 0))
      FILTER (WHERE status <> 1), '{}') AS times
  FROM (
    SELECT channel_id, status, disabled_reason, disabled_at,
      row_number() OVER (PARTITION BY channel_id ORDER BY id) - 1 AS place
    FROM channel_keys WHERE channel_id = ANY(?::int[])
  ) AS placed
  GROUP BY channel_id`

export async function keyFacts(
  knex: Knex,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, KeyFacts>> {
  if (channelIds.length === 0) return new Map()
  const { rows }: { readonly rows: readonly FactRow[] } = await knex.raw(query, [[...channelIds]])
  return new Map(rows.map((row) => [row.channel_id, { ...row, size: Number(row.size) }]))
}
