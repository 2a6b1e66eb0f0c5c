/**
 * How this service refuses: Google's `{error: {code, status, message, details}}`, in a list where a stream was requested;
 * Claude's errors have the same place. What is about the operator's key, project or region is a 400 all the same.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { type ErrorFields, upstreamFailure } from '../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  const error = errorIn(head)
  if (error === undefined) return upstreamFailure({ status, headers, head })
  const body = Buffer.from(JSON.stringify({ error }))
  const failure = upstreamFailure({ status, headers, head: body }, () => fieldsOf(error))
  const retryAfterMs = failure.retryAfterMs ?? retryDelay(error)
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs }
}

/** Reasons of a 400 that is about the operator's key or project. */
const channelReasons: ReadonlySet<Json | undefined> = new Set([
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'API_KEY_SERVICE_BLOCKED',
  'BILLING_DISABLED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'SERVICE_DISABLED',
])

/** Words of a 400 that another project or region may well answer (seen 2025-2026). */
const aboutChannel =
  /not allowed to use publisher model|is not servable in region|not supported in (?:the |this )?(?:region|location)|has not been used in project|billing (?:account|is)/i

function fieldsOf(error: JsonObject): ErrorFields {
  const message = text(error.message)
  const isChannel =
    channelReasons.has(detail(error, 'ErrorInfo')?.reason) ||
    error.status === 'FAILED_PRECONDITION' ||
    aboutChannel.test(message ?? '')
  return {
    message: message?.replace(resourceNames, 'projects/***'),
    type: text(error.status) ?? text(error.type),
    param: violated(error),
    ...(isChannel && { blame: 'channel' }),
  }
}

/** They hold the operator's project. */
const resourceNames = /\bprojects\/[^\s/`'"]+(?:\/locations\/[^\s/`'"]+)?/g

/** The field a bad request names first. */
function violated(error: JsonObject): string | undefined {
  const violations = detail(error, 'BadRequest')?.fieldViolations
  const [first] = Array.isArray(violations) ? violations : []
  return isObject(first) ? text(first.field) : undefined
}

const longestParkMs = 24 * 3_600_000

/** As in `"retryDelay": "37.5s"`. */
function retryDelay(error: JsonObject): number | undefined {
  const reported = text(detail(error, 'RetryInfo')?.retryDelay)
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(reported ?? '')?.[1]
  if (seconds === undefined) return undefined
  return Math.min(Math.ceil(Number(seconds) * 1000), longestParkMs)
}

function detail({ details }: JsonObject, type: string): JsonObject | undefined {
  if (!Array.isArray(details)) return undefined
  return details
    .filter(isObject)
    .find((one) => text(one['@type'])?.endsWith(`google.rpc.${type}`) === true)
}

function errorIn(head: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(head.toString('utf8'))
    const body: unknown = Array.isArray(value) ? value[0] : value
    return isObject(body) && isObject(body.error) ? body.error : undefined
  } catch {
    return undefined
  }
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
