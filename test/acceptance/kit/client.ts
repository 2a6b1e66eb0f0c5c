/**
 * What the scenarios ask of a client library, in words no wire format owns. A driver states it in its library's own way
 * and reads the answer back as an application would, through the library's own types.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Wire } from './upstreams.js'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
}

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

interface ToolResult {
  readonly call: ToolCall
  readonly output: string
}

/** Totals: the prompt with what the cache held and took, the completion with what was thought. */
export interface Counts {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

export interface Question<History> {
  readonly model: string
  readonly stream: boolean
  /** Goes on from this answer: with the results of its calls, or with another prompt. */
  readonly after?: Answer<History>
  readonly results?: readonly ToolResult[]
  readonly system?: string
  readonly prompt?: string
  readonly image?: { readonly mime: string; readonly base64: string }
  readonly tools?: readonly Tool[]
  /** The answer is to be JSON of this schema. */
  readonly schema?: JsonObject
  /** Asks to think before the answer, and to show it. */
  readonly thinks?: boolean
}

export interface Answer<History> {
  readonly text: string
  /** In how many pieces the text came. */
  readonly pieces: number
  readonly reasoning: string
  readonly calls: readonly ToolCall[]
  readonly counts: Counts
  /** The conversation in the library's own form, this answer included. */
  readonly history: History
}

/** What a library shows of an answer and brings back unasked. */
export interface Abilities {
  readonly reasoning: boolean
  /**
   * Which seals of reasoning come back with the conversation. Some: the library drops those it has no part to keep at,
   * such as one that ends a stretch of reasoning in a stream.
   */
  readonly seals: 'all' | 'some' | 'none'
  /** Seals on tool calls come back with the call. */
  readonly callSeals: boolean
  /** Counts it has a place for. */
  readonly counts: readonly (keyof Counts)[]
  /** The message of its errors is the one it was reported; else that stands in the body they carry. */
  readonly errorWords: boolean
  /**
   * What the library makes of an error in the middle of a stream: an error with the words it was reported, an error with
   * words of its own, or a stream that ended well.
   */
  readonly streamErrors: 'reported' | 'noticed' | 'missed'
}

export interface Client<History> {
  readonly name: string
  readonly wire: Wire
  readonly abilities: Abilities
  ask(question: Question<History>): Promise<Answer<History>>
  /** Opens a stream, waits for the first piece of text and goes. */
  leave(question: Question<History>): Promise<void>
  /** Status of an error in the library's own class; undefined for anything else. */
  statusOf(error: unknown): { readonly status: number; readonly message: string } | undefined
}
