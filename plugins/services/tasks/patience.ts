/** Patience with a database: what has to be kept is tried again where a connection broke, or nothing can be written for a moment. */
import type { Clock } from '../../../kernel/contract/kit.js'
import { isUnavailable } from '../../../kernel/toolkit/service/index.js'

const triesMax = 4
const pauseMs = 250

/** The work may have been committed by a try that failed, and has to recognise that. */
export async function patiently<T>(
  clock: Pick<Clock, 'after'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= triesMax || !isUnavailable(error)) throw error
      await new Promise<void>((resolve) => clock.after(pauseMs * tries, resolve))
    }
  }
}
