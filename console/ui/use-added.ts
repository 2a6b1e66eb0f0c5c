/** Runs when a component is there, and again whenever something is added within it, such as what a library renders late. */
import { onMounted, onUnmounted, type Ref } from 'vue'

export function useAdded(
  box: Ref<HTMLElement | undefined>,
  run: (within: HTMLElement) => void,
): void {
  let watcher: MutationObserver | undefined
  onMounted(() => {
    const within = box.value
    if (within === undefined) return
    run(within)
    watcher = new MutationObserver(() => run(within))
    watcher.observe(within, { childList: true, subtree: true })
  })
  onUnmounted(() => watcher?.disconnect())
}
