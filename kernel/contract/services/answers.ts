/** Answers that a later request may refer to. */
import type { JsonObject } from '../json.js'

/** Answers this gateway gave in the words of another format than the upstream's. */
export interface Answers {
  /** The part of an earlier answer to this user; undefined: unknown, or long ago. */
  recall(userId: number, id: string): JsonObject | undefined
}
