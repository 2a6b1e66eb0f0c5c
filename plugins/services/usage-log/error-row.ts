/** A request that failed, as its row of the usage log: who requested what, the error sent to the client, and the channels tried. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { FailedRequest } from '../../../kernel/contract/services/traffic.js'
import { persistentText } from '../../../kernel/toolkit/service/index.js'
import { attemptChain, upstreamRequestId } from '../../../kernel/toolkit/stage/index.js'

/** Columns by name; the names of channels are looked up as the row is written. */
export interface ErrorRow {
  readonly request_id: string
  readonly user_id: number
  readonly username: string
  readonly token_id: number | null
  readonly token_name: string
  readonly channel_id: number | null
  readonly model_name: string
  readonly upstream_model: string
  readonly group_name: string
  readonly use_time_ms: number
  readonly is_stream: boolean
  readonly ip: string
  readonly detail: JsonObject
}

/** As many characters as the log's indexes take. */
const nameCharsMax = 256
/** Of the column; a clock that was set must not lose the rows beside this one. */
const msMax = 2_147_483_647

export function errorRow(failed: FailedRequest, now: number): ErrorRow {
  const { state, attempts } = failed
  const { user, token } = state
  return {
    request_id: state.requestId,
    user_id: user.id,
    username: user.username,
    token_id: token?.id ?? null,
    token_name: token?.name ?? '',
    channel_id: attempts.at(-1)?.channelId ?? null,
    model_name: name(requestedModel(failed)),
    upstream_model: name(state.upstreamModel ?? ''),
    group_name: groupOf(failed),
    use_time_ms: Math.min(Math.max(0, Math.round(now - state.receivedAt)), msMax),
    is_stream: state.stream ?? (state.hints?.stream || requestBody(failed).stream === true),
    ip: state.client.address,
    detail: detailOf(failed),
  }
}

/** The members are the family's (management/README.md section 8); the rest is spelled as in rows of charges. */
function detailOf({ state, clientError, attempts }: FailedRequest): JsonObject {
  const detail: { [fact: string]: Json } = {
    content: persistentText(clientError.message),
    request_path: persistentText(state.path),
    error_type: clientError.type,
    error_code: clientError.code,
    status_code: clientError.status,
  }
  if (attempts.length > 0) detail.attempts = attemptChain(attempts)
  if (state.times !== undefined) detail.times = state.times
  if (state.firstMs !== undefined) detail.frt = state.firstMs
  const upstreamId = state.reply && upstreamRequestId(state.reply)
  if (upstreamId !== undefined) detail.upstream_request_id = upstreamId
  return detail
}

/** What was refused before it was planned is read from what the client sent. */
function requestedModel(failed: FailedRequest): string {
  const { model, hints } = failed.state
  const named = model ?? hints?.model ?? requestBody(failed).model
  return typeof named === 'string' ? named : ''
}

function requestBody({ state: { body } }: FailedRequest): JsonObject {
  if (body.kind === 'none') return {}
  return body.kind === 'json' ? body.value : body.fields
}

/** The last one tried; before any was, the one it would have begun with. */
function groupOf({ state, attempts }: FailedRequest): string {
  const { route, token, user } = state
  return attempts.at(-1)?.group ?? route?.groups[0] ?? (token?.group || user.group)
}

function name(text: string): string {
  return persistentText(text.slice(0, nameCharsMax))
}
