/** Answers that a later request may refer to. */
import type { Format } from '../format.js'
import type { JsonObject } from '../json.js'

/** Answers this gateway gave in the words of another format than the upstream's. */
export interface Answers {
  /** The part of an earlier answer to this user; undefined: unknown, or long ago. */
  recall(userId: number, id: string): JsonObject | undefined
  /**
   * To be awaited before the parts a request names are recalled: another process of this address may have given the answer. Undefined, at
   * once, where there is nobody to ask, or nothing that is not known here.
   */
  gather(format: Format, body: JsonObject, userId: number): Promise<void> | undefined
}
