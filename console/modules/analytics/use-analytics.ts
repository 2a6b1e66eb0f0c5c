/** What is shown: whose usage, of what alone, of which days, ranked how; it stands in the address. */
import { keepPreviousData, useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import {
  type Dimension,
  dimensions,
  type Measure,
  measures,
  type Only,
  readErrors,
  readOverview,
  readRanking,
} from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import { roles } from '../../shell/roles.js'
import { useSession } from '../../shell/session.js'
import { useListPlace } from '../../ui/list/use-list-place.js'
import { useShownDays } from '../../ui/use-shown-days.js'
import { isRanked, nothing, onlyOf } from './only.js'

const usualDays = 7
const refetchInterval = 60_000

export function useAnalytics() {
  const session = useSession()
  const route = useRoute()
  const router = useRouter()
  const isAdmin = session.role >= roles.admin
  const { filters } = useListPlace({
    filters: {
      scope: isAdmin ? 'all' : 'own',
      ...nothing,
      ...{ days: usualDays, from: '', to: '', by: 'model', order: 'quota', limit: 20 },
    },
    pageSize: 20,
    inAddress: true,
  })

  /** Whatever the address holds, only admins see others. */
  const scope = computed<Scope>(() => (isAdmin && filters.scope === 'all' ? 'all' : 'own'))
  const only = computed(() => onlyOf(scope.value, filters))
  const range = useShownDays(filters)
  const { days } = range
  const shown = computed(() =>
    scope.value === 'all' && only.value.user === 0
      ? [...dimensions]
      : dimensions.filter((one) => one !== 'channel' && one !== 'user'),
  )
  const dimension = computed<Dimension>(
    () => shown.value.find((one) => one === filters.by) ?? 'model',
  )
  const order = computed<Measure>(() => measures.find((one) => one === filters.order) ?? 'quota')
  const limit = computed(() => Math.min(Math.max(filters.limit, 1), 100))

  const user = computed(() => only.value.user)
  const hasRanking = computed(() => isRanked(only.value))

  const often = { placeholderData: keepPreviousData, refetchInterval }
  const overview = useQuery({
    ...often,
    queryKey: ['analytics', 'overview', scope, days, only],
    queryFn: async ({ signal }) => {
      const of = days.value
      const asked = { ...of, ...only.value }
      return { days: of, ...(await readOverview(scope.value, asked, signal)) }
    },
  })
  const ranking = useQuery({
    ...often,
    queryKey: ['analytics', 'ranking', scope, days, user, dimension, order, limit],
    queryFn: async ({ signal }) => {
      const ranked = { dimension: dimension.value, order: order.value, limit: limit.value }
      const terms = { ...ranked, user: user.value }
      const found = await readRanking(scope.value, { ...days.value, ...terms }, signal)
      return { dimension: terms.dimension, ...found }
    },
    enabled: hasRanking,
  })
  const errors = useQuery({
    ...often,
    queryKey: ['analytics', 'errors', scope, days, only],
    queryFn: ({ signal }) => readErrors(scope.value, { ...days.value, ...only.value }, signal),
  })
  /** What the figures that are shown are of is named as they name it; while others are on the way nothing is. */
  const names = computed(() =>
    overview.isPlaceholderData.value ? undefined : overview.data.value?.names,
  )

  /** A step of its own in the history, so that the way back leads to what was shown before. */
  function narrow(changed: Partial<Only>): void {
    const { page: _, ...query } = route.query
    const next = Object.entries({ ...query, ...changed }).filter(([, value]) => value)
    void router.push({
      query: Object.fromEntries(next.map(([name, value]) => [name, String(value)])),
    })
  }

  const scoped = { scope, only, narrow, names, hasRanking }
  const place = { filters, range, days, dimensions: shown, dimension, order, limit }
  return { isAdmin, ...scoped, ...place, overview, ranking, errors }
}
