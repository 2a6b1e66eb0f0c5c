/** The reader of what this upstream answers, with the names of tools as the client wrote them. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Reserved } from '../../../kernel/contract/exchange.js'
import type { Format, Transform } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { namingClient, withClientNames } from '../../../kernel/wire/tool-names.js'

export function decoderOf({
  adapter,
  upstreamFormat,
  toolNames,
  limits,
}: Reserved): Transform<Buffer, Event> {
  const decoder = adapter.read?.() ?? upstreamFormat!.decodeStream(limits)
  return toolNames === undefined ? decoder : namingClient(decoder, toolNames)
}

/** A whole answer in a known format. */
export function eventsOf(
  { toolNames }: Reserved,
  format: Format,
  body: JsonObject,
): readonly Event[] {
  const events = format.decodeReply(body)
  return toolNames === undefined ? events : events.map((one) => withClientNames(one, toolNames))
}
