/**
 * Makes a failure of an upstream's refusal: blame by the original status, a sentence that is safe to
 * show, the time until it may be called again (ERR-2, S18). The shape of the error body is the caller's to pick.
 */
import type { Failure } from '../../contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { parsedObject } from '../json/fields.js'
import { Refusal, type RefusalCode } from './refusal.js'
import { safeText } from './safe-text.js'

export interface UpstreamAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body; may be anything at all. */
  readonly head: Buffer
}

/** What an error body holds, before any of it is trusted. */
export interface ErrorFields {
  readonly message?: string
  readonly type?: string
  readonly code?: string
  /** The request field at fault. */
  readonly param?: string
  /** Where the body knows better than the status whose fault it is. */
  readonly blame?: Failure['blame']
}

export type ErrorPicker = (body: JsonObject) => ErrorFields | undefined

/** Never throws. The upstream's own words are used only where the client can act on them. */
export function upstreamFailure(answer: UpstreamAnswer, pick: ErrorPicker = nestedError): Failure {
  const { status, headers, head } = answer
  const body = parsedObject(head.toString('utf8'))
  const fields = (body && pick(body)) ?? {}
  const failure = failureOfError(fields, status)
  const retryAfterMs = retryAfter(headers)
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs }
}

/** The failure behind an error that came inside a 200 or a stream; `status` is the one it amounts to. */
export function failureOfError(fields: ErrorFields, status: number): Failure {
  const blame = fields.blame ?? blameOf(status)
  const reason = blame === 'client' ? clientReason(fields, status) : ownReason(status)
  const code: RefusalCode = blame === 'client' ? 'upstream_rejected' : 'upstream_error'
  const { message } = new Refusal(code, { reason })
  const type = blame === 'client' ? word(fields.type) : undefined
  const param = blame === 'client' && fields.param ? safeText(fields.param, 100) : undefined
  const wording = blame === 'client' ? '' : upstreamMessageOf(fields)
  return {
    blame,
    status,
    code,
    message,
    ...(type && { type }),
    ...(param && { param }),
    ...(wording && { upstreamMessage: wording }),
  }
}

/** For the operator: the message with the upstream's words for the kind of error, in one line. */
function upstreamMessageOf({ message = '', type = '', code = '' }: ErrorFields): string {
  const kinds = [...new Set([type, code])].filter((kind) => kind !== '').join(', ')
  const reported = looksLikePage(message) ? '' : message
  return safeText(kinds === '' ? reported : `${reported} (${kinds})`.trim())
}

/** One event is larger than this gateway takes (S4). */
export function tooLarge(): Failure {
  const { code, message } = new Refusal('upstream_too_large')
  return { blame: 'upstream', status: 502, code, message }
}

/** `{error: {message, type, code, param}}`, or `{error: "…"}`; else the same words at the top level. */
export function nestedError(body: JsonObject): ErrorFields | undefined {
  const error = body.error ?? body.errors ?? body
  if (typeof error === 'string') return { message: error }
  const reported = Array.isArray(error) ? error[0] : error
  if (!isObject(reported)) return undefined
  return {
    message: text(reported.message) ?? text(reported.msg) ?? text(reported.detail),
    type: text(reported.type),
    code: text(reported.code),
    param: text(reported.param),
  }
}

/** The upstream sent something that cannot be read at all. */
export function garbled(): Failure {
  return failureOfError({ blame: 'upstream' }, 200)
}

/** Inside a 200 only the body knows what went wrong: a status as code, else the words for it. */
export function statusIn(body: JsonObject, { type = '', code = '' }: ErrorFields): number {
  const error = isObject(body.error) ? body.error : body
  const reported = [error.status, error.code, body.code].map(numberOf)
  const status = reported.find((one) => Number.isInteger(one) && one >= 400 && one <= 599)
  if (status !== undefined) return status
  const words = `${type} ${code}`
  return wordedStatuses.find(([pattern]) => pattern.test(words))?.[1] ?? 502
}

/** An object may refuse to be a number. */
function numberOf(value: Json | undefined): number {
  return typeof value === 'object' ? Number.NaN : Number(value)
}

const wordedStatuses: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/quota|billing|balance|arrear/i, 402],
  [/rate.?limit|too.?many|throttl/i, 429],
  [/api.?key|authenticat|unauthor/i, 401],
  [/permission|forbidden|access.?denied/i, 403],
  [/model.?not.?found|no.?such.?model/i, 404],
  [/overload|unavailable/i, 503],
  [/timeout/i, 504],
  [
    /invalid|context.?length|content.?filter|polic(y|ies)|bad.?request|unsupported|too.?large/i,
    400,
  ],
]

/** Statuses that are about the channel's key, quota, address or pace; every other 4xx is the request's fault. */
const channelBlamed = new Set([401, 402, 403, 404, 407, 409, 410, 429])

function blameOf(status: number): Failure['blame'] {
  if (channelBlamed.has(status)) return 'channel'
  return status >= 400 && status < 500 ? 'client' : 'upstream'
}

function clientReason({ message }: ErrorFields, status: number): string {
  const reported = message === undefined || looksLikePage(message) ? '' : safeText(message)
  return reported === '' ? `it answered ${status} and gave no reason that can be read.` : reported
}

function ownReason(status: number): string {
  return ownReasons[status] ?? (status > 0 ? `it answered ${status}.` : 'it sent an error.')
}

const ownReasons: Readonly<Record<number, string>> = {
  200: 'it sent an error in place of an answer.',
  401: 'it does not take the credentials of this channel.',
  402: 'the account of this channel is not in funds.',
  403: 'it does not take the credentials of this channel.',
  404: 'it does not know this model or path.',
  410: 'it serves this model or path no more.',
  429: 'it takes no more requests for now.',
  503: 'it is overloaded or down.',
  529: 'it is overloaded or down.',
}

function looksLikePage(message: string): boolean {
  return /<\s*(?:!doctype|html|head|body|title)\b/i.test(message)
}

/** A short plain word, else nothing: the type reaches the client as it is. */
function word(value: string | undefined): string | undefined {
  return value !== undefined && /^[a-z][a-z0-9_.-]{0,63}$/i.test(value) ? value : undefined
}

function text(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const longestParkMs = 24 * 3_600_000

/** `retry-after-ms`, `retry-after` in seconds, or as a date measured against the upstream's own `date`. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers['retry-after-ms'] || Number.NaN)
  const reported = headers['retry-after'] || ''
  const seconds = Number(reported || Number.NaN)
  const dated = Date.parse(reported) - Date.parse(headers.date ?? '')
  const ms = [exact, seconds * 1000, dated].find((value) => Number.isFinite(value) && value >= 0)
  return ms === undefined ? undefined : Math.min(Math.ceil(ms), longestParkMs)
}
