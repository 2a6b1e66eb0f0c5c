/**
 * Writes rows of failed requests, behind the requests and in batches. It may lose some and counts them: no request
 * waits for it, memory and disk are bounded, and a database that fails is called again by the next batch only.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import { CallerShares } from './caller-shares.js'
import { type ErrorRow, errorRow } from './error-row.js'

export interface ErrorLog {
  note(failed: FailedRequest): void
  /** Writes what has been noted so far. Never rejects. */
  flush(): Promise<void>
  /** The same, with the last rows of callers who had too many. */
  stop(): Promise<void>
}

interface Noted {
  readonly row: ErrorRow
  /** Of the monotonic clock. */
  readonly at: number
}

/** Rows that wait to be written. */
const waitingMax = 1_000
const flushMs = 1_000
const minuteMs = 60_000

export function createErrorLog(options: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): ErrorLog {
  const { database, clock, log } = options
  const shares = new CallerShares()
  let waiting: Noted[] = []
  let dropped = 0
  let cancelFlush: (() => void) | undefined
  let cancelMinute: (() => void) | undefined
  let written = Promise.resolve()

  function note(failed: FailedRequest): void {
    cancelMinute ??= clock.after(minuteMs, endMinute)
    const row = errorRow(failed, clock.now())
    if (shares.admit(failed, row)) add(row)
  }

  function add(row: ErrorRow): void {
    if (waiting.length === waitingMax) {
      dropped += 1
      return
    }
    waiting.push({ row, at: clock.monotonic() })
    cancelFlush ??= clock.after(flushMs, () => void flush())
  }

  function endMinute(): void {
    cancelMinute = undefined
    for (const row of shares.end()) add(row)
  }

  function flush(): Promise<void> {
    cancelFlush?.()
    cancelFlush = undefined
    written = written.then(write)
    return written
  }

  async function write(): Promise<void> {
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    if (dropped > 0) log.warn({ dropped }, 'requests failed faster than the usage log can tell')
    dropped = 0
    const now = clock.monotonic()
    const rows = batch.map(({ row, at }) => ({ ...row, age_ms: Math.max(0, now - at) }))
    try {
      await database.knex.raw(insertText, [JSON.stringify(rows)])
    } catch (err) {
      log.error({ err, lost: rows.length }, 'failed requests are missing from the usage log')
    }
  }

  return {
    note,
    flush,
    stop() {
      cancelMinute?.()
      endMinute()
      return flush()
    },
  }
}

/** Times are the database's, as those of charges are: what sums rows goes by them. */
const insertText = `
INSERT INTO usage_log (request_id, created_at, type, user_id, username, token_id, token_name,
  channel_id, channel_name, model_name, upstream_model, group_name, use_time_ms, is_stream, ip, detail)
SELECT r.request_id, now() - r.age_ms * interval '1 millisecond', 5, r.user_id, r.username,
  r.token_id, r.token_name, r.channel_id, coalesce(c.name, ''), r.model_name, r.upstream_model,
  r.group_name, r.use_time_ms, r.is_stream, r.ip,
  r.detail || CASE WHEN c.id IS NULL THEN '{}' ELSE jsonb_build_object('channel_type', c.type) END
FROM jsonb_to_recordset(?::jsonb) AS r (request_id text, age_ms float8, user_id integer,
  username text, token_id integer, token_name text, channel_id integer, model_name text,
  upstream_model text, group_name text, use_time_ms integer, is_stream boolean, ip text,
  detail jsonb)
LEFT JOIN channels c ON c.id = r.channel_id
ON CONFLICT DO NOTHING`
