/** One request as the log has it: by its primary key, so that it costs the same whatever there is. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { sql } from './condition.js'
import { adminFacts, type LogRow, logRecord, rowsWithPrices } from './log-record.js'
import type { Read } from './snapshot.js'
import type { RequestTrace, TriedChannel } from './usage-log.js'

/** A task has one for each movement of its charge. */
const rowsMax = 20

export async function readTrace(
  read: Read,
  requestId: string,
  userId: number | undefined,
): Promise<RequestTrace | undefined> {
  const ofOne = userId === undefined ? '' : 'AND user_id = ?'
  const values = userId === undefined ? [requestId] : [requestId, userId]
  const found = sql(
    `SELECT * FROM usage_log WHERE request_id = ? ${ofOne} ORDER BY created_at LIMIT ${rowsMax}`,
    ...values,
  )
  const rows: readonly LogRow[] = [...(await read(rowsWithPrices(found)))].reverse()
  const main = rows.find(({ type }) => type === 2 || type === 5) ?? rows[0]
  if (main === undefined) return undefined
  const facts = userId === undefined ? await adminFacts(read, rows) : undefined
  const { detail } = main
  return {
    row: logRecord(main, facts),
    others: rows.filter((row) => row !== main).map((row) => logRecord(row, facts)),
    times: numbersIn(detail.times),
    durationMs: main.use_time_ms,
    tried: [],
    ...(facts && {
      channelId: main.channel_id ?? undefined,
      keyId: typeof detail.key_id === 'number' ? detail.key_id : undefined,
      tried: triedIn(detail, facts.channels),
      upstreamRequestId: textIn(detail.upstream_request_id),
    }),
  }
}

function triedIn(
  { attempts }: JsonObject,
  channels: ReadonlyMap<number, string>,
): readonly TriedChannel[] {
  if (!Array.isArray(attempts)) return []
  return (attempts as readonly JsonObject[]).map((attempt) => {
    const channel = Number(attempt.channel)
    return {
      channel,
      channelName: channels.get(channel) ?? '',
      keyId: typeof attempt.key === 'number' ? attempt.key : undefined,
      group: textIn(attempt.group) ?? '',
      status: Number(attempt.status),
      code: textIn(attempt.code) ?? '',
      said: textIn(attempt.said) ?? '',
      upstreamRequestId: textIn(attempt.upstream_id),
    }
  })
}

function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
