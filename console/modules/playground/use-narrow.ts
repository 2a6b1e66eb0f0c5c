/** Whether the window is narrower than so many pixels, as it is now. */
import { onUnmounted, type Ref, ref } from 'vue'

export function useNarrow(width: number): Readonly<Ref<boolean>> {
  const query = matchMedia(`(width < ${width}px)`)
  const narrow = ref(query.matches)
  const follow = ({ matches }: MediaQueryListEvent) => {
    narrow.value = matches
  }
  query.addEventListener('change', follow)
  onUnmounted(() => query.removeEventListener('change', follow))
  return narrow
}
