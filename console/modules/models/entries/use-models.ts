/** The list of entries, with how many each vendor has, and the served models without one. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, shallowRef } from 'vue'
import { readMissingModels, readModels } from '../../../api/models.js'
import { useLive } from '../../../shell/use-live.js'
import { useList } from '../../../ui/list/use-list.js'
import { useThrottled } from '../../../ui/use-throttled.js'

export function useModels() {
  const queryClient = useQueryClient()
  const counts = shallowRef<Readonly<Record<string, number>>>({})
  const list = useList({
    key: 'models',
    async read(query, signal) {
      const page = await readModels(query, signal)
      counts.value = page.vendor_counts
      return page
    },
    filters: { keyword: '', vendor: '' },
  })
  const changed = () => queryClient.invalidateQueries({ queryKey: ['models'] })
  useLive(
    '/live/changes/models',
    useThrottled(() => void changed()),
  )
  const missing = useQuery({ queryKey: ['models', 'missing'], queryFn: readMissingModels })

  return {
    list,
    counts,
    missing: computed(() => missing.data.value ?? []),
    changed,
  }
}
