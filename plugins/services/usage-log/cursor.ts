/** A place in the log, as pages name where they end: the exact time of a row and its request. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { and, type Condition, sql } from './condition.js'
import type { LogRow } from './log-record.js'

export function cursorOf({ at_micros, request_id }: LogRow): string {
  return `${at_micros}.${request_id}`
}

/** The rows after it, older ones. */
export function beforeCursor(cursor: string): Condition {
  const [, micros, requestId] = /^(\d{1,17})\.(.+)$/s.exec(cursor) ?? []
  if (micros === undefined || requestId === undefined) {
    throw new Refusal('invalid_field', { reason: 'This is no `next` of a page.', param: 'before' })
  }
  const at = timeOf(BigInt(micros))
  return and(
    sql('created_at <= ?::timestamptz', at),
    sql('(created_at, request_id) < (?::timestamptz, ?)', at, requestId),
  )
}

/** A `Date` has no microseconds. */
function timeOf(micros: bigint): string {
  const text = new Date(Number(micros / 1000n)).toISOString()
  return text.replace('Z', `${String(micros % 1000n).padStart(3, '0')}Z`)
}
