/**
 * The usage log: pages, searches and sums of what the ledger wrote, bounded in rows and in time, whatever the query; and
 * rows of requests that failed, which it writes itself.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { containing } from '../../../kernel/toolkit/service/index.js'
import { readErrors } from './analytics/errors.js'
import { readKeySpending } from './analytics/key-spending.js'
import { readMarginRanking } from './analytics/margin-ranking.js'
import { readCostDays, readDayMargins, readMargins } from './analytics/margins.js'
import { readModelSpeeds } from './analytics/model-speeds.js'
import { readOverview } from './analytics/overview.js'
import { readRanking } from './analytics/ranking.js'
import { readChannelModels } from './channel-models.js'
import { readChart } from './charts.js'
import { sql } from './condition.js'
import { unrolled } from './drivers.js'
import { createErrorLog } from './error-log.js'
import { readKeyUsage } from './key-usage.js'
import { type LogRow, logRecord, rowsWithPrices } from './log-record.js'
import { readPage } from './page.js'
import { createRoll } from './roll.js'
import { searchLog } from './search.js'
import { modelsLike } from './search-names.js'
import { type Read, snapshot } from './snapshot.js'
import { readTotals } from './totals.js'
import { readTrace } from './trace.js'
import { trimLog } from './trim.js'
import type { LogRecord, OwnedKey, UsageLog } from './usage-log.js'

export type * from './usage-log.js'

const tokenRowsMax = 1_000

export default function create({
  services,
  settings,
  clock,
  log,
}: Kit<'database' | 'schedule' | 'options' | 'traffic'>): UsageLog & Life {
  const { knex } = services.database
  const errors = createErrorLog({ ...services, clock, log })
  const roll = createRoll({ ...services, clock })

  async function trim(before: number): Promise<number> {
    await roll.now()
    return trimLog(knex, before)
  }

  return {
    page: (query) => snapshot(knex, (read) => readPage(read, query)),
    search: (query) => snapshot(knex, (read) => searchLog(read, query)),
    ofToken: (token) => snapshot(knex, (read) => rowsOfToken(read, token)),
    modelsLike: (word) => snapshot(knex, (read) => modelsLike(read, containing(word), 20)),
    trace: (requestId, userId) => snapshot(knex, (read) => readTrace(read, requestId, userId)),
    ofKey: (id) => readKeyUsage(services.database, id),
    keySpending: (token, from) => snapshot(knex, (read) => readKeySpending(read, token, from)),
    totals: (filter) => snapshot(knex, (read) => readTotals(read, filter)),
    chart: (query) => snapshot(knex, (read) => readChart(read, query)),
    overview: (span, scope) => snapshot(knex, (read) => readOverview(read, span, scope)),
    ranking: (query) => snapshot(knex, (read) => readRanking(read, query)),
    errorCounts: (span, scope) => snapshot(knex, (read) => readErrors(read, span, scope)),
    margins: (span, scope) => snapshot(knex, (read) => readMargins(read, span, scope)),
    marginRanking: (query) => snapshot(knex, (read) => readMarginRanking(read, query)),
    costDays: (span, channelId, limit) =>
      snapshot(knex, (read) => readCostDays(read, span, channelId, limit)),
    dayMargins: (day) => snapshot(knex, (read) => readDayMargins(read, day)),
    modelsOfChannel: (id, from) => snapshot(knex, (read) => readChannelModels(read, id, from)),
    modelSpeeds: (models) =>
      snapshot(knex, (read) =>
        readModelSpeeds(read, models, {
          now: clock.now() / 1000,
          failuresKept: settings.boolean('errors'),
        }),
      ),
    channelUsage: (ids) => snapshot(knex, (read) => usageOfChannels(read, ids)),
    trim,
    roll: roll.now,
    flush: errors.flush,
    start() {
      roll.start()
      services.traffic.onFailed((failed) => {
        if (settings.boolean('errors')) errors.note(failed)
      })
    },
    async stop() {
      roll.stop()
      await errors.stop()
    },
  }
}

async function rowsOfToken(read: Read, { id, userId }: OwnedKey): Promise<readonly LogRecord[]> {
  const newest = sql(
    `SELECT * FROM usage_log WHERE user_id = ? AND token_id = ?
     ORDER BY created_at DESC, request_id DESC LIMIT ${tokenRowsMax}`,
    userId,
    id,
  )
  const rows: readonly LogRow[] = await read(rowsWithPrices(newest))
  return rows.map((row) => logRecord(row))
}

async function usageOfChannels(
  read: Read,
  ids: readonly number[] | undefined,
): Promise<ReadonlyMap<number, bigint>> {
  const among = (column: string) => (ids === undefined ? '' : `AND ${column} = ANY (?::integer[])`)
  const rows = await read(
    sql(
      `SELECT id, sum(quota)::bigint AS quota FROM (
         SELECT id, quota FROM usage_keys
         WHERE kind = 'channel' AND name = '' AND id <> 0 ${among('id')}
         UNION ALL SELECT channel_id, CASE type WHEN 2 THEN quota ELSE -quota END FROM usage_log
         WHERE ${unrolled} AND type IN (2, 6) AND channel_id IS NOT NULL ${among('channel_id')}
       ) part GROUP BY id`,
      ...(ids === undefined ? [] : [[...ids], [...ids]]),
    ),
  )
  return new Map(rows.map((row) => [row.id, row.quota]))
}
