/** Rows a chart may have: more take longer to send than anybody waits for a chart. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { sql } from './condition.js'
import type { Read } from './snapshot.js'
import type { Parts } from './spans.js'
import { within } from './sums.js'
import type { ChartQuery } from './usage-log.js'

export const rowsMax = 20_000

/** Tables whose rows are those of the chart, by what it shows and its step. */
const tables: ReadonlyMap<string, string> = new Map([
  ['model hour', 'usage_model_hours'],
  ['model day', 'usage_model_days'],
  ['user day', 'usage_user_days'],
])

/** Where the rows of the chart of everybody stand in a table as they are, too many are refused before they are added up. */
export async function refuseTooMany(
  read: Read,
  { by, step }: ChartQuery,
  parts: Parts,
): Promise<void> {
  const table = tables.get(`${by} ${step}`)
  if (table === undefined) return
  for (const span of step === 'hour' ? parts.hours : parts.days) {
    const { sql: where, values } = within(step, span)
    const counted = `SELECT count(*)::integer AS rows FROM (
      SELECT FROM ${table} WHERE ${where} LIMIT ${rowsMax + 1}) some_rows`
    const [{ rows }] = await read(sql(counted, ...values))
    if (rows > rowsMax) throw tooMany()
  }
}

export function tooMany(): Refusal {
  const reason =
    `This would be more than ${rowsMax} rows; ` +
    'narrow the span of time, ask by day, or name how many are to be shown in `top`.'
  return new Refusal('invalid_field', { reason, param: 'start_timestamp' })
}
