/** Runs something on Ctrl or Command with a letter, while the component is there. */
import { onMounted, onUnmounted } from 'vue'

export function useShortcut(letter: string, run: () => void): void {
  function pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== letter) return
    event.preventDefault()
    run()
  }
  onMounted(() => addEventListener('keydown', pressed))
  onUnmounted(() => removeEventListener('keydown', pressed))
}
