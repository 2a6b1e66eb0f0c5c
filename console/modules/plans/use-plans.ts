/** All plans, on sale or not, read again where somebody changes one. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed } from 'vue'
import { readAllPlans } from '../../api/subscriptions.js'

export function usePlans() {
  const queryClient = useQueryClient()
  const query = useQuery({ queryKey: ['plans', 'all'], queryFn: readAllPlans })
  return {
    query,
    plans: computed(() => query.data.value ?? []),
    changed: () => queryClient.invalidateQueries({ queryKey: ['plans'] }),
  }
}
