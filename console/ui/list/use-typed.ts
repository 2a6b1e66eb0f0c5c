/** What is being typed towards a filter, until it counts; whatever else sets that filter replaces it. */
import { type Ref, ref, watch } from 'vue'

export function useTyped(filter: () => string): Ref<string> {
  const typed = ref(filter())
  watch(filter, (next) => {
    if (next !== typed.value.trim()) typed.value = next
  })
  return typed
}
