/**
 * The numbers this service gives its errors: as `base_resp.status_code` inside a 200, or in brackets at the end of a
 * sentence. Each stands for a status, which shows whose fault it is.
 */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ErrorFields } from '../../kernel/toolkit/errors/index.js'

/** What the numbers amount to; any other means nothing more than the status that came with it. */
const statuses: Readonly<Record<number, number>> = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1013: 500,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2045: 429,
  2049: 401,
  2056: 429,
  2061: 403,
  2062: 529,
  2063: 529,
  2064: 529,
  20132: 400,
}

/** Faults of the account, whatever status they came with. */
const accountTrouble: ReadonlySet<number> = new Set([401, 402, 403, 429])

export interface MinimaxError extends ErrorFields {
  readonly status?: number
}

/** The error in `base_resp` or a numbered sentence; undefined for a body without one. */
export function errorOf(body: JsonObject): MinimaxError | undefined {
  const { base_resp: base, error } = body
  if (isObject(base) && typeof base.status_code === 'number' && base.status_code !== 0) {
    return codedError(base.status_code, base.status_msg)
  }
  if (!isObject(error) || typeof error.message !== 'string') return undefined
  const number = /\((\d{4,5})\)\s*$/.exec(error.message)?.[1]
  return number === undefined
    ? undefined
    : { ...codedError(Number(number), error.message), type: typeOf(error) }
}

function codedError(number: number, message: unknown): MinimaxError {
  const status = statuses[number]
  const blame =
    status === undefined ? undefined : accountTrouble.has(status) ? 'channel' : blameOf(status)
  return {
    code: String(number),
    ...(typeof message === 'string' && { message }),
    ...(status !== undefined && { status }),
    ...(blame !== undefined && { blame }),
  }
}

function blameOf(status: number): 'client' | 'upstream' {
  return status < 500 ? 'client' : 'upstream'
}

function typeOf({ type }: JsonObject): string | undefined {
  return typeof type === 'string' ? type : undefined
}
