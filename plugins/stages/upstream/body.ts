/**
 * A reply that is one JSON body. Same format: the upstream's bytes, read once for usage and for an error in disguise
 * (M14). Otherwise its events, encoded for the client, as a body or as the stream it requested.
 */
import type { ByteRoom } from '../../../kernel/contract/bytes.js'
import type { Event } from '../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { JsonReply, Reply } from '../../../kernel/contract/line/reply.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { readReplyAhead, readReplyJson } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { tally } from '../../../kernel/toolkit/stage/index.js'
import { decoderOf, eventsOf } from './decoder.js'
import { brokenReply, FailureError, garbledReply } from './failure-error.js'
import { foldedReply, streamedReply } from './fold.js'

export async function openBody(state: Reserved, reply: EgressReply): Promise<Reply> {
  const bytes = await readAll(reply.body, limits.replyBytesMax, state.room)
  const { upstreamFormat } = state
  if (upstreamFormat === undefined) {
    if (!(await readReplyAhead(bytes, state.room))) throw brokenReply('upstream_too_large')
    return shaped(state, reply, ownEvents(state, bytes))
  }
  const value = await parsed(bytes, state.room)
  const reading = upstreamFormat.readReply(value)
  const failure = state.adapter.failureIn?.(value) ?? reading.failure
  if (failure !== undefined) throw new FailureError(failure, reading.usage)
  if (!state.verbatim || state.stream) {
    return shaped(state, reply, eventsOf(state, upstreamFormat, value))
  }
  return {
    kind: 'json',
    status: reply.status,
    headers: reply.headers,
    bytes,
    usage: reading.usage,
    raw: reading.raw,
    estimatedTokens: reading.estimatedTokens,
  } satisfies JsonReply
}

/** A client that requested a stream gets one, even from an upstream that answered in one piece. */
function shaped(state: Reserved, reply: EgressReply, events: readonly Event[]): Reply {
  return state.stream ? streamedReply(state, reply, events) : foldedReply(state, reply, events)
}

function ownEvents(state: Reserved, bytes: Buffer): Event[] {
  const reader = decoderOf(state)
  const events = [...reader.push(bytes), ...reader.flush()]
  const failed = events.find((event) => event.type === 'failure')
  // Nothing went out yet, so an error in one piece may still move to another channel.
  if (failed !== undefined) throw new FailureError(failed.failure, tally(events).usage)
  return events
}

export async function parsed(bytes: Buffer, room?: ByteRoom): Promise<JsonObject> {
  const value = await readReplyJson(bytes, room)
  if (!isObject(value)) throw garbledReply('its answer is not the JSON object that was expected.')
  return value
}
