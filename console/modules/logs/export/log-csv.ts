/** Rows of the usage log as a table for spreadsheets. Names of columns are the API's, so that scripts can read them too. */
import type { Scope } from '../../../api/data.js'
import { factsOf, type LogRow } from '../../../api/logs.js'
import { dollarsOfQuota } from '../../../ui/bill/amount-text.js'
import type { Cell } from '../../../ui/csv.js'
import { groupedText, times, wholeNumber } from '../../../ui/decimal.js'

type Column = readonly [name: string, cell: (row: LogRow) => Cell]

const ofAll: readonly Column[] = [
  ['user_id', ({ user_id }) => user_id],
  ['username', ({ username }) => username],
  ['channel', ({ channel }) => channel],
  ['channel_name', ({ channel_name }) => channel_name],
  ['upstream_model', (row) => factsOf(row).upstream_model_name ?? ''],
  ['ip', ({ ip }) => ip],
  ['channels_tried', (row) => (factsOf(row).admin_info?.use_channel ?? []).join(' ')],
]

const columns: readonly Column[] = [
  ['time', ({ created_at }) => new Date(created_at * 1000).toISOString()],
  ['id', ({ id }) => id],
  ['request_id', ({ request_id }) => request_id],
  ['type', ({ type }) => type],
  ['model', ({ model_name }) => model_name],
  ['key', ({ token_name }) => token_name],
  ['group', ({ group }) => group],
  ['stream', ({ is_stream }) => Number(is_stream)],
  ['first_token_ms', (row) => factsOf(row).frt ?? ''],
  ['total_ms', (row) => factsOf(row).use_time_ms ?? row.use_time * 1000],
  ['prompt_tokens', ({ prompt_tokens }) => prompt_tokens],
  ['cached_tokens', (row) => factsOf(row).counts?.cacheRead ?? 0],
  ['completion_tokens', ({ completion_tokens }) => completion_tokens],
  ['quota', ({ quota }) => quota],
  ['usd', ({ quota }) => dollars(quota)],
  ['status_code', (row) => factsOf(row).status_code ?? ''],
  ['error_code', (row) => factsOf(row).error_code ?? ''],
  ['content', ({ content }) => content],
]

export function logCsvColumns(scope: Scope): readonly Column[] {
  return scope === 'all' ? [...columns, ...ofAll] : columns
}

function dollars(quota: number | string): string {
  return groupedText(times(wholeNumber(BigInt(quota)), dollarsOfQuota), 2).replaceAll(',', '')
}
