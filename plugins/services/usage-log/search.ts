/**
 * Searches by keyword. Only the newest rows are answered, so among the names that match only those most lately used
 * need to be looked at: whatever matches, the work is the same.
 */
import { containing } from '../../../kernel/toolkit/service/index.js'
import { and, type Condition, joined, or, sql } from './condition.js'
import { unrolled } from './drivers.js'
import { type LogRow, logRecord, rowsWithPrices, triedChannels } from './log-record.js'
import type { Read } from './snapshot.js'
import type { LogRecord, LogSearch } from './usage-log.js'

const rowsMax = 100
/** A row can be found by each of its names, by its id and among the rows not summed yet. */
const waysMax = 5
/** Models of one user that are looked at. */
const ownModelsMax = 1_000

export async function searchLog(
  read: Read,
  { keyword, userId }: LogSearch,
): Promise<readonly LogRecord[]> {
  const named = looksLikeId.test(keyword) ? await foundBy(read, [idWay(keyword, userId)]) : []
  const rows = named.length > 0 ? named : await foundBy(read, await waysOf(read, keyword, userId))
  const channels = userId === undefined ? await triedChannels(read, rows) : undefined
  return rows.map((row) => logRecord(row, channels))
}

/** Of a request of this gateway. Names are looked through only where nothing has it. */
const looksLikeId = /^req_[0-9A-HJKMNP-TV-Z]{26}$/

function idWay(keyword: string, userId: number | undefined): Condition {
  const way = sql('request_id = ?', keyword)
  return userId === undefined ? way : and(sql('user_id = ?', userId), way)
}

function waysOf(read: Read, keyword: string, userId: number | undefined) {
  const like = containing(keyword)
  return userId === undefined
    ? waysOfAll(read, keyword, like)
    : waysOfOne(read, keyword, like, userId)
}

async function foundBy(read: Read, ways: readonly Condition[]): Promise<readonly LogRow[]> {
  const entries = joined(ways.map(newest), ' UNION ALL ')
  return read(
    rowsWithPrices({
      sql: `
        SELECT l.* FROM (
          SELECT DISTINCT created_at, request_id FROM (
            SELECT created_at, request_id FROM (${entries.sql}) way
            ORDER BY created_at DESC LIMIT ${rowsMax * waysMax}
          ) e ORDER BY created_at DESC, request_id DESC LIMIT ${rowsMax}
        ) found JOIN usage_log l USING (request_id, created_at)`,
      values: entries.values,
    }),
  )
}

async function waysOfAll(read: Read, keyword: string, like: string): Promise<readonly Condition[]> {
  const names = await read(
    sql(
      `SELECT * FROM (SELECT 'model' AS kind, name, id FROM usage_keys
         WHERE kind = 'model' AND name ILIKE ? ORDER BY last_at DESC LIMIT ${rowsMax}) model
       UNION ALL SELECT * FROM (SELECT 'token', name, id FROM usage_keys
         WHERE kind = 'token' AND name ILIKE ? ORDER BY last_at DESC LIMIT ${rowsMax}) token
       UNION ALL SELECT * FROM (SELECT 'user', username, u.id FROM users u
         JOIN usage_keys k ON k.kind = 'user' AND k.name = '' AND k.id = u.id
         WHERE username ILIKE ? ORDER BY last_at DESC LIMIT ${rowsMax}) person`,
      like,
      like,
      like,
    ),
  )
  const fresh = or(
    sql('model_name ILIKE ?', like),
    sql('token_name ILIKE ?', like),
    sql('user_id IN (SELECT id FROM users WHERE username ILIKE ?)', like),
  )
  return [
    idWay(keyword, undefined),
    and(sql(unrolled), fresh),
    ...names.map(({ kind, name, id }) => wayOf(kind, name, id)),
  ]
}

function wayOf(kind: string, name: string, id: number): Condition {
  if (kind === 'model') return sql('model_name = ?', name)
  const user = sql('user_id = ?', id)
  return kind === 'user' ? user : and(user, sql('token_name = ?', name))
}

/** All along the index of their user. */
async function waysOfOne(
  read: Read,
  keyword: string,
  like: string,
  userId: number,
): Promise<readonly Condition[]> {
  const found = await read(
    sql(
      `SELECT DISTINCT model_name AS name FROM usage_hours WHERE user_id = ? AND model_name ILIKE ?
       LIMIT ${ownModelsMax}`,
      userId,
      like,
    ),
  )
  const models: string[] = found.map(({ name }) => name)
  const own = sql('user_id = ?', userId)
  const fresh = or(sql('model_name ILIKE ?', like), sql('token_name ILIKE ?', like))
  return [
    idWay(keyword, userId),
    and(own, sql(unrolled), fresh),
    and(own, sql('token_name ILIKE ?', like)),
    and(own, sql('model_name = ANY (?::text[])', models)),
  ]
}

function newest(where: Condition): Condition {
  return {
    sql: `(SELECT created_at, request_id FROM usage_log WHERE ${where.sql}
      ORDER BY created_at DESC LIMIT ${rowsMax})`,
    values: where.values,
  }
}
