/** A try that failed, and the chain of those before. */
import type { Failure } from '../failure.js'

export interface Failed {
  readonly failure: Failure
  /** Another channel may be tried. */
  readonly retry: boolean
}

/** One line of the retry chain, for the log. */
export interface AttemptTrace {
  readonly channelId: number
  readonly keyId: number
  readonly group: string
  /** Index of `group` in the route. */
  readonly position: number
  readonly failure: Failure
}
