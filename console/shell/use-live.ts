/** Listens to a live topic while the component is there. */
import { onMounted, onUnmounted } from 'vue'
import { type LiveMessage, listen } from './live.js'

export function useLive(path: string, listener: (message: LiveMessage) => void): void {
  let stop: (() => void) | undefined
  onMounted(() => {
    stop = listen(path, listener)
  })
  onUnmounted(() => stop?.())
}
