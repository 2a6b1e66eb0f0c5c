/** What is shown: whose usage, of which days, ranked how; it stands in the address. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import {
  type Dimension,
  dimensions,
  type Measure,
  measures,
  readErrors,
  readOverview,
  readRanking,
} from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import { roles } from '../../shell/roles.js'
import { useSession } from '../../shell/session.js'
import { useListPlace } from '../../ui/list/use-list-place.js'
import { useShownDays } from '../../ui/use-shown-days.js'

const usualDays = 7
const refetchInterval = 60_000

export function useAnalytics() {
  const session = useSession()
  const isAdmin = session.role >= roles.admin
  const { filters } = useListPlace({
    filters: {
      scope: isAdmin ? 'all' : 'own',
      ...{ days: usualDays, from: '', to: '', by: 'model', order: 'quota', limit: 20 },
    },
    pageSize: 20,
    inAddress: true,
  })

  /** Whatever the address holds, only admins see others. */
  const scope = computed<Scope>(() => (isAdmin && filters.scope === 'all' ? 'all' : 'own'))
  const range = useShownDays(filters)
  const { days } = range
  const shown = computed(() =>
    scope.value === 'all'
      ? [...dimensions]
      : dimensions.filter((one) => one !== 'channel' && one !== 'user'),
  )
  const dimension = computed<Dimension>(
    () => shown.value.find((one) => one === filters.by) ?? 'model',
  )
  const order = computed<Measure>(() => measures.find((one) => one === filters.order) ?? 'quota')
  const limit = computed(() => Math.min(Math.max(filters.limit, 1), 100))

  const often = { placeholderData: keepPreviousData, refetchInterval }
  const overview = useQuery({
    ...often,
    queryKey: ['analytics', 'overview', scope, days],
    queryFn: async ({ signal }) => {
      const of = days.value
      return { days: of, ...(await readOverview(scope.value, of, signal)) }
    },
  })
  const ranking = useQuery({
    ...often,
    queryKey: ['analytics', 'ranking', scope, days, dimension, order, limit],
    queryFn: async ({ signal }) => {
      const terms = { dimension: dimension.value, order: order.value, limit: limit.value }
      const found = await readRanking(scope.value, { ...days.value, ...terms }, signal)
      return { dimension: terms.dimension, ...found }
    },
  })
  const errors = useQuery({
    ...often,
    queryKey: ['analytics', 'errors', scope, days],
    queryFn: ({ signal }) => readErrors(scope.value, days.value, signal),
  })
  const place = { filters, scope, range, days, dimensions: shown, dimension, order, limit }
  return { isAdmin, ...place, overview, ranking, errors }
}
