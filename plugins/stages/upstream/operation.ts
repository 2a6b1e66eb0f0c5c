/**
 * The answer to an operation besides chat: JSON is read for what it cost, anything else passes as it comes. A provider
 * whose upstream answers in words of its own puts them into the operation's form first.
 */

import type { Body } from '../../../kernel/contract/body.js'
import type { ReplyReading } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply, Reply } from '../../../kernel/contract/line/reply.js'
import type { Answered, Inlining, Operation } from '../../../kernel/contract/operation.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll, roomFor } from '../../../kernel/toolkit/body/index.js'
import { noRoom } from '../../../kernel/toolkit/errors/index.js'
import { readReplyAhead } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { type Fetcher, fetchEach } from './addressed-media.js'
import { parsed } from './body.js'
import { brokenReply, FailureError, garbledReply, reporting } from './failure-error.js'
import { openWatched } from './stream.js'

export interface OperationDependencies extends Fetcher {
  readonly work: Operation
  /** Content type of the answer, lower case. */
  readonly type: string
}

export async function openOperation(
  state: Reserved,
  reply: EgressReply,
  { work, type, ...fetcher }: OperationDependencies,
): Promise<Reply> {
  if (state.adapter.answer !== undefined) {
    const answer = await ownAnswer(state, reply)
    return 'json' in answer
      ? replyOf(state, reply, { value: answer.json }, fetcher)
      : mediaReply(state, reply, await withBytes(answer, state, fetcher))
  }
  if (isJson(type)) {
    const bytes = await readAll(reply.body, limits.replyBytesMax, state.room)
    return replyOf(state, reply, { value: await parsed(bytes, state.room), bytes }, fetcher)
  }
  const watch = work.watch(type, state.wire)
  return {
    ...(await openWatched(reply, { clock: fetcher.clock, room: state.room }, watch)),
    binary: watch.binary,
  }
}

/** One answer among several of a request that was sent in parts. */
export async function answerOf(state: Reserved, reply: EgressReply): Promise<JsonObject> {
  const value = await jsonOf(state, reply)
  const failure = failureOf(state, value, state.work!.readReply(value, requestedOf(state)))
  if (failure !== undefined) throw new FailureError(failure)
  return value
}

async function jsonOf(state: Reserved, reply: EgressReply): Promise<JsonObject> {
  if (state.adapter.answer === undefined) {
    return parsed(await readAll(reply.body, limits.replyBytesMax, state.room), state.room)
  }
  const answer = await ownAnswer(state, reply)
  if ('json' in answer) return answer.json
  throw garbledReply('a part of its answer is not the JSON object that was expected.')
}

async function ownAnswer(
  { adapter, body, upstreamModel, room }: Reserved,
  { status, headers, body: source }: EgressReply,
): Promise<Answered> {
  const bytes = await readAll(source, limits.replyBytesMax, room)
  if (!(await readReplyAhead(bytes, room))) throw brokenReply('upstream_too_large')
  const answer = adapter.answer!({ status, headers, body: bytes }, body, upstreamModel)
  if ('failure' in answer) throw new FailureError(answer.failure)
  return answer
}

/** Bytes of a media type, or where they are. */
type Media = Exclude<Answered, { readonly json: JsonObject }>

export async function withBytes(
  media: Media,
  state: Reserved,
  fetcher: Fetcher,
): Promise<MediaBytes> {
  if ('bytes' in media) return media
  const [file] = await fetchEach([media.url], state, fetcher)
  const { bytes, type } = file!
  return { bytes, type: media.type ?? type, usage: media.usage }
}

type MediaBytes = Extract<Answered, { readonly bytes: Buffer }>

function mediaReply(
  { estimate }: Reserved,
  reply: EgressReply,
  { bytes, type, usage }: MediaBytes,
): JsonReply {
  const headers = { ...reply.headers, 'content-type': type }
  return { kind: 'json', status: 200, headers, bytes, usage: usage ?? estimate, estimatedTokens: 0 }
}

interface WholeJson {
  readonly value: JsonObject
  /** The very text of it. Absent: it was made here. */
  readonly bytes?: Buffer
}

/** What the client gets of a whole JSON answer, and what it came to. */
export async function replyOf(
  state: Reserved,
  reply: EgressReply,
  { value, bytes }: WholeJson,
  fetcher: Fetcher,
): Promise<JsonReply> {
  const reading = state.work!.readReply(value, requestedOf(state))
  const { usage, raw, estimatedTokens } = reading
  const failure = failureOf(state, value, reading)
  if (failure !== undefined) throw new FailureError(failure, usage)
  const given = await asRequested(state, value, fetcher).catch((error) => {
    throw reporting(error, usage)
  })
  const isAsItCame = bytes !== undefined && given === value
  return {
    kind: 'json',
    status: state.adapter.answer === undefined ? reply.status : 200,
    headers: bytes === undefined ? jsonHeaders(reply) : reply.headers,
    bytes: isAsItCame ? bytes : Buffer.from(JSON.stringify(given)),
    ...{ usage, raw, estimatedTokens },
  }
}

/** The same object where nothing has to change. */
export async function asRequested(
  { work, body, dialect, channel, room }: Reserved,
  value: JsonObject,
  fetcher: Fetcher,
): Promise<JsonObject> {
  const fitted = work?.fitted?.(value, body) ?? value
  const inlining = work?.inlines?.(fitted, body)
  const filled =
    inlining === undefined ? fitted : await inlined(inlining, { channel, room }, fetcher)
  return dialect === undefined ? filled : dialect.answer(filled)
}

/** Bytes that are written as base64 are there as text, as the JSON it stands in, and as what is sent. */
const copies = 4

async function inlined(
  { urls, filled }: Inlining,
  state: Pick<Reserved, 'channel' | 'room'>,
  fetcher: Fetcher,
): Promise<JsonObject> {
  const files = (await fetchEach(urls, state, fetcher)).map(({ bytes }) => bytes)
  const bytes = files.reduce((all, one) => all + one.length, 0)
  if (!roomFor(state.room)(bytes * copies)) throw noRoom()
  return filled(files)
}

/** What the answer is measured by: the words of the operation, whoever's form went out. */
export function requestedOf({ adapter, wire, body }: Reserved): Body {
  return adapter.shape === undefined ? wire : body
}

function failureOf({ adapter }: Reserved, value: JsonObject, { failure }: ReplyReading) {
  return adapter.failureIn?.(value) ?? failure
}

function jsonHeaders({ headers }: EgressReply): Record<string, string> {
  return { ...headers, 'content-type': 'application/json' }
}

function isJson(type: string): boolean {
  return type.startsWith('application/json') || type === ''
}
