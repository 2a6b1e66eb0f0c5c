/** Whether the window is narrower than so many pixels, as it is now: without a number, too narrow for a table. */
import { onScopeDispose, type Ref, ref } from 'vue'

export function useNarrow(width = 760): Readonly<Ref<boolean>> {
  const query = matchMedia(`(width < ${width}px)`)
  const narrow = ref(query.matches)
  const follow = ({ matches }: MediaQueryListEvent) => {
    narrow.value = matches
  }
  query.addEventListener('change', follow)
  onScopeDispose(() => query.removeEventListener('change', follow))
  return narrow
}
