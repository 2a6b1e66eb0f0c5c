/** The channel of the address, read again when somebody changes it. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed } from 'vue'
import { useRoute } from 'vue-router'
import { readChannel } from '../../api/channels.js'
import { isLive } from '../../shell/live.js'
import { useLive } from '../../shell/use-live.js'

/** Where changes are not announced. */
const pollMs = 20_000

export function useChannel() {
  const route = useRoute()
  const queryClient = useQueryClient()
  const id = computed(() => Number(route.params.id))
  const query = useQuery({
    queryKey: ['channels', 'one', id],
    queryFn: () => readChannel(id.value),
    refetchInterval: () => (isLive.value ? false : pollMs),
  })

  useLive('/live/changes/channels', ({ ids }) => {
    if (Array.isArray(ids) && !ids.map(Number).includes(id.value)) return
    void queryClient.invalidateQueries({ queryKey: ['channels'] })
  })
  return { id, query, channel: query.data }
}
