/**
 * Pages of the log. One query walks the index entries of what matches, as far as is counted, and finds the times
 * between which the page lies; a second one reads its rows.
 */
import { and, joined, sql } from './condition.js'
import { type Drivers, driversOf } from './drivers.js'
import { type LogRow, logRecord, rowsWithPrices, triedChannels } from './log-record.js'
import type { Read } from './snapshot.js'
import type { LogPage, LogQuery } from './usage-log.js'

const countMax = 10_000

/** Where a page lies. Times as text, since a `Date` has no microseconds. */
interface Place {
  readonly total: number
  readonly newest: string | null
  readonly oldest: string | null
  /** Rows at the newest time that belong to the page before. */
  readonly skip: number
}

export async function readPage(runQuery: Read, query: LogQuery): Promise<LogPage> {
  const drivers = await driversOf(runQuery, query)
  if (drivers.branches.length === 0) return { items: [], total: 0 }
  const offset = (query.page - 1) * query.pageSize
  const place = await find(runQuery, drivers, { offset, size: query.pageSize })
  const { total, newest, oldest } = place
  if (newest === null || oldest === null) return { items: [], total }
  const rows = await read(runQuery, drivers, { ...place, newest, oldest }, query.pageSize)
  const channels = query.userId === undefined ? await triedChannels(runQuery, rows) : undefined
  return { total, items: rows.map((row) => logRecord(row, channels)) }
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
      WITH entry AS (
        SELECT created_at, row_number() OVER (ORDER BY created_at DESC) AS place,
          rank() OVER (ORDER BY created_at DESC) AS first
        FROM (SELECT created_at FROM (${union}) branch ${newest}) e
      )
      SELECT least(count(*), ${countMax})::integer AS total,
        (max(created_at) FILTER (WHERE place = ?))::text AS newest,
        (min(created_at) FILTER (WHERE place <= ?))::text AS oldest,
        (max(place - first) FILTER (WHERE place = ?))::integer AS skip
      FROM entry`,
    values: [...values, offset + 1, offset + size, offset + 1],
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
