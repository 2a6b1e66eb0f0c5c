/**
 * Announces where somebody has come to, as a browser does when it loads a page: the focus goes to the heading, which a screen
 * reader then reads. Where the page has put it somewhere itself, or it stood in what is still there, its name is announced.
 */
import { nextTick, onUnmounted, type Ref, ref } from 'vue'
import { START_LOCATION, useRouter } from 'vue-router'

/** `left`: called as soon as the page before is left. */
export function useArrival(left: () => void): { readonly arrival: Ref<string> } {
  const arrival = ref('')
  let watcher: MutationObserver | undefined

  const end = useRouter().afterEach(async (to, from, failure) => {
    if (failure !== undefined || from === START_LOCATION || to.path === from.path) return
    left()
    watcher?.disconnect()
    arrival.value = ''
    await nextTick()
    if (arrive()) return
    // Its frame, or what it shows, is still on the way.
    watcher = new MutationObserver(() => arrive() && watcher?.disconnect())
    watcher.observe(document.body, { childList: true, subtree: true })
  })

  function arrive(): boolean {
    const page = document.getElementById('page')
    const heading = page?.querySelector('h1')
    if (page == null || heading == null) return false
    const { activeElement } = document
    if (activeElement !== page && page.contains(activeElement)) arrival.value = document.title
    else {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    return true
  }

  onUnmounted(() => {
    end()
    watcher?.disconnect()
  })
  return { arrival }
}
