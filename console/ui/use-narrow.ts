/** Whether the window is too narrow for a table. */
import { onScopeDispose, type Ref, ref } from 'vue'

export function useNarrow(): Ref<boolean> {
  const query = matchMedia('(width < 760px)')
  const narrow = ref(query.matches)
  const change = () => {
    narrow.value = query.matches
  }
  query.addEventListener('change', change)
  onScopeDispose(() => query.removeEventListener('change', change))
  return narrow
}
