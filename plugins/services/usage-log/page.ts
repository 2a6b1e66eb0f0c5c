/**
 * Pages of the log. One query walks the index entries of what matches, as far as is counted, and finds the times
 * between which the page lies; a second one reads its rows.
 */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { and, joined, sql } from './condition.js'
import { beforeCursor, cursorOf } from './cursor.js'
import { type Drivers, driversOf } from './drivers.js'
import { adminFacts, type LogRow, logRecord, rowsWithPrices } from './log-record.js'
import type { Read } from './snapshot.js'
import type { LogPage, LogQuery } from './usage-log.js'

const countMax = 10_000
/** Rows that pages by number reach: what is skipped is read all the same. */
const reach = 100_000

/** Where a page lies. Times as text, since a `Date` has no microseconds. */
interface Place {
  readonly total: number
  readonly newest: string | null
  readonly oldest: string | null
  /** Rows at the newest time that belong to the page before. */
  readonly skip: number
}

export async function readPage(runQuery: Read, query: LogQuery): Promise<LogPage> {
  const { page, pageSize, before } = query
  const offset = (page - 1) * pageSize
  if (offset + pageSize > reach) throw new Refusal('invalid_field', tooFar)
  const found = await driversOf(runQuery, query)
  const drivers =
    before === undefined ? found : { ...found, rest: and(found.rest, beforeCursor(before)) }
  if (drivers.branches.length === 0) return { items: [], total: 0, next: '' }
  const place = await find(runQuery, drivers, { offset, size: pageSize })
  const { total, newest, oldest } = place
  if (newest === null || oldest === null) return { items: [], total, next: '' }
  const rows = await read(runQuery, drivers, { ...place, newest, oldest }, pageSize)
  const facts = query.userId === undefined ? await adminFacts(runQuery, rows) : undefined
  const next = rows.length < pageSize ? '' : cursorOf(rows.at(-1)!)
  return { total, items: rows.map((row) => logRecord(row, facts)), next }
}

const tooFar = {
  reason:
    `Pages reach the newest ${reach} rows. Narrow the span of time, or go on from row to row: ` +
    '`before` takes what a page has in `next`.',
  param: 'p',
}

/** Each branch is ordered by its index, so that only as many entries are read as are counted. */
async function find(
  runQuery: Read,
  { branches, rest }: Drivers,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<Place> {
  const span = Math.max(countMax, offset + size)
  const newest = `ORDER BY created_at DESC LIMIT ${span}`
  const scans = branches.map((branch) => {
    const where = and(branch, rest)
    return { ...where, sql: `(SELECT created_at FROM usage_log WHERE ${where.sql} ${newest})` }
  })
  const { sql: union, values } = joined(scans, ' UNION ALL ')
  const [found] = await runQuery({
    sql: `
      WITH entry AS MATERIALIZED (
        SELECT created_at FROM (${union}) branch ${newest}
      ),
      bounds AS (
        SELECT max(created_at) AS newest, min(created_at) AS oldest
        FROM (SELECT created_at FROM entry ORDER BY created_at DESC OFFSET ? LIMIT ?) page
      )
      SELECT (SELECT least(count(*), ${countMax}) FROM entry)::integer AS total,
        newest::text, oldest::text,
        (? - (SELECT count(*) FROM entry WHERE created_at > newest))::integer AS skip
      FROM bounds`,
    values: [...values, offset, size, offset],
  })
  return found
}

/** So few rows lie between the times that their order is made afterwards. */
async function read(
  runQuery: Read,
  { either, rest }: Drivers,
  { newest, oldest, skip }: Place & { readonly newest: string; readonly oldest: string },
  size: number,
): Promise<readonly LogRow[]> {
  const between = sql('created_at BETWEEN ?::timestamptz AND ?::timestamptz', oldest, newest)
  const where = and(either, rest, between)
  const page = `
    SELECT * FROM usage_log WHERE ${where.sql}
    ORDER BY created_at DESC, request_id DESC OFFSET ${skip} LIMIT ${size}`
  return runQuery(rowsWithPrices({ sql: page, values: where.values }))
}
