/** What a guard implements. */
import type { Received } from './line/record.js'

/**
 * Third-party hook: refuses (throws a `Refusal`) or observes at one stage; it never changes the record. Behind a stage it
 * is not called where the stage failed; where it refuses behind `upstream`, the reply is let go.
 */
export interface Guard {
  check(state: Readonly<Received>): void | Promise<void>
}
