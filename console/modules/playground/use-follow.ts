/** Keeps the end of a growing box in sight, unless the person has scrolled away from it. */
import { nextTick, onMounted, onUnmounted, type Ref, ref } from 'vue'

/** Pixels from the end that still count as the end. */
const nearEnd = 48

export function useFollow(
  box: Ref<HTMLElement | undefined>,
  content: Ref<HTMLElement | undefined>,
) {
  const following = ref(true)
  let observer: ResizeObserver | undefined

  function scrolled(): void {
    const { value } = box
    if (!value) return
    following.value = value.scrollHeight - value.scrollTop - value.clientHeight < nearEnd
  }

  function toEnd(): void {
    following.value = true
    box.value?.scrollTo({ top: box.value.scrollHeight })
  }

  /** What comes above leaves everything else where it is. */
  async function keepPlace(change: () => void): Promise<void> {
    const { value } = box
    const below = value ? value.scrollHeight - value.scrollTop : 0
    change()
    await nextTick()
    value?.scrollTo({ top: value.scrollHeight - below })
  }

  onMounted(() => {
    observer = new ResizeObserver(() => following.value && toEnd())
    if (content.value) observer.observe(content.value)
    void nextTick(toEnd)
  })
  onUnmounted(() => observer?.disconnect())
  return { following, scrolled, toEnd, keepPlace }
}
