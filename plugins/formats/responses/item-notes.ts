/**
 * What only this format has of an answer (ids of items, where they and their pieces begin and end) goes from its
 * decoder to its encoder as notes, which no other format reads. `part` is the first part of the item that is meant.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { textOf } from './fields.js'

export const itemBegins = 'response.output_item.added'
export const itemEnds = 'response.output_item.done'

/** Goes ahead of the item's first part, or behind what is known of its end and before it closes. */
export function itemNote(
  type: typeof itemBegins | typeof itemEnds,
  part: number,
  item: JsonObject,
): Event {
  return { type: 'note', of: 'responses', raw: { type, part, item } }
}

/** Reasoning is a list of summaries and one of texts; for other formats it is one text with these between. */
export const separator = '\n\n'

export type Piece = 'summary' | 'content'

export const pieceBegins: Readonly<Record<Piece, string>> = {
  summary: 'response.reasoning_summary_part.added',
  content: 'response.content_part.added',
}

/** Goes ahead of each piece of reasoning. */
export function pieceNote(piece: Piece, part: number): Event {
  return { type: 'note', of: 'responses', raw: { type: pieceBegins[piece], part } }
}

export function pieceOf(type: Json | undefined): Piece | undefined {
  const reported = textOf(type)
  if (reported === pieceBegins.summary) return 'summary'
  return reported === pieceBegins.content ? 'content' : undefined
}

/** Fields of a response beside its items and counts; `ended`: with its last event. */
export function responseNote(response: JsonObject, ended: boolean): Event {
  const { output, usage, ...rest } = response
  return { type: 'note', of: 'responses', raw: { response: rest, ended } }
}
