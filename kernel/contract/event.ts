/**
 * The canonical answer: one stream of events, whether the upstream streamed or sent one body. `open` and `close`
 * are explicit for every part, `end` comes exactly once and last; a stream without it broke.
 */
import type { Failure } from './failure.js'
import type { Json, JsonObject } from './json.js'
import type { Issuer } from './names.js'

/** Where a part stands: which alternative answer, and which part of it. Both count from 0. */
export interface At {
  readonly choice: number
  readonly part: number
}

/** What kind of part opens; tool calls carry id and name, provider-made parts the format they are `of`. */
export type OpenPart =
  | { readonly kind: 'text' | 'reasoning' | 'refusal' }
  | {
      readonly kind: 'media'
      readonly type: 'image' | 'audio'
      readonly mime?: string
      readonly id?: string
    }
  | { readonly kind: 'toolCall'; readonly id: string; readonly name: string }
  | {
      readonly kind: 'serverTool'
      readonly id: string
      readonly name: string
      readonly of: Issuer
    }
  | { readonly kind: 'opaque'; readonly of: Issuer }

export type Event =
  | {
      readonly type: 'start'
      readonly id?: string
      readonly model?: string
      /** Unix seconds. */
      readonly created?: number
      readonly fingerprint?: string
    }
  | { readonly type: 'open'; readonly at: At; readonly part: OpenPart }
  | {
      readonly type: 'delta'
      readonly at: At
      readonly text?: string
      /** Raw JSON text of a tool's input, in pieces. */
      readonly json?: string
      readonly base64?: string
      readonly citation?: Json
      readonly logprobs?: Json
      readonly seal?: string
      /** Who issued `seal`, so that it can find its way back; stands beside every seal. */
      readonly sealBy?: Issuer
    }
  /** `whole` is the finished part where the upstream repeats it, or the value of an opaque part. */
  | { readonly type: 'close'; readonly at: At; readonly whole?: Json }
  /** `word` is the upstream's own word for the reason. */
  | {
      readonly type: 'stop'
      readonly choice: number
      readonly reason: Stop
      readonly word: string
      readonly sequence?: string
    }
  /** Later non-missing counts replace earlier ones; 0 is not missing. `raw` is the upstream's own usage object. */
  | {
      readonly type: 'usage'
      readonly usage: Usage
      readonly raw: JsonObject
      readonly final: boolean
    }
  /** Pings, safety ratings, unknown events: passed on only to the same format. */
  | { readonly type: 'note'; readonly of: Issuer; readonly raw: Json }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'end' }

export type Stop =
  | 'end'
  | 'stopSequence'
  | 'length'
  | 'tool'
  | 'refusal'
  | 'filter'
  | 'pause'
  | 'context'
  | 'malformedTool'
  | 'other'

/**
 * Token counts, DISJOINT: input excludes cache, audio and image; output excludes audio and image but includes
 * reasoning, whose share is `reasoning`. Missing means the upstream did not report it; 0 means it reported zero.
 */
export interface Usage {
  readonly input?: number
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
  readonly inputAudio?: number
  readonly inputImage?: number
  readonly output?: number
  /** Part of `output`, for display; never charged on top. */
  readonly reasoning?: number
  readonly outputAudio?: number
  readonly outputImage?: number
  /** How many units of a price are due: images made times their factor of size and quality, seconds, tracks. Missing: one. */
  readonly quantity?: number
  /**
   * What the price of a media task depends on beside its quantity, by name: `resolution`, `size`, `audio`, `quality`, `mode`, …
   * `unit` says what the quantity counts, `second` or `piece`; a fixed price is multiplied by pieces, and by nothing else.
   */
  readonly dimensions?: Readonly<Record<string, string>>
  /**
   * Of a media task, in place of `quantity`: how many of each unit, e.g. `{ second: 10, piece: 2 }`. A price takes the count of
   * the unit it is made of.
   */
  readonly counts?: Readonly<Record<string, number>>
  /** Calls of tools the upstream ran itself, by the price table's tool name, e.g. `web_search`. */
  readonly serverTools?: Readonly<Record<string, number>>
}
