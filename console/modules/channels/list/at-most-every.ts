/** Runs something at once, and again after a pause where it was asked for meanwhile: a run over all channels tells of each. */
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
