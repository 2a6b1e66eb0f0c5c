/** Replies made of whole event lists: a stream folded to one body, or one body as a stream. */

import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Event } from '../../../kernel/contract/event.js'
import { isObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { EventsReply, JsonReply } from '../../../kernel/contract/line/reply.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { dated, plainJson, tally } from '../../../kernel/toolkit/stage/index.js'
import { brokenReply, FailureError, reporting } from './failure-error.js'

/** One body in the client's format, out of events that must have reached their end. */
export function foldedReply(
  state: Reserved,
  reply: EgressReply,
  events: readonly Event[],
): JsonReply {
  const { usage, raw, estimatedTokens, failure, ended } = tally(events)
  if (failure !== undefined) throw new FailureError(failure, usage)
  if (!ended) throw reporting(brokenReply('upstream_broke_off'), usage)
  const body = state.format.encodeReply(dated(readable(state, events), state), state)
  return {
    kind: 'json',
    status: reply.status,
    headers: { ...reply.headers, 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(body)),
    answer: isObject(body) ? body : undefined,
    usage,
    raw,
    estimatedTokens,
  }
}

/** What passes between two sides of one format is read as it came. */
function readable(state: Reserved, events: readonly Event[]): readonly Event[] {
  return (state.verbatim ? undefined : plainJson(state.call())?.(events)) ?? events
}

/** The whole answer as the head of a stream whose source has nothing more to give. */
export function streamedReply(
  state: Reserved,
  reply: EgressReply,
  events: readonly Event[],
): EventsReply {
  return {
    kind: 'events',
    status: reply.status,
    headers: streamHeaders(state, reply),
    source: spent,
    mode: { kind: 'converted', decoder: { push: () => [], flush: () => [] }, head: events },
  }
}

/** What comes from the upstream is always server-sent events; what the client reads is its format's business. */
export function streamHeaders({ format, hints }: Reserved, { headers }: EgressReply) {
  return { ...headers, 'content-type': format.streamType?.(hints) ?? 'text/event-stream' }
}

const spent: ByteSource = {
  consume: (consumer) => consumer.end(),
  resume: () => {},
  abort: () => {},
}
