/** Pages of rows that are all here already: another search begins with its first page. */
import { computed, type Ref, ref, watch } from 'vue'

export function useLocalPages(rows: Ref<readonly unknown[]>, pageSize: number) {
  const page = ref(1)
  watch(
    () => rows.value.length,
    () => {
      page.value = 1
    },
  )
  return computed(() => {
    if (rows.value.length <= pageSize) return false
    return {
      page: page.value,
      pageSize,
      onUpdatePage(next: number) {
        page.value = next
      },
    }
  })
}
