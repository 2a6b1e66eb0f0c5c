/**
 * The person's newest tasks, read again when the gateway announces that one of them went on. Without a socket they are read
 * now and then while one is under way and the page is there.
 */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { type MediaTask, readTasks } from '../../../api/media.js'
import { isLive } from '../../../shell/live.js'
import { useLive } from '../../../shell/use-live.js'
import { useThrottled } from '../../../ui/use-throttled.js'

const pollMs = 10_000

export function useMediaTasks() {
  const query = useQuery({
    queryKey: ['playground', 'tasks'],
    queryFn: ({ signal }) => readTasks(signal),
    // Computed, so that a socket that breaks or comes back counts at once.
    refetchInterval: computed(() => {
      if (isLive.value) return false
      return ({ state }: { readonly state: { readonly data?: readonly MediaTask[] } }) =>
        state.data?.some(isUnderWay) ? pollMs : false
    }),
  })
  useLive(
    '/live/tasks',
    useThrottled(() => void query.refetch()),
  )
  return query
}

export function isUnderWay({ state }: Pick<MediaTask, 'state'>): boolean {
  return state !== 'succeeded' && state !== 'failed'
}
