/** What was used: sums over a span and a scope that the person chooses, and the usual spans of spending. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, ref, watch } from 'vue'
import { readOverview } from '../../../api/analytics.js'
import { readUsageByModel, readUsageByUser, type Scope } from '../../../api/data.js'
import { readLogSums } from '../../../api/logs.js'
import { isLive } from '../../../shell/live.js'
import { recall, remember } from '../../../shell/remembered.js'
import { roles } from '../../../shell/roles.js'
import { useSession } from '../../../shell/session.js'
import { useSite } from '../../../shell/site.js'
import { useLive } from '../../../shell/use-live.js'
import { lastDays } from '../../../ui/days.js'
import { useThrottled } from '../../../ui/use-throttled.js'

export type Range = 'day' | 'week' | 'month'

const daySeconds = 86_400
const daysOf: Readonly<Record<Range, number>> = { day: 1, week: 7, month: 30 }
const pollMs = 30_000
/** Models and users that are read by name. */
const topModels = 30
const topUsers = 10

export function useUsage() {
  const session = useSession()
  const site = useSite()
  const queryClient = useQueryClient()
  const isAdmin = computed(() => session.role >= roles.admin)
  const kept = ref<Scope>(recall('dashboard.scope') === 'all' ? 'all' : 'own')
  const scope = computed<Scope>({
    get: () => (isAdmin.value ? kept.value : 'own'),
    set: (next) => {
      kept.value = next
    },
  })
  const range = ref<Range>(rangeOf(recall('dashboard.range')))
  watch(range, (next) => remember('dashboard.range', next))
  watch(kept, (next) => remember('dashboard.scope', next))

  const charted = computed(() => site.status?.enable_data_export !== false)
  const refetchInterval = () => (isLive.value ? false : pollMs)
  const models = useQuery({
    queryKey: ['data', 'models', scope, range],
    queryFn: async ({ signal }) => {
      const span = spanOf(range.value)
      const asked = { ...span, top: topModels }
      return { span, rows: await readUsageByModel(scope.value, asked, signal) }
    },
    enabled: charted,
    refetchInterval,
  })
  const users = useQuery({
    queryKey: ['data', 'users', range],
    queryFn: ({ signal }) => {
      const asked = { ...spanOf(range.value), default_time: 'all', top: topUsers } as const
      return readUsageByUser(asked, signal)
    },
    enabled: computed(() => charted.value && scope.value === 'all'),
    refetchInterval,
  })
  const spent = useQuery({
    queryKey: ['data', 'spent', scope],
    queryFn: ({ signal }) => readSpent(scope.value, signal),
    refetchInterval,
  })
  const figures = useQuery({
    queryKey: ['data', 'figures', scope, range],
    queryFn: ({ signal }) => readOverview(scope.value, lastDays(daysOf[range.value]), signal),
    refetchInterval,
  })

  useLive(
    '/live/account',
    useThrottled(() => void queryClient.invalidateQueries({ queryKey: ['data'] })),
  )
  return { scope, range, isAdmin, charted, models, users, spent, figures }
}

function rangeOf(text: string | undefined): Range {
  return text === 'day' || text === 'month' ? text : 'week'
}

/** Whole steps, the one under way included. */
function spanOf(range: Range) {
  const now = Math.floor(Date.now() / 1000)
  const step = range === 'day' ? 'hour' : 'day'
  const seconds = step === 'hour' ? 3_600 : daySeconds
  const steps = step === 'hour' ? 24 : daysOf[range]
  const start = (Math.floor(now / seconds) - steps + 1) * seconds
  return { start_timestamp: start, end_timestamp: now, default_time: step } as const
}

async function readSpent(scope: Scope, signal: AbortSignal) {
  const now = Math.floor(Date.now() / 1000)
  const midnight = Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
  const since = [midnight, now - 7 * daySeconds, now - 30 * daySeconds]
  const [day, week, month] = await Promise.all(
    since.map((start_timestamp) => readLogSums(scope, { start_timestamp }, signal)),
  )
  return { day, week, month }
}
