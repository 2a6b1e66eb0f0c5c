/** How a request ended: what was delivered, and what settling reads. */

import type { Usage } from '../event.js'
import type { Failure } from '../failure.js'
import type { JsonObject } from '../json.js'
import type { AttemptTrace } from './attempt.js'
import type { End, Outcome } from './money.js'
import type { Opened, Planned } from './record.js'

/** A count that was reported and cannot be, with what is charged in its place. */
export interface Correction {
  readonly count: string
  /** A number where it was one. */
  readonly reported: number | string
  readonly charged: number
}

/** How a delivery ended; together with the opened record all that settling reads. */
export interface Delivery {
  readonly end: End
  /** As billed: reported counts, completed from the local count where they are missing, made sane. */
  readonly usage: Usage
  /** What is charged, where it is known already. Absent: the price of `usage` where something was delivered. */
  readonly quota?: bigint
  /** Usage as the upstream reported it. Absent: it did not. */
  readonly raw?: JsonObject
  /** Counts that came from the local estimate, e.g. `output`. */
  readonly estimated: readonly string[]
  /** A hostile or absurd report was clamped (M21). */
  readonly anomaly: boolean
  /** Where it was clamped, and to what. Absent: nowhere, or in no single place. */
  readonly corrections?: readonly Correction[]
  /** Model content reached the client, or was consumed at its word and is charged all the same. */
  readonly delivered: boolean
  readonly failure?: Failure
}

/** What `settle` reads: how it ended, and the chain that led there. */
export type Settling =
  | {
      readonly kind: 'delivered'
      readonly state: Opened
      readonly delivery: Delivery
      readonly attempts: readonly AttemptTrace[]
    }
  | {
      readonly kind: 'abandoned'
      readonly state: Planned
      readonly outcome: Outcome
      readonly attempts: readonly AttemptTrace[]
    }
