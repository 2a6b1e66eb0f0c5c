/** Runs when the browser's way back shows a page as it was left, with what was under way then and never came to an end. */
import { onMounted, onUnmounted } from 'vue'

export function useCameBack(run: () => void): void {
  function shown({ persisted }: PageTransitionEvent): void {
    if (persisted) run()
  }

  onMounted(() => addEventListener('pageshow', shown))
  onUnmounted(() => removeEventListener('pageshow', shown))
}
