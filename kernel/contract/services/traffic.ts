/** What this process answers, settles and fails at. */

import type { ClientError } from '../format.js'
import type { AttemptTrace } from '../line/attempt.js'
import type { Settling } from '../line/delivery.js'
import type { Admitted, Opened } from '../line/record.js'

/** What this process answers, settles and fails at, for those who count it. Listeners run within the request: they wait for nothing. */
export interface Traffic {
  onAnswered(listener: (answer: AnsweredRequest) => void): void
  onSettled(listener: (settling: Settling) => void): void
  /** Once a request at most, and never of one that the usage log has a charge of. */
  onFailed(listener: (request: FailedRequest) => void): void
  /** Answers so far by the class of their status, `1xx` to `5xx`. */
  answers(): Readonly<Record<string, number>>
  /** Settled requests so far whose reported usage could not be and was bounded. */
  usageAnomalies(): number
}

/** A relayed request of somebody known that ended in an error, with nothing to charge. A client that left is none. */
export interface FailedRequest {
  /** As far as it came. */
  readonly state: Admitted & Partial<Opened>
  readonly clientError: ClientError
  /** The channel that had begun to answer and broke off is the last of them. */
  readonly attempts: readonly AttemptTrace[]
}

/** Of the access line. */
export interface AnsweredRequest {
  readonly method: string
  /** Without query. */
  readonly path: string
  /** 499 where the client left before there was one. */
  readonly status: number
  readonly durationMs: number
  /** Word of the error catalogue, on relay paths that were refused. */
  readonly code?: unknown
}
