/** The rows of refused fields: counts are added up, and of each channel only the last seen stay. */
import type { Knex } from 'knex'
import type { RefusedField } from './refusals.js'
import type { Counted } from './tally.js'

const rowsPerChannel = 200
/** In one transaction. `now` is of the clock of what was counted. */
export async function addRows(knex: Knex, counted: readonly Counted[], now: number): Promise<void> {
  const rows = counted.map(({ channelId, firstAt, lastAt, ...row }) => ({
    ...row,
    channel_id: channelId,
    first_age_ms: Math.max(0, now - firstAt),
    last_age_ms: Math.max(0, now - lastAt),
  }))
  await knex.transaction(async (trx) => {
    await trx.raw(addText, [JSON.stringify(rows)])
    await trx.raw(trimText, [[...new Set(counted.map(({ channelId }) => channelId))]])
  })
}

/** Resolves with how many there were. */
export function deleteRows(trx: Knex.Transaction, channelId: number): Promise<number> {
  return trx('channel_refusals').where({ channel_id: channelId }).delete()
}

export async function readRows(knex: Knex, channelId: number): Promise<readonly RefusedField[]> {
  const { rows } = await knex.raw(readText, [channelId])
  return rows.map((row: RefusedField & { readonly count: bigint }) => ({
    ...row,
    count: Number(row.count),
  }))
}

/** In one order everywhere, so that no two processes wait for each other. A channel that is gone has none. */
const addText = `
INSERT INTO channel_refusals AS known
  (channel_id, model, field, count, first_seen, last_seen, status, message)
SELECT r.channel_id, r.model, r.field, r.count, now() - r.first_age_ms * interval '1 millisecond',
  now() - r.last_age_ms * interval '1 millisecond', r.status, r.message
FROM jsonb_to_recordset(?::jsonb) AS r (channel_id integer, model text, field text, count bigint,
  first_age_ms float8, last_age_ms float8, status smallint, message text)
JOIN channels c ON c.id = r.channel_id
ORDER BY r.channel_id, r.model, r.field
ON CONFLICT (channel_id, model, field) DO UPDATE SET
  count = known.count + excluded.count,
  first_seen = least(known.first_seen, excluded.first_seen),
  last_seen = greatest(known.last_seen, excluded.last_seen),
  status = CASE WHEN excluded.last_seen < known.last_seen THEN known.status ELSE excluded.status END,
  message = CASE WHEN excluded.last_seen < known.last_seen THEN known.message ELSE excluded.message END`

const trimText = `
DELETE FROM channel_refusals WHERE (channel_id, model, field) IN (
  SELECT channel_id, model, field FROM (
    SELECT channel_id, model, field, row_number() OVER
      (PARTITION BY channel_id ORDER BY last_seen DESC, model, field) AS place
    FROM channel_refusals WHERE channel_id = ANY (?::integer[])
  ) placed WHERE place > ${rowsPerChannel})`

const readText = `
SELECT model, field, count, status, message, extract(epoch FROM first_seen)::float8 AS "firstSeen",
  extract(epoch FROM last_seen)::float8 AS "lastSeen"
FROM channel_refusals WHERE channel_id = ?
ORDER BY last_seen DESC, model, field LIMIT ${rowsPerChannel}`
