/** A try that failed, and the chain of those before. */
import type { Usage } from '../event.js'
import type { Failure } from '../failure.js'
import type { CostTerms } from './money.js'

export interface Failed {
  readonly failure: Failure
  /** Another channel may be tried. */
  readonly retry: boolean
  /** What the upstream reported of it, and charges for although it failed. Absent: nothing. */
  readonly usage?: Usage
}

/** One line of the retry chain, for the log. */
export interface AttemptTrace {
  readonly channelId: number
  readonly keyId: number
  readonly group: string
  /** Index of `group` in the route. */
  readonly position: number
  readonly failure: Failure
  /** What the upstream reported all the same, and by what it charges. Absent: nothing was reported. */
  readonly spent?: Spent
}

export interface Spent {
  readonly usage: Usage
  readonly upstreamModel: string
  readonly terms: CostTerms | undefined
}
