/**
 * Runs something at once, and however often it is called then, only every few seconds: news of a busy account come
 * faster than anyone reads, and every read counts against the limit of the API (LIMIT-3).
 */
import { onUnmounted } from 'vue'

const restMs = 5_000

export function useThrottled(run: () => void): () => void {
  let resting: ReturnType<typeof setTimeout> | undefined
  let more = false

  function now(): void {
    more = false
    run()
    resting = setTimeout(() => {
      resting = undefined
      if (more) now()
    }, restMs)
  }

  onUnmounted(() => clearTimeout(resting))
  return () => {
    if (resting === undefined) now()
    else more = true
  }
}
