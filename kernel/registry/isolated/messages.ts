/**
 * What passes between the gateway and the thread of a plugin. Values cross as copies, functions as references: a group of functions
 * that belong together, and the place of one in it.
 */

/** A function of the other side. */
export interface Reference {
  readonly group: number
  readonly at: number
}

/** Functions among the arguments of a call, which cannot be copied: each with the path at which it stood. */
export interface PassedFunctions {
  readonly group: number
  /** The place of a function in the group is its place in this list. */
  readonly paths: readonly (readonly [argument: number, member?: string])[]
}

export type Outcome =
  | { readonly kind: 'value' | 'error'; readonly bytes: Bytes }
  /** An object with functions, which stays where it is; the bytes are its description. */
  | { readonly kind: 'object'; readonly bytes: Bytes; readonly group: number }

/** All of their buffer. */
type Bytes = Uint8Array<ArrayBuffer>

export interface Call {
  readonly type: 'call'
  readonly call: number
  readonly to: Reference
  readonly bytes: Bytes
  readonly functions?: PassedFunctions
}

export type Message =
  | Call
  /** `later`: it returned a promise, and `settled` follows. */
  | { readonly type: 'returned'; readonly call: number; readonly outcome: Outcome | 'later' }
  | { readonly type: 'settled'; readonly call: number; readonly outcome: Outcome }
  /** Nothing holds the functions of a group any more. */
  | { readonly type: 'dropped'; readonly group: number }

/** What an object with functions looks like from the other side. */
export type Description =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'function'; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Description[] }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Description>> }
  /** A member that changes over time, by the place of the function that reads it. */
  | { readonly kind: 'live'; readonly at: number }
