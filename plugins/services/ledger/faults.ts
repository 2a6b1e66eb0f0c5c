/** What an error of the database means for the operation that met it. */
import { isRetryable, isUnavailable } from '../../../kernel/store/availability.js'

/**
 * `repeat`: undone for the sake of others, or its outcome is unknown; the same keyed call settles
 * it. `unavailable`: nobody answers. `data`: a value of this call cannot be stored. `other`: this
 * call will never pass.
 */
export type Fault = 'repeat' | 'unavailable' | 'data' | 'other'

export function faultOf(error: unknown): Fault {
  if (isRetryable(error) && !isSlow(error)) return 'repeat'
  if (isUnavailable(error)) return 'unavailable'
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22')
    ? 'data'
    : 'other'
}

/**
 * Its time is used up already: asking again at once would keep a caller waiting who is owed a
 * refusal.
 */
function isSlow(error: unknown): boolean {
  return error instanceof Error && /time(d )?-?out/i.test(error.message)
}
