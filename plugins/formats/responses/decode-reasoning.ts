/** A reasoning item as one part: its summaries and its own text in a row, and its seal, which comes with its end. */
import type { At, Event } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { type ItemDecoder, placeOf } from './decode-item.js'
import { objectsOf, textOf } from './fields.js'
import { itemBegins, itemEnds, itemNote, type Piece, pieceNote, separator } from './item-notes.js'
import { headOf, tailOf } from './items.js'
import { readSeal } from './seal.js'

export class ReasoningDecoder implements ItemDecoder {
  private readonly at: At
  /** Pieces with content, and the current one. */
  private readonly given = new Set<string>()
  private current = ''

  constructor(
    private readonly item: JsonObject,
    private readonly part: number,
  ) {
    this.at = placeOf(part)
  }

  begin(): Event[] {
    return [
      itemNote(itemBegins, this.part, headOf(this.item)),
      { type: 'open', at: this.at, part: { kind: 'reasoning' } },
    ]
  }

  take(wire: JsonObject): Event[] | undefined {
    const { summary_index = 0, content_index = 0 } = wire
    switch (wire.type) {
      case 'response.reasoning_summary_text.delta':
        return this.text('summary', summary_index, wire.delta)
      case 'response.reasoning_text.delta':
        return this.text('content', content_index, wire.delta)
      case 'response.reasoning_summary_text.done':
        return this.complete('summary', summary_index, wire.text)
      case 'response.reasoning_text.done':
        return this.complete('content', content_index, wire.text)
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
      case 'response.content_part.added':
      case 'response.content_part.done':
        return []
      default:
        return undefined
    }
  }

  finish(item: JsonObject): Event[] {
    const { at, part } = this
    const { summary, content, encrypted_content: encrypted, id } = item
    const events = [
      ...objectsOf(summary).flatMap(({ text }, index) => this.complete('summary', index, text)),
      ...objectsOf(content).flatMap(({ text }, index) => this.complete('content', index, text)),
    ]
    if (typeof encrypted === 'string' && encrypted !== '') {
      const { by, value } = readSeal(encrypted, textOf(id))
      events.push({ type: 'delta', at, seal: value, sealBy: by })
    }
    events.push(itemNote(itemEnds, part, tailOf(item)), { type: 'close', at })
    return events
  }

  private complete(piece: Piece, index: Json, text: Json | undefined): Event[] {
    return this.given.has(`${piece} ${index}`) ? [] : this.text(piece, index, text)
  }

  private text(piece: Piece, index: Json, text: Json | undefined): Event[] {
    if (typeof text !== 'string' || text === '') return []
    const { at } = this
    const key = `${piece} ${index}`
    if (key === this.current) return [{ type: 'delta', at, text }]
    const events = [pieceNote(piece, this.part)]
    if (this.current !== '') events.push({ type: 'delta', at, text: separator })
    this.current = key
    this.given.add(key)
    events.push({ type: 'delta', at, text })
    return events
  }
}
