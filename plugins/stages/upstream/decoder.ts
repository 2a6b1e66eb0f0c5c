/**
 * The reader of what this upstream answers, as this client is to read it: tools go by the names it gave them, and members
 * beyond the documented form of its format are left out unless the channel allows them (FMT-7).
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Format, Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Reserved } from '../../../kernel/contract/line/record.js'
import { withClientNames } from '../../../kernel/toolkit/stage/index.js'
import { unsealing } from './unsealing.js'

export function decoderOf(state: Reserved): Transform<Buffer, Event> {
  const { adapter, channel } = state
  const decoder = adapter.read?.(channel) ?? state.upstreamFormat!.decodeStream(state.limits)
  const reported = clientWords(state)
  if (reported === undefined) return decoder
  return {
    push: (bytes) => reported(decoder.push(bytes)),
    flush: () => reported(decoder.flush()),
  }
}

/** A whole answer in a known format. */
export function eventsOf(state: Reserved, format: Format, body: JsonObject): readonly Event[] {
  const events = format.decodeReply(body)
  return clientWords(state)?.(events) ?? events
}

type Change = (events: Event[]) => Event[]

/** Undefined: nothing changes. */
function clientWords({ toolNames, channel, format }: Reserved): Change | undefined {
  const allSeals = format.sealed === 'all' || channel.settings.allow_extra_members === true
  if (allSeals && toolNames === undefined) return undefined
  const named: Change = (events) =>
    toolNames === undefined ? events : events.map((one) => withClientNames(one, toolNames))
  if (allSeals) return named
  const unsealed = unsealing(format)
  return (events) => unsealed(named(events))
}
