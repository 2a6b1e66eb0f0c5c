/**
 * A reply that is an event stream: read until the first content event, so that an error in its place can still move
 * to another channel (M14, S6), then handed over to deliver with nothing lost.
 */
import type { ByteRoom } from '../../../kernel/contract/bytes.js'
import type { Event, Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { StreamWatch, Transform } from '../../../kernel/contract/format.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import type { EventsReply, Reply } from '../../../kernel/contract/line/reply.js'
import type { EgressReply } from '../../../kernel/contract/services/egress.js'
import { readAll, roomFor } from '../../../kernel/toolkit/body/index.js'
import { noRoom } from '../../../kernel/toolkit/errors/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { tally } from '../../../kernel/toolkit/stage/index.js'
import { BufferedSource } from './buffered-source.js'
import { decoderOf } from './decoder.js'
import { brokenReply, FailureError, reporting, timeout } from './failure-error.js'
import { foldedReply, streamHeaders } from './fold.js'
import { unframed } from './unframe.js'

/** The limit of its first content is the stage's, which counts from the beginning of the call. */
export async function openStream(state: Reserved, reply: EgressReply): Promise<Reply> {
  const events = unframed(state, reply)
  if (!state.stream) return foldStream(state, events)
  const opening = await opened(events, openingOf(state), { room: state.room })
  return { ...opening, headers: streamHeaders(state, reply) }
}

/** What passes as it comes, under a watch that is not the client's format. */
export function openWatched(
  reply: EgressReply,
  { clock, room }: { readonly clock: Clock; readonly room: ByteRoom | undefined },
  watch: StreamWatch,
): Promise<EventsReply> {
  return opened(reply, watching(watch), { clock, room })
}

async function opened(
  reply: EgressReply,
  opening: Opening,
  { clock, room }: { readonly clock?: Clock; readonly room: ByteRoom | undefined },
): Promise<EventsReply> {
  const source = new BufferedSource(reply.body)
  const cancelLimit = clock?.after(limits.firstEventMs, () =>
    source.interrupt(timeout('first event').failure),
  )
  try {
    await untilStarted(source, opening, roomFor(room))
  } catch (error) {
    reply.body.abort()
    throw error
  } finally {
    cancelLimit?.()
  }
  return {
    kind: 'events',
    status: reply.status,
    headers: reply.headers,
    source,
    mode: opening.mode(),
  }
}

/** Reads the beginning of a stream in one of the two ways a stream passes. */
interface Opening {
  push(chunk: Buffer): void
  flush(): void
  /** First content or a proper end was seen. */
  started(): boolean
  failure(): Failure | undefined
  usage(): Usage | undefined
  mode(): EventsReply['mode']
}

function openingOf(state: Reserved): Opening {
  return state.verbatim && state.upstreamFormat !== undefined
    ? watching(state.upstreamFormat.watch(state))
    : decoding(decoderOf(state))
}

function watching(watch: StreamWatch): Opening {
  const head: Buffer[] = []
  const keep = (bytes: Buffer) => {
    if (bytes.length > 0) head.push(bytes)
  }
  return {
    push: (chunk) => keep(watch.push(chunk)),
    flush: () => keep(watch.flush()),
    started: () => watch.started || watch.ended,
    failure: () => watch.failure,
    usage: () => watch.usage,
    mode: () => ({ kind: 'verbatim', watch, head }),
  }
}

function decoding(decoder: Transform<Buffer, Event>): Opening {
  const head: Event[] = []
  // Not spread: one chunk may hold more events than a call takes arguments.
  const keep = (events: readonly Event[]) => {
    for (const event of events) head.push(event)
  }
  return {
    push: (chunk) => keep(decoder.push(chunk)),
    flush: () => keep(decoder.flush()),
    started: () => head.some(({ type }) => type === 'delta' || type === 'open' || type === 'end'),
    failure: () => head.find((event) => event.type === 'failure')?.failure,
    usage: () => tally(head).usage,
    mode: () => ({ kind: 'converted', decoder, head }),
  }
}

function untilStarted(
  source: BufferedSource,
  opening: Opening,
  roomy: (bytes: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = 0
    const look = (): boolean => {
      // Content that came in the same piece as an error was content first: deliver sends both in order.
      if (opening.started()) resolve()
      else if (opening.failure() === undefined) return false
      else reject(new FailureError(opening.failure()!, opening.usage()))
      return true
    }
    source.open({
      data(chunk) {
        bytes += chunk.length
        opening.push(chunk)
        if (look()) return false
        if (bytes > limits.preambleBytesMax) reject(brokenReply('upstream_too_large'))
        else if (roomy(bytes)) return true
        else reject(noRoom())
        return false
      },
      end() {
        opening.flush()
        if (!look()) reject(reporting(brokenReply('upstream_broke_off'), opening.usage()))
      },
      fail: (failure) => reject(new FailureError(failure, opening.usage())),
    })
  })
}

/** The client requested one body and the upstream streams all the same: fold it. */
async function foldStream(state: Reserved, reply: EgressReply): Promise<Reply> {
  const bytes = await readAll(reply.body, limits.replyBytesMax, state.room)
  const decoder = decoderOf(state)
  return foldedReply(state, reply, [...decoder.push(bytes), ...decoder.flush()])
}
