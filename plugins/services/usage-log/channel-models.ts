/** Which models of a channel are used, along its newest rows: sums of channel and model together are kept nowhere. */
import { sql } from './condition.js'
import type { Read } from './snapshot.js'
import type { ChannelModels } from './usage-log.js'

const rowsMax = 5_000
const modelsMax = 50

export async function readChannelModels(
  read: Read,
  channelId: number,
  from: number,
): Promise<ChannelModels> {
  const rows = await read(
    sql(
      `SELECT model_name AS model, count(*) FILTER (WHERE type = 2)::integer AS requests,
         count(*) FILTER (WHERE type = 5)::integer AS errors,
         coalesce(sum(CASE type WHEN 2 THEN quota WHEN 6 THEN -quota END), 0)::bigint AS quota,
         coalesce(sum(prompt_tokens::bigint + completion_tokens) FILTER (WHERE type = 2), 0)::bigint AS tokens,
         sum(count(*)) OVER ()::integer AS rows
       FROM (
         SELECT model_name, type, quota, prompt_tokens, completion_tokens FROM usage_log
         WHERE channel_id = ? AND created_at >= ? ORDER BY created_at DESC LIMIT ${rowsMax}
       ) newest GROUP BY model_name ORDER BY count(*) DESC, model_name LIMIT ${modelsMax}`,
      channelId,
      new Date(from * 1000),
    ),
  )
  return {
    rows: rows[0]?.rows ?? 0,
    models: rows.map(({ rows: _, ...use }) => use),
  }
}
