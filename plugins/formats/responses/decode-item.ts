/**
 * One item of an answer as canonical parts: the content of its own events, and at its end whatever they left out, so that a
 * stream, a stream without pieces and a whole body give the same.
 */
import type { At, Event, OpenPart } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { itemBegins, itemEnds, itemNote } from './item-notes.js'
import { headOf, partOf, type Streamed, streamedOf, tailOf } from './items.js'
import { toolSeal } from './seal.js'

export interface ItemDecoder {
  /** Decodes the beginning of the item. */
  begin(): Event[]
  /** Undefined: the event is not known, or holds nothing for a part. */
  take(wire: JsonObject): Event[] | undefined
  /** `item` is the finished one, or as far as it is known. */
  finish(item: JsonObject): Event[]
}

export function placeOf(part: number): At {
  return { choice: 0, part }
}

/** Calls of any kind, and whatever else an answer may hold beside messages and reasoning. */
export class CallDecoder implements ItemDecoder {
  private readonly opened: OpenPart
  private readonly streamed: Streamed | undefined
  private readonly at: At
  private given = false

  constructor(
    private readonly item: JsonObject,
    private readonly part: number,
  ) {
    this.opened = partOf(item)
    this.streamed = streamedOf(item)
    this.at = placeOf(part)
  }

  begin(): Event[] {
    return [
      itemNote(itemBegins, this.part, headOf(this.item)),
      { type: 'open', at: this.at, part: this.opened },
    ]
  }

  take(wire: JsonObject): Event[] | undefined {
    const { streamed } = this
    if (streamed === undefined) return undefined
    if (wire.type === `${streamed.event}.delta`) return this.text(wire.delta)
    return wire.type === `${streamed.event}.done` ? this.complete(wire[streamed.field]) : undefined
  }

  finish(item: JsonObject): Event[] {
    const { at, part, streamed } = this
    const events = streamed === undefined ? [] : this.complete(item[streamed.field])
    if (this.opened.kind !== 'toolCall') {
      events.push({ type: 'close', at, whole: item })
      return events
    }
    const seal = toolSeal(item.extra_content)
    if (seal !== undefined) events.push({ type: 'delta', at, seal: seal.value, sealBy: seal.by })
    events.push(itemNote(itemEnds, part, tailOf(item)), { type: 'close', at })
    return events
  }

  private complete(text: Json | undefined): Event[] {
    return this.given ? [] : this.text(text)
  }

  private text(text: Json | undefined): Event[] {
    if (typeof text !== 'string' || text === '') return []
    this.given = true
    const { at } = this
    return [this.streamed?.json ? { type: 'delta', at, json: text } : { type: 'delta', at, text }]
  }
}
