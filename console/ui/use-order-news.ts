/** Reads orders again when one was placed, decided or reported of. */
import { useQueryClient } from '@tanstack/vue-query'
import { useLive } from '../shell/use-live.js'
import { useThrottled } from './use-throttled.js'

/** `path`: `/live/orders` of the caller's own; `/live/changes/orders` of everybody's, for admins. */
export function useOrderNews(path: '/live/orders' | '/live/changes/orders'): void {
  const queryClient = useQueryClient()
  useLive(
    path,
    useThrottled(() => {
      for (const subject of ['orders', 'order', 'order events']) {
        void queryClient.invalidateQueries({ queryKey: [subject] })
      }
    }),
  )
}
