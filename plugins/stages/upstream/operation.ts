/**
 * The answer to an operation besides chat: JSON is read for what it cost, anything else passes as it comes. A provider
 * whose upstream answers in words of its own puts them into the operation's form first.
 */

import type { Clock } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply, Reply } from '../../../kernel/contract/line/reply.js'
import type { Answered, Operation } from '../../../kernel/contract/operation.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { readReplyAhead } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { parsed } from './body.js'
import { brokenReply, FailureError } from './failure-error.js'
import { openWatched } from './stream.js'

export interface OperationDependencies {
  readonly work: Operation
  /** Content type of the answer, lower case. */
  readonly type: string
}

export async function openOperation(
  state: Reserved,
  reply: EgressReply,
  clock: Clock,
  { work, type }: OperationDependencies,
): Promise<Reply> {
  if (state.adapter.answer !== undefined) return answered(state, reply, work)
  if (isJson(type)) {
    const bytes = await readAll(reply.body, limits.replyBytesMax, state.room)
    return jsonReply(state, reply, work, bytes)
  }
  const watch = work.watch(type, state.wire)
  return { ...(await openWatched(reply, { clock, room: state.room }, watch)), binary: watch.binary }
}

async function answered(state: Reserved, reply: EgressReply, work: Operation): Promise<JsonReply> {
  const { adapter, body, upstreamModel } = state
  const bytes = await readAll(reply.body, limits.replyBytesMax, state.room)
  if (!(await readReplyAhead(bytes, state.room))) throw brokenReply('upstream_too_large')
  const whole = { status: reply.status, headers: reply.headers, body: bytes }
  const answer = adapter.answer!(whole, body, upstreamModel)
  if ('failure' in answer) throw new FailureError(answer.failure)
  return 'json' in answer
    ? jsonReply(state, reply, work, Buffer.from(JSON.stringify(answer.json)))
    : bytesReply(state, reply, answer)
}

function bytesReply(
  state: Reserved,
  reply: EgressReply,
  { bytes, type, usage }: Extract<Answered, { readonly bytes: Buffer }>,
): JsonReply {
  const headers = { ...reply.headers, 'content-type': type }
  const { estimate } = state
  return { kind: 'json', status: 200, headers, bytes, usage: usage ?? estimate, estimatedTokens: 0 }
}

async function jsonReply(
  { wire, body, adapter, dialect, room }: Reserved,
  reply: EgressReply,
  work: Operation,
  bytes: Buffer,
): Promise<JsonReply> {
  const requested = adapter.shape === undefined ? wire : body
  const value = await parsed(bytes, room)
  const { usage, raw, estimatedTokens, failure: read } = work.readReply(value, requested)
  const failure = adapter.failureIn?.(value) ?? read
  if (failure !== undefined) throw new FailureError(failure)
  const headers = adapter.answer === undefined ? reply.headers : jsonHeaders(reply)
  const status = adapter.answer === undefined ? reply.status : 200
  const fitted = work.fitted?.(value, body) ?? value
  const given = dialect === undefined ? fitted : dialect.answer(fitted)
  const reported = given === value ? bytes : Buffer.from(JSON.stringify(given))
  return { kind: 'json', status, headers, bytes: reported, usage, raw, estimatedTokens }
}

function jsonHeaders({ headers }: EgressReply): Record<string, string> {
  return { ...headers, 'content-type': 'application/json' }
}

function isJson(type: string): boolean {
  return type.startsWith('application/json') || type === ''
}
