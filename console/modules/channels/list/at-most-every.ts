/** Runs something at once, and again after a pause where it was requested meanwhile: a run over all channels reports each. */
import { onUnmounted } from 'vue'

export function atMostEvery(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = false

  function pause(): void {
    timer = setTimeout(() => {
      timer = undefined
      if (!wanted) return
      wanted = false
      run()
      pause()
    }, ms)
  }

  onUnmounted(() => clearTimeout(timer))
  return () => {
    if (timer !== undefined) {
      wanted = true
      return
    }
    run()
    pause()
  }
}
