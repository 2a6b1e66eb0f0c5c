/** Which rows are chosen: some of them, or all that match the filter as long as it stays the same. */
import { computed, ref, watch } from 'vue'
import type { List } from './use-list.js'

/** What a write to many rows takes. */
export type Which<Filters> =
  | { readonly ids: readonly number[] }
  | { readonly filter: Filters; readonly expected: number }

export function useChosen<Row extends { readonly id: number }, Filters extends object>(
  list: List<Row, Filters>,
) {
  const checked = ref<readonly (string | number)[]>([])
  const isAll = ref(false)
  const ids = computed(() => checked.value.map(Number).filter(Number.isInteger))
  const count = computed(() => (isAll.value ? list.total.value : ids.value.length))
  const isPageChosen = computed(() => {
    const chosen = new Set(ids.value)
    return list.rows.value.length > 0 && list.rows.value.every(({ id }) => chosen.has(id))
  })

  function clear(): void {
    checked.value = []
    isAll.value = false
  }

  /** What is shown as chosen is what is changed: another filter, or a row less, ends the choice of all. */
  watch(() => JSON.stringify(list.filters), clear)
  watch(isPageChosen, (whole) => {
    if (!whole) isAll.value = false
  })

  return {
    checked,
    isAll,
    ids,
    count,
    isPageChosen,
    clear,
    which: (): Which<Filters> =>
      isAll.value
        ? { filter: { ...list.filters }, expected: list.total.value }
        : { ids: ids.value },
  }
}
