/**
 * Reasoning as an item. Of another format it is written as a summary, which is what clients show; the same format's
 * upstream marks by notes which piece is a summary and which the reasoning itself.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { defined } from './fields.js'
import { type Piece, pieceBegins, separator } from './item-notes.js'
import type { Delta, ItemWriter, Place } from './item-writer.js'
import { type Seal, writeSeal } from './seal.js'

const textEvents: Readonly<Record<Piece, string>> = {
  summary: 'response.reasoning_summary_text',
  content: 'response.reasoning_text',
}

export class ReasoningWriter implements ItemWriter {
  readonly first: JsonObject
  private readonly pieces: Record<Piece, JsonObject[]> = { summary: [], content: [] }
  private piece: Piece = 'summary'
  /** Text of the current piece. */
  private open: string | undefined
  /** The next text may be nothing but what keeps two pieces apart in other formats. */
  private apart = false
  private seal: Seal | undefined

  constructor(private readonly place: Place) {
    this.first = { ...place.head, id: place.id, type: 'reasoning', summary: [] }
  }

  /** The upstream begins another piece. */
  begin(piece: Piece): JsonObject[] {
    this.apart = this.open !== undefined
    const wires = this.last()
    this.piece = piece
    return wires
  }

  delta({ text = '', seal, sealBy }: Delta): JsonObject[] {
    if (seal !== undefined) {
      this.seal = { by: sealBy ?? 'responses', value: (this.seal?.value ?? '') + seal }
    }
    const separates = this.apart && text === separator
    this.apart = false
    if (text === '' || separates) return []
    const { piece } = this
    const wires: JsonObject[] = []
    if (this.open === undefined)
      wires.push(this.eventOf(pieceBegins[piece], { part: this.part('') }))
    this.open = (this.open ?? '') + text
    wires.push(this.textDelta(text))
    return wires
  }

  last(): JsonObject[] {
    if (this.open === undefined) return []
    const { piece, open: text } = this
    const part = this.part(text)
    const wires = [
      this.eventOf(`${textEvents[piece]}.done`, { text }),
      this.eventOf(pieceBegins[piece].replace('.added', '.done'), { part }),
    ]
    this.pieces[piece].push(part)
    this.open = undefined
    return wires
  }

  item(tail: JsonObject): JsonObject {
    const { first, seal } = this
    const { summary, content } = this.pieces
    const { id } = this.place
    return defined<JsonObject>({
      ...first,
      ...tail,
      id,
      summary,
      content: content.length === 0 ? undefined : content,
      encrypted_content: seal && writeSeal(seal, id),
    })
  }

  private textDelta(delta: string): JsonObject {
    const { piece } = this
    const { id: item_id, index: output_index } = this.place
    const at = this.pieces[piece].length
    const type = `${textEvents[piece]}.delta`
    return piece === 'summary'
      ? { type, item_id, output_index, summary_index: at, delta }
      : { type, item_id, output_index, content_index: at, delta }
  }

  private part(text: string): JsonObject {
    return { type: this.piece === 'summary' ? 'summary_text' : 'reasoning_text', text }
  }

  private eventOf(type: string, more: JsonObject): JsonObject {
    const { id, index } = this.place
    const at = this.pieces[this.piece].length
    const placed = this.piece === 'summary' ? { summary_index: at } : { content_index: at }
    return { type, item_id: id, output_index: index, ...placed, ...more }
  }
}
