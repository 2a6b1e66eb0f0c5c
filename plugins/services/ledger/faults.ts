/** What an error of a billing call means for the operation that met it. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { isClosed, isFaultOfCall, isRetryable } from '../../../kernel/toolkit/service/index.js'

/**
 * `repeat`: undone for the sake of others, or its outcome is unknown; the same keyed call settles it. `unavailable`:
 * nobody's call passes now. `item`: proven to be the fault of this very call, which will never pass as it is. `unknown`:
 * everything else; it may be one call alone that fails, and it may pass later.
 */
export type Fault = 'repeat' | 'unavailable' | 'item' | 'unknown'

export function faultOf(error: unknown): Fault {
  if (error instanceof Refusal || isFaultOfCall(error)) return 'item'
  if (isRetryable(error) && !isSlow(error)) return 'repeat'
  return isClosed(error) ? 'unavailable' : 'unknown'
}

/**
 * Its time is used up already: asking again at once would keep a caller waiting who is owed a
 * refusal.
 */
export function isSlow(error: unknown): boolean {
  return error instanceof Error && /time(d )?-?out/i.test(error.message)
}
