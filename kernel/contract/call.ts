/**
 * The canonical call: what a chat-like request asks for, in words no wire format owns. Each format decodes its
 * requests into it and encodes it back, so any client format reaches any upstream format through one shape.
 * What only one format has stays in `only[format]` at the level where it stood; `unsupportedFields` names it for the rest.
 */

import type { Json, JsonObject } from './json.js'
import type { FormatName, Issuer } from './names.js'

/** Leftovers of one format at one level, keyed by the format that wrote them. */
export type Only = Readonly<Partial<Record<Issuer, JsonObject>>>

export interface Call {
  /** The model name as the client wrote it. */
  readonly model: string
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** Names of the tools that may be called, of those declared. Absent: every one. */
  readonly allowedTools?: readonly string[]
  /** Absent: the format's default (true everywhere). */
  readonly parallelTools?: boolean
  /** Output limit in tokens and the field that carried it; absent: the client set none (FMT-6). */
  readonly limit?: { readonly tokens: number; readonly field: string }
  readonly stream: boolean
  /** The client requested usage in its stream (chat: `stream_options.include_usage`). */
  readonly wantsUsage: boolean
  readonly sampling: Sampling
  readonly output?: OutputShape
  readonly reasoning?: Reasoning
  readonly modalities?: readonly string[]
  readonly audio?: { readonly voice: Json; readonly format: string }
  readonly user?: string
  readonly metadata?: JsonObject
  readonly only?: Only
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'required' | 'none' }
  | { readonly kind: 'named'; readonly name: string }

/** Absent fields were not sent; explicit zeros are kept (FMT-5). */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly logitBias?: JsonObject
  readonly stop?: readonly string[]
  /** Number of alternative answers; absent: one. */
  readonly choices?: number
  /** Top log-probabilities per token; 0: only of the chosen one. Absent: none wanted. */
  readonly logprobs?: number
}

export interface OutputShape {
  readonly kind: 'text' | 'json' | 'schema'
  readonly name?: string
  readonly description?: string
  readonly schema?: JsonObject
  readonly strict?: boolean
}

export interface Reasoning {
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /** Thinking budget in tokens. */
  readonly budget?: number
  readonly summary?: string
  /** Reasoning is wanted, and how much is left to the model. */
  readonly on?: boolean
  /** The client wants to read it, and its format shows it. */
  readonly shown?: boolean
  /** The client switched reasoning off explicitly. */
  readonly off?: boolean
}

export interface Turn {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly name?: string
  readonly parts: readonly Part[]
  readonly only?: Only
}

export type Tool =
  | {
      readonly kind: 'function'
      readonly name: string
      readonly description?: string
      readonly schema?: JsonObject
      readonly strict?: boolean
      readonly cache?: CacheMark
      readonly only?: Only
    }
  | { readonly kind: 'server'; readonly name: string; readonly only: Only }

/** A prompt-cache mark at the end of the part that carries it; ttl such as `5m` or `1h`, absent: the default. */
export interface CacheMark {
  readonly ttl?: string
}

/** What may stand on any part: the issuer's seal, a cache mark and one format's leftovers. */
export interface PartExtras {
  /** Signature, encrypted content or thought signature; goes back to its issuer only. */
  readonly seal?: { readonly by: Issuer; readonly value: string }
  readonly cache?: CacheMark
  readonly only?: Only
}

export type MediaSource =
  | { readonly base64: string; readonly mime: string }
  | { readonly url: string; readonly mime?: string }
  | { readonly id: string; readonly of: FormatName }

export type Part = (
  | { readonly kind: 'text'; readonly text: string; readonly citations?: readonly Json[] }
  | {
      readonly kind: 'media'
      readonly type: 'image' | 'audio' | 'video' | 'file'
      readonly source: MediaSource
      readonly detail?: string
      readonly name?: string
    }
  /** `input` is raw JSON text; only formats that need an object parse it. */
  | {
      readonly kind: 'toolCall'
      readonly id: string
      readonly name: string
      readonly input: string
    }
  | {
      readonly kind: 'toolResult'
      readonly callId: string
      readonly name?: string
      readonly parts: readonly Part[]
      readonly failed?: boolean
    }
  | { readonly kind: 'reasoning'; readonly text?: string; readonly summary?: string }
  | { readonly kind: 'refusal'; readonly text: string }
  | {
      readonly kind: 'serverTool'
      readonly id: string
      readonly name: string
      readonly input?: Json
      readonly result?: Json
      readonly of: FormatName
    }
  | { readonly kind: 'opaque'; readonly of: Issuer; readonly value: Json }
) &
  PartExtras
