/**
 * What others see of request rewriting: the documents by which an operator changes what goes to an upstream, read once and then
 * applied to every call of the channel.
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { JsonObject } from '../../../kernel/contract/json.js'

export interface RequestRewriting {
  /**
   * Reads an override document, in the legacy or the operations form. Throws an `Error` whose message goes on after the
   * field's name: `has an operation 2 with the mode "sett", which does not exist`.
   */
  override(document: JsonObject): Override
  /** Reads a header document: names, values with placeholders, rules for the client's headers. Throws as above. */
  headers(document: JsonObject): HeaderOverride
}

export interface Override {
  /** True: nothing is ever changed. */
  readonly empty: boolean
  apply(wire: JsonObject, context: OverrideContext): Overriding
}

/** What conditions and copies may look at besides the body. */
export interface OverrideContext {
  readonly model: string
  readonly upstreamModel: string
  readonly requestPath: string
  /** From 0. */
  readonly retryIndex: number
  readonly lastFailure?: Failure
  /** As the client sent them. */
  readonly clientHeaders: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Set so far by the header document; operations go on from here. */
  readonly headers: Readonly<Record<string, string | null>>
}

export type Overriding =
  | {
      /** The same object where nothing changed. */
      readonly wire: JsonObject
      readonly headers: Readonly<Record<string, string | null>>
      /** Operations that changed members that matter, and those left undone, one line each. Holds no value. */
      readonly audit: readonly string[]
    }
  /** The document answers in the upstream's place. */
  | { readonly failure: Failure; readonly retry: boolean }

export interface HeaderOverride {
  readonly empty: boolean
  /** Lower-case names; null takes a header away. `key` fills the placeholder of the channel's key. Never throws. */
  apply(options: {
    readonly key: string
    readonly clientHeaders: OverrideContext['clientHeaders']
  }): Readonly<Record<string, string | null>>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    rewriting: RequestRewriting
  }
}
