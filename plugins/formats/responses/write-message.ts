/** A message of an answer, which holds several texts: each is a part of its own. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { spanningAnnotation, writeAnnotation } from './citations.js'
import { objectOf } from './fields.js'
import type { Delta, ItemWriter, Place } from './item-writer.js'

interface Content {
  readonly refusal: boolean
  text: string
  readonly annotations: JsonObject[]
  readonly logprobs: Json[]
  /** Citations of the whole text, whose length is not known yet. */
  readonly spanning: Json[]
}

export class MessageWriter implements ItemWriter {
  readonly first: JsonObject
  private readonly contents: JsonObject[] = []
  private open: Content | undefined

  constructor(private readonly place: Place) {
    const { id, head } = place
    const role = 'assistant'
    this.first = { ...head, id, type: 'message', status: 'in_progress', role, content: [] }
  }

  /** One of its texts is open. */
  get isOpen(): boolean {
    return this.open !== undefined
  }

  begin(refusal: boolean): JsonObject[] {
    this.open = { refusal, text: '', annotations: [], logprobs: [], spanning: [] }
    return [this.eventOf('response.content_part.added', { part: contentOf(this.open) })]
  }

  delta({ text, citation, logprobs }: Delta): JsonObject[] {
    const { open } = this
    if (open === undefined) return []
    const wires = this.text(open, text ?? '', logprobs)
    if (citation === undefined) return wires
    const annotation = writeAnnotation(citation)
    if (annotation === undefined) open.spanning.push(citation)
    else wires.push(this.annotate(open, annotation))
    return wires
  }

  last(): JsonObject[] {
    const { open } = this
    if (open === undefined) return []
    const wires: JsonObject[] = []
    for (const citation of open.spanning) {
      const annotation = spanningAnnotation(citation, open.text.length)
      if (annotation !== undefined) wires.push(this.annotate(open, annotation))
    }
    const { text, refusal, logprobs } = open
    const part = contentOf(open)
    wires.push(
      refusal
        ? this.eventOf('response.refusal.done', { refusal: text })
        : this.eventOf('response.output_text.done', { text, logprobs }),
      this.eventOf('response.content_part.done', { part }),
    )
    this.contents.push(part)
    this.open = undefined
    return wires
  }

  item(tail: JsonObject): JsonObject {
    const { first, contents } = this
    return { ...first, status: 'completed', ...tail, id: this.place.id, content: contents }
  }

  private text(open: Content, delta: string, reported: Json | undefined): JsonObject[] {
    const list = reported === undefined ? undefined : objectOf(reported)?.content
    const logprobs = Array.isArray(list) ? list : []
    if (delta === '' && logprobs.length === 0) return []
    open.text += delta
    open.logprobs.push(...logprobs)
    const { id: item_id, index: output_index } = this.place
    const content_index = this.contents.length
    if (open.refusal) {
      return [{ type: 'response.refusal.delta', item_id, output_index, content_index, delta }]
    }
    const type = 'response.output_text.delta'
    return [{ type, item_id, output_index, content_index, delta, logprobs }]
  }

  private annotate(open: Content, annotation: JsonObject): JsonObject {
    const annotation_index = open.annotations.push(annotation) - 1
    return this.eventOf('response.output_text.annotation.added', { annotation_index, annotation })
  }

  private eventOf(type: string, more: JsonObject): JsonObject {
    const { id, index } = this.place
    return { type, item_id: id, output_index: index, content_index: this.contents.length, ...more }
  }
}

function contentOf({ refusal, text, annotations, logprobs }: Content): JsonObject {
  if (refusal) return { type: 'refusal', refusal: text }
  return { type: 'output_text', annotations: [...annotations], logprobs: [...logprobs], text }
}
