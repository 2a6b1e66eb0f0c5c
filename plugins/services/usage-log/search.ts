/**
 * Searches by keyword. Only the newest rows are returned, so among the names that match only those most lately used
 * need to be looked at; and names are looked for among those used last and those that begin with the keyword, so that the work is
 * the same however many there are.
 */
import { containing, literal } from '../../../kernel/toolkit/service/index.js'
import { and, type Condition, joined, or, sql } from './condition.js'
import { unrolled } from './drivers.js'
import { adminFacts, type LogRow, logRecord, rowsWithPrices } from './log-record.js'
import { matchingNames, type Names, newestOfNames } from './search-names.js'
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
  const facts = userId === undefined ? await adminFacts(read, rows) : undefined
  return rows.map((row) => logRecord(row, facts))
}

/** Of a request of this gateway. Names are looked through only where nothing has it. */
const looksLikeId = /^req_[0-9A-HJKMNP-TV-Z]{26}$/

function idWay(keyword: string, userId: number | undefined): Condition {
  const way = sql('request_id = ?', keyword)
  return newest(userId === undefined ? way : and(sql('user_id = ?', userId), way))
}

function waysOf(read: Read, keyword: string, userId: number | undefined) {
  return userId === undefined
    ? waysOfAll(read, keyword)
    : waysOfOne(read, keyword, containing(keyword), userId)
}

async function foundBy(read: Read, ways: readonly Condition[]): Promise<readonly LogRow[]> {
  const entries = joined(ways, ' UNION ALL ')
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

async function waysOfAll(read: Read, keyword: string): Promise<readonly Condition[]> {
  const like = containing(keyword)
  const names: Names = await matchingNames(read, like, `${literal(keyword)}%`)
  const fresh = or(
    sql('model_name ILIKE ?', like),
    sql('token_name ILIKE ?', like),
    sql('(SELECT username FROM users WHERE id = user_id) ILIKE ?', like),
  )
  return [
    idWay(keyword, undefined),
    newest(and(sql(unrolled), fresh)),
    ...(await newestOfNames(read, names, rowsMax)),
  ]
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
      `SELECT model_name AS name FROM usage_user_model_days WHERE user_id = ? AND model_name ILIKE ?
       UNION SELECT model_name FROM usage_hours
       WHERE user_id = ? AND model_name ILIKE ? AND hour < (SELECT days_from FROM usage_mark)
       LIMIT ${ownModelsMax}`,
      ...[userId, like, userId, like],
    ),
  )
  const models: string[] = found.map(({ name }) => name)
  const own = sql('user_id = ?', userId)
  const fresh = or(sql('model_name ILIKE ?', like), sql('token_name ILIKE ?', like))
  const ways = [
    and(own, sql(unrolled), fresh),
    and(own, sql('token_name ILIKE ?', like)),
    and(own, sql('model_name = ANY (?::text[])', models)),
  ]
  return [idWay(keyword, userId), ...ways.map(newest)]
}

function newest(where: Condition): Condition {
  return {
    sql: `(SELECT created_at, request_id FROM usage_log WHERE ${where.sql}
      ORDER BY created_at DESC LIMIT ${rowsMax})`,
    values: where.values,
  }
}
