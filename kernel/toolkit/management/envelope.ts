/** The family's envelope `{success, message, data}` around what a management handler returns. */

import { isObject } from '../../contract/json.js'
import type { Answer, AuditNote } from '../../contract/management.js'
import { attachment } from './attachment.js'

export interface EnvelopeReply {
  readonly status: number
  /** JSON text, or the bytes of a file. */
  readonly body: string | Buffer
  readonly headers: ReplyHeaders
  readonly audit?: AuditNote
}

/** A list is a header that is sent several times. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

export function enveloped(result: unknown): EnvelopeReply {
  if (!isAnswer(result)) return reply(200, success(result), {})
  const { status = 200, headers = {}, data, message, beside, text, bytes, audit } = result
  if (bytes !== undefined) {
    const { body, type, fileName } = bytes
    const file = { 'content-type': type, 'content-disposition': attachment(fileName) }
    return { status, body, headers: { ...headers, ...file }, audit }
  }
  if (text !== undefined) return { status, body: text, headers, audit }
  const body = 'bare' in result ? result.bare : { ...success(data, message), ...beside }
  return reply(status, body, headers, audit)
}

/** JSON text of anything a handler returns: big integers become numbers while they are exact, else strings. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? exact(inner) : inner))
}

function success(data: unknown, message = '') {
  return { success: true, message, data: data ?? null }
}

function reply(
  status: number,
  body: unknown,
  headers: ReplyHeaders,
  audit?: AuditNote,
): EnvelopeReply {
  return { status, body: toJson(body ?? null), headers, audit }
}

function isAnswer(value: unknown): value is Answer {
  return isObject(value) && value.answer === true
}

/** A whole number as answers hold it: its digits where a number would not be exact (decision 34). */
export type Whole = number | string

export function exact(value: bigint): Whole {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}
