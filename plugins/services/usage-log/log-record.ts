/** A row of the usage log as the family's log record. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { exact } from '../../../kernel/toolkit/management/index.js'
import { type Condition, sql } from './condition.js'
import type { Read } from './snapshot.js'
import type { LogRecord } from './usage-log.js'

export interface LogRow {
  readonly id: bigint
  readonly request_id: string
  readonly created_at: Date
  /** The same, exact. */
  readonly at_micros: bigint
  readonly type: number
  readonly user_id: number
  readonly username: string
  readonly token_id: number | null
  readonly token_name: string
  readonly channel_id: number | null
  readonly channel_name: string
  readonly model_name: string
  readonly group_name: string
  readonly quota: bigint
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly use_time_ms: number
  readonly is_stream: boolean
  readonly ip: string
  readonly detail: JsonObject
  readonly pricing_snapshot: JsonObject | null
  /** Set aside for the request in all. Null, as the next three: it has no billing row any more. */
  readonly reserved: bigint | null
  readonly shortfall: bigint | null
  readonly outcome: string | null
  readonly reasoning: Json
  /** Billionths of a USD. Null: it is not known. */
  readonly upstream_cost: bigint | null
}

interface AttemptCost extends JsonObject {
  readonly channel: number
  readonly model: string
  /** Decimal text. */
  readonly cost: string | null
}

/** The rows of a query, newest first, each with the price inputs and amounts its billing row keeps. */
export function rowsWithPrices({ sql, values }: Condition): Condition {
  return {
    sql: `
      SELECT log.*, (extract(epoch FROM log.created_at) * 1000000)::bigint AS at_micros, billing.pricing_snapshot, billing.reserved, billing.shortfall, billing.outcome,
        billing.usage -> 'reasoning' AS reasoning FROM (${sql}) log
      LEFT JOIN billing_requests billing ON billing.request_id = log.request_id
      ORDER BY log.created_at DESC, log.request_id DESC`,
    values,
  }
}

/** Names of channels by id, as they are called now. */
type ChannelNames = ReadonlyMap<number, string>

/** What owners learn nothing of. */
export interface AdminFacts {
  readonly channels: ChannelNames
  /** What calls of a request cost that were not charged, by its id. */
  readonly costs: ReadonlyMap<string, readonly AttemptCost[]>
}

export async function adminFacts(read: Read, rows: readonly LogRow[]): Promise<AdminFacts> {
  const costs = await attemptCosts(read, rows)
  const left = [...rows.flatMap(triedBy), ...[...costs.values()].flat()]
  const ids = new Set(left.map(({ channel }) => channel))
  if (ids.size === 0) return { channels: new Map(), costs }
  // The log keeps no more of channels that were tried and left than the id.
  const found = await read(
    sql('SELECT id, name FROM channels WHERE id = ANY (?::integer[])', [...ids]),
  )
  return { channels: new Map(found.map(({ id, name }) => [id, name])), costs }
}

async function attemptCosts(read: Read, rows: readonly LogRow[]): Promise<AdminFacts['costs']> {
  const ids = [...new Set(rows.map(({ request_id }) => request_id))]
  const found = await read(
    sql(
      `SELECT request_id, json_agg(json_build_object(
         'channel', channel_id, 'model', upstream_model, 'cost', cost::text) ORDER BY part) AS costs
       FROM upstream_costs WHERE request_id = ANY (?::text[]) GROUP BY request_id`,
      ids,
    ),
  )
  return new Map(found.map(({ request_id, costs }) => [request_id, costs]))
}

interface Attempt extends JsonObject {
  readonly channel: number
}

function triedBy({ detail: { attempts } }: LogRow): readonly Attempt[] {
  return Array.isArray(attempts) ? (attempts as readonly Attempt[]) : []
}

/** @param facts for admins; absent: owners learn nothing of channels, nor of what they cost */
export function logRecord(row: LogRow, facts?: AdminFacts): LogRecord {
  const admin = facts !== undefined
  return {
    id: exact(row.id),
    user_id: row.user_id,
    created_at: Math.floor(row.created_at.getTime() / 1000),
    type: row.type,
    content: typeof row.detail.content === 'string' ? row.detail.content : '',
    username: row.username,
    token_id: row.token_id ?? 0,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: exact(row.quota),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: Math.ceil(row.use_time_ms / 1000),
    is_stream: row.is_stream,
    channel: admin ? (row.channel_id ?? 0) : 0,
    channel_name: admin ? row.channel_name : '',
    group: row.group_name,
    ip: row.ip,
    request_id: row.request_id,
    other: JSON.stringify(other(row, facts)),
  }
}

const error = 5

/** The content has a field of its own; a movement's idempotency key is nobody's to read. */
function other(row: LogRow, admin?: AdminFacts): JsonObject {
  const { content, key, attempts, upstream_model_name, channel_type, ...rest } = row.detail
  const {
    local_count_tokens,
    multi_key_index,
    channel_affinity,
    override_audit,
    upstream_request_id,
    key_id,
    times,
    ...facts
  } = rest
  const shown = { ...row.pricing_snapshot, ...billed(row), ...facts, use_time_ms: row.use_time_ms }
  if (admin === undefined) return shown
  const { channels } = admin
  const costs = admin.costs.get(row.request_id)
  const tried = triedBy(row).map(({ channel }) => channel)
  // The channel of an error is the last that failed; that of a charge answered, after those that failed.
  const isTried = row.channel_id === null || row.type === error
  return {
    ...shown,
    ...(row.type === error && row.channel_id !== null && channelOf(row)),
    upstream_model_name,
    admin_info: {
      use_channel: isTried ? tried : [...tried, row.channel_id],
      attempts: attempts && triedBy(row).map((attempt) => named(attempt, channels)),
      local_count_tokens,
      is_multi_key: multi_key_index !== undefined,
      multi_key_index,
      channel_affinity,
      override_audit,
      upstream_request_id,
      ...(row.upstream_cost !== null && { upstream_cost: exact(row.upstream_cost) }),
      ...(costs && { attempt_costs: costs.map((one) => named(one, channels)) }),
    },
  }
}

/** As the family writes it for errors. */
function channelOf({ channel_id, channel_name, detail }: LogRow): JsonObject {
  return { channel_id, channel_name, channel_type: detail.channel_type }
}

/** One that was deleted since has no name any more. */
function named(attempt: Attempt | AttemptCost, channels: ChannelNames): JsonObject {
  const name = channels.get(attempt.channel)
  return name === undefined ? attempt : { ...attempt, channel_name: name }
}

/** What was set aside, how far the charge went below zero, how it ended; each where there is any of it. */
function billed({ reserved, shortfall, outcome, reasoning }: LogRow): JsonObject {
  return {
    ...(reserved && { reserved_quota: exact(reserved) }),
    ...(shortfall && { shortfall_quota: exact(shortfall) }),
    ...(outcome && { outcome }),
    ...(typeof reasoning === 'number' && reasoning > 0 && { reasoning_tokens: reasoning }),
  }
}
