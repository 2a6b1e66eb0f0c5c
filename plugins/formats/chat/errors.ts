/** Errors in the chat format: how they are written for clients, and how an upstream's error in place of an answer is recognised. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import {
  failureOfError,
  garbled,
  nestedError,
  statusIn,
} from '../../../kernel/toolkit/errors/index.js'
import { breakingIn, sseData } from '../../../kernel/toolkit/format/index.js'

export function encodeError(error: ClientError) {
  return { status: error.status, body: errorBody(error) }
}

/** No terminator follows: a broken stream is not a finished one (S5). */
export function encodeStreamError(error: ClientError, at?: { readonly begun: boolean }): Buffer {
  return breakingIn(sseData(errorBody(error)), at?.begun === true)
}

function errorBody({ message, type, param, code }: ClientError): JsonObject {
  return { error: { message, type, param, code } }
}

/** The failure a 200 body or a chunk is in truth (M14); undefined for a proper one. */
export function failureIn(body: JsonObject): Failure | undefined {
  if (!isError(body)) return undefined
  const fields = nestedError(body) ?? {}
  return failureOfError(fields, statusIn(body, fields))
}

/** What is wrong with a whole reply: an error in disguise, or nothing this format knows (M14). */
export function failureOfReply(body: JsonObject): Failure | undefined {
  return failureIn(body) ?? (Array.isArray(body.choices) ? undefined : garbled())
}

function isError(body: JsonObject): boolean {
  const { error } = body
  if (isObject(error) || (typeof error === 'string' && error !== '')) return true
  if (body.choices !== undefined) return false
  return body.object === 'error' || typeof body.message === 'string' || typeof body.msg === 'string'
}
