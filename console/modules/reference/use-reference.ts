/** The document, what is searched for and which operation is shown; both stand in the address, so that links keep them. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { readOpenApi } from '../../api/openapi.js'
import { areasOf, fits, operationsOf } from './operations.js'

export function useReference() {
  const route = useRoute()
  const router = useRouter()
  const query = useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => readOpenApi(signal),
    staleTime: Number.POSITIVE_INFINITY,
    shallow: true,
  })
  const document = computed(() => query.data.value)
  const all = computed(() => (document.value === undefined ? [] : operationsOf(document.value)))
  const search = computed({
    get: () => String(route.query.q ?? ''),
    set: (q) => void router.replace({ query: { ...route.query, q: q || undefined } }),
  })
  const found = computed(() => all.value.filter((operation) => fits(operation, search.value)))
  const areas = computed(() => areasOf(found.value))
  const chosen = computed(() =>
    all.value.find(({ operationId }) => operationId === route.query.operation),
  )
  return { query, document, search, found, areas, chosen }
}
