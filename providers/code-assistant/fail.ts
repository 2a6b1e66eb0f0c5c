/**
 * How this service refuses: `{detail: "…"}` from the front, `{error: {type, message, resets_at}}` from behind it. A plan
 * that is used up holds when it begins anew.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  let resetMs: number | undefined
  const failure = upstreamFailure({ status, headers, head }, (body) => {
    resetMs = resetIn(body, headers)
    return pick(body)
  })
  return resetMs === undefined ? failure : { ...failure, retryAfterMs: resetMs }
}

/** A model or feature the account's plan does not have: another channel's may (words seen 2025-2026). */
const aboutAccount =
  /not supported when using codex with a chatgpt account|model .{1,80} (?:is not|isn.t) available|usage_not_included|deactivated_workspace/i

const unsupportedField = /^Unsupported parameter: ([a-z_.]{1,64})$/

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = isObject(body.error) ? nestedError(body) : detailOf(body)
  const words = [fields?.message, fields?.type, fields?.code].join(' ')
  const param = fields?.param ?? unsupportedField.exec(fields?.message ?? '')?.[1]
  return { ...fields, param, ...(aboutAccount.test(words) && { blame: 'channel' }) }
}

function detailOf({ detail, ...rest }: JsonObject): ErrorFields | undefined {
  if (typeof detail === 'string') return { message: detail }
  return nestedError(isObject(detail) ? detail : rest)
}

/** The longest window of a plan is a week. */
const longestParkMs = 7 * 24 * 3_600_000

/** In seconds from now, or as a moment to be measured against the service's own clock. */
function resetIn(
  { error }: JsonObject,
  { date }: Readonly<Record<string, string>>,
): number | undefined {
  if (!isObject(error) || error.type !== 'usage_limit_reached') return undefined
  const seconds = countOf(error.resets_in_seconds)
  const moment = countOf(error.resets_at)
  const reported = Date.parse(date ?? '')
  const ms = seconds === undefined ? (moment ?? Number.NaN) * 1000 - reported : seconds * 1000
  return ms >= 0 ? Math.min(Math.ceil(ms), longestParkMs) : undefined
}

function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
