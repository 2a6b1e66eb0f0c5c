/** Vendors found by words in their names: of many only the first that fit are offered. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed, ref } from 'vue'
import { readVendors } from '../../api/vendors.js'

const offered = 50

export function useVendors() {
  const word = ref('')
  const query = useQuery({
    queryKey: ['vendors', 'offered', word],
    queryFn: ({ signal }) =>
      readVendors({ p: 1, page_size: offered, keyword: word.value.trim() }, signal),
    placeholderData: keepPreviousData,
  })
  const vendors = computed(() => {
    const found = query.data.value?.items.map(({ id, name }) => ({ id, name })) ?? []
    return found.sort((one, other) => one.name.localeCompare(other.name))
  })

  function search(text: string): void {
    word.value = text
  }

  return { vendors, isFetching: query.isFetching, search }
}
