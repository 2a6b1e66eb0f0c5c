/** A message of an answer: each of its texts and refusals is a part, citations and log-probabilities stand with them. */
import type { At, Event } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { readAnnotation } from './citations.js'
import { type ItemDecoder, placeOf } from './decode-item.js'
import { objectOf, objectsOf } from './fields.js'
import { itemBegins, itemEnds, itemNote } from './item-notes.js'
import { headOf, tailOf } from './items.js'

interface Content {
  readonly at: At
  written: boolean
  cited: number
  closed: boolean
}

type ContentType = 'output_text' | 'refusal'

export class MessageDecoder implements ItemDecoder {
  private readonly contents = new Map<Json, Content>()
  private first: number | undefined

  /** `next` numbers the parts of the answer. */
  constructor(
    private readonly item: JsonObject,
    private readonly next: () => number,
  ) {}

  /** A message opens with its first content. */
  begin(): Event[] {
    return []
  }

  take(wire: JsonObject): Event[] | undefined {
    const { content_index: index = 0 } = wire
    switch (wire.type) {
      case 'response.output_text.delta':
        return this.text(index, 'output_text', wire.delta, wire.logprobs)
      case 'response.refusal.delta':
        return this.text(index, 'refusal', wire.delta)
      case 'response.content_part.added':
        return this.open(index, objectOf(wire.part)?.type)
      case 'response.output_text.annotation.added':
        return this.cite(index, wire.annotation)
      case 'response.output_text.done':
        return this.complete(index, 'output_text', wire.text, wire.logprobs)
      case 'response.refusal.done':
        return this.complete(index, 'refusal', wire.refusal)
      case 'response.content_part.done':
        return this.end(index, objectOf(wire.part) ?? {})
      default:
        return undefined
    }
  }

  finish(item: JsonObject): Event[] {
    const events = objectsOf(item.content).flatMap((content, index) => this.end(index, content))
    for (const index of this.contents.keys()) events.push(...this.end(index, {}))
    if (this.first === undefined) return this.empty(item)
    events.push(itemNote(itemEnds, this.first, tailOf(item)))
    return events
  }

  /** An empty message is still an item. */
  private empty(item: JsonObject): Event[] {
    const part = this.next()
    const at = placeOf(part)
    return [
      itemNote(itemBegins, part, { ...headOf(item), content: [] }),
      { type: 'open', at, part: { kind: 'opaque', of: 'responses' } },
      { type: 'close', at, whole: item },
    ]
  }

  private open(index: Json, type: Json | undefined): Event[] {
    if (this.contents.has(index) || (type !== 'output_text' && type !== 'refusal')) return []
    const part = this.next()
    const at = placeOf(part)
    this.contents.set(index, { at, written: false, cited: 0, closed: false })
    const kind = type === 'refusal' ? 'refusal' : 'text'
    const opening: Event = { type: 'open', at, part: { kind } }
    if (this.first !== undefined) return [opening]
    this.first = part
    return [itemNote(itemBegins, part, headOf(this.item)), opening]
  }

  /** What comes behind the end of its content stands in another part: one that is closed stays closed. */
  private reopened(index: Json, type: ContentType): Event[] {
    const before = this.contents.get(index)
    if (before?.closed !== true) return this.open(index, type)
    this.contents.delete(index)
    const events = this.open(index, type)
    const { written, cited } = before
    Object.assign(this.contents.get(index)!, { written, cited })
    return events
  }

  private text(index: Json, type: ContentType, text: Json | undefined, reported?: Json): Event[] {
    const content = Array.isArray(reported) && reported.length > 0 ? reported : undefined
    if (typeof text !== 'string' || (text === '' && content === undefined)) return []
    const events = this.reopened(index, type)
    const open = this.contents.get(index)!
    open.written = true
    const { at } = open
    const logprobs = content && { content }
    events.push(
      logprobs === undefined ? { type: 'delta', at, text } : { type: 'delta', at, text, logprobs },
    )
    return events
  }

  /** The whole text, for streams that bring it in no other way. */
  private complete(
    index: Json,
    type: ContentType,
    text: Json | undefined,
    reported?: Json,
  ): Event[] {
    return this.contents.get(index)?.written ? [] : this.text(index, type, text, reported)
  }

  private cite(index: Json, annotation: Json | undefined): Event[] {
    if (annotation === undefined) return []
    const events = this.reopened(index, 'output_text')
    const open = this.contents.get(index)!
    open.cited += 1
    events.push({ type: 'delta', at: open.at, citation: readAnnotation(annotation) })
    return events
  }

  private end(index: Json, whole: JsonObject): Event[] {
    const { type, text, refusal, logprobs, annotations } = whole
    const events = this.open(index, type)
    const open = this.contents.get(index)
    if (open === undefined || open.closed) return events
    if (type === 'refusal') events.push(...this.complete(index, type, refusal))
    else events.push(...this.complete(index, 'output_text', text, logprobs))
    const cited = Array.isArray(annotations) ? annotations : []
    for (const annotation of cited.slice(open.cited)) events.push(...this.cite(index, annotation))
    open.closed = true
    events.push({ type: 'close', at: open.at })
    return events
  }
}
