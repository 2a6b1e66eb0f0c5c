/** What writes one item of an answer as this format's events, whatever kind of item it is. */
import type { Event } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

export type Delta = Extract<Event, { type: 'delta' }>

/** Where an item stands, and what is known of it before it ends. */
export interface Place {
  readonly id: string
  readonly index: number
  /** As the same format's upstream sent it; empty where there is none. */
  readonly head: JsonObject
}

/** A writer gathers what it wrote, since the end of every piece, of the item and of the answer repeats it whole. */
export interface ItemWriter {
  /** The item as it begins. */
  readonly first: JsonObject
  delta(event: Delta): JsonObject[]
  /** What still has to be sent when a part closes; `whole` is the finished part, where its upstream repeats it. */
  last(whole: Json | undefined): JsonObject[]
  /** The finished item; `tail` is what the same format's upstream sent at its end. */
  item(tail: JsonObject): JsonObject
}
