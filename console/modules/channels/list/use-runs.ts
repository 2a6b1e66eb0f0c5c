/** Runs over all channels: they go on in the gateway whoever watches, so who comes back sees how far they are. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, reactive, watch } from 'vue'
import { type RunName, type RunProgress, readRun, startRun } from '../../../api/channel-tests.js'
import { isLive } from '../../../shell/live.js'
import { useLive } from '../../../shell/use-live.js'

export const runNames: readonly RunName[] = ['tests', 'balances', 'updates']

const pollMs = 1_500
/** A run that ended longer ago is no news. */
const newsSeconds = 900
/** When runs that were put away began. */
const putAway = reactive(new Set<string>())

export interface ShownRun extends RunProgress {
  readonly name: RunName
}

export function useRuns(ended: (name: RunName) => void) {
  const queryClient = useQueryClient()
  const runs = runNames.map((name) => ({ name, query: useRun(name, () => ended(name)) }))

  useLive('/live/runs', ({ run, ...progress }) => {
    if (run === undefined) void queryClient.invalidateQueries({ queryKey: ['channel-runs'] })
    if (!runNames.includes(run as RunName)) return
    const key = ['channel-runs', run]
    queryClient.setQueryData(key, (before: object = {}) => ({ ...before, ...progress }))
    // Which ones failed is shown on demand.
    if (progress.running === false) void queryClient.invalidateQueries({ queryKey: key })
  })

  const shown = computed<readonly ShownRun[]>(() =>
    runs.flatMap(({ name, query }) => {
      const progress = query.data.value
      return progress !== undefined && isNews(name, progress) ? [{ ...progress, name }] : []
    }),
  )

  return {
    shown,
    busy: computed(
      () => new Set(shown.value.filter(({ running }) => running).map(({ name }) => name)),
    ),
    async start(name: RunName) {
      queryClient.setQueryData(['channel-runs', name], await startRun(name))
    },
    putAway: putRunAway,
    /** Its result is no longer shown. */
    done: (name: RunName) => shown.value.filter((run) => run.name === name).forEach(putRunAway),
  }
}

function putRunAway({ name, started_at }: ShownRun): void {
  putAway.add(`${name}:${started_at}`)
}

function isNews(name: RunName, { running, started_at }: RunProgress): boolean {
  if (running) return true
  if (started_at === 0 || putAway.has(`${name}:${started_at}`)) return false
  return Date.now() / 1000 - started_at < newsSeconds
}

function useRun(name: RunName, ended: () => void) {
  const query = useQuery({
    queryKey: ['channel-runs', name],
    queryFn: () => readRun(name),
    refetchInterval: ({ state }) => (state.data?.running && !isLive.value ? pollMs : false),
  })
  watch(
    () => query.data.value?.running,
    (running, before) => {
      if (before === true && running === false) ended()
    },
  )
  return query
}
