/**
 * Errors as events of this protocol. What an upstream writes itself is made safe before it goes on: the operator's
 * account and keys are not the client's business (ERR-1, ERR-2).
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError, toClientError } from '../../../kernel/toolkit/errors/index.js'

/** `eventId` is the upstream's or the gateway's; `about` the client's event that is at fault. */
export function errorEvent(error: ClientError, eventId: string, about?: Json): JsonObject {
  return { type: 'error', event_id: eventId, error: { ...words(error), ...cause(about) } }
}

/** The failure behind an upstream's error object. */
export function failureOf(error: Json | undefined): Failure {
  const reported = isObject(error) ? error : {}
  const type = text(reported.type)
  const code = text(reported.code)
  const fields = { type, code, message: text(reported.message), param: text(reported.param) }
  return failureOfError(fields, statusOf(type, code))
}

/** The same error object in words that may be passed on. */
export function safeError(error: Json | undefined): JsonObject {
  const reported = isObject(error) ? error : {}
  const failure = failureOf(error)
  const client = toClientError(failure)
  const code = failure.blame === 'client' ? (word(reported.code) ?? client.code) : client.code
  return { ...words({ ...client, code }), ...cause(reported.event_id) }
}

function words({ message, type, param, code }: Omit<ClientError, 'status'>): JsonObject {
  return { message, type, param, code }
}

function cause(eventId: Json | undefined): JsonObject {
  return typeof eventId === 'string' ? { event_id: eventId } : {}
}

/** The HTTP status such an error would have had: these come as frames of a socket that is open already. */
function statusOf(type = '', code = ''): number {
  if (/api_key|auth|account|permission|organization/.test(`${type} ${code}`)) return 401
  if (/quota|billing|rate_limit/.test(`${type} ${code}`)) return 429
  if (code === 'model_not_found') return 404
  return type === 'invalid_request_error' ? 400 : 500
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A short plain word, else nothing: it reaches the client as it is. */
function word(value: Json | undefined): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/i.test(value) ? value : undefined
}
