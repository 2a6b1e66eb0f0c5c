/** What one request uses of the limits of its API key: requests and tokens a minute, and the budget of a period. */
import type { Usage } from '../event.js'
import type { Failure } from '../failure.js'
import type { Hold } from './money.js'

/** Only of requests whose key has a limit. */
export interface KeyUse {
  /**
   * Counts the tokens the request may take before the first hold, at most once for each request. Undefined, at once or later: it may go on. The failure
   * states when to try again.
   */
  begin(usage: Usage): Promise<Failure | undefined> | undefined
  /** What the request used in the end takes the place of what was counted. */
  end(usage: Usage): void
  /** The budget does not cover so much. */
  overBudget(quota: bigint): Failure
  /** What the caller is sent about its limits beside an answer. */
  headers(hold: Pick<Hold, 'budgetLeft'> | undefined): Readonly<Record<string, string>>
}
