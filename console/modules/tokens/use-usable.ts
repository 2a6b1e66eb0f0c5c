/** Groups, auto routes and models the person may use. */
import { useQuery } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { readUsable, readUsableModels } from '../../api/groups.js'
import { readPricing } from '../../api/pricing.js'
import type { RoutingValues } from './token-values.js'

export function useUsable() {
  return useQuery({ queryKey: ['groups', 'usable'], queryFn: readUsable, staleTime: 60_000 })
}

/** Where the operator hides the list there are none, and nothing hangs on them. */
export function usePrices() {
  return useQuery({ queryKey: ['pricing'], queryFn: readPricing, staleTime: 60_000 })
}

/** Every model a route leads to, those of its first group first (ROUTE-15). */
export function useRouteModels(routing: Ref<RoutingValues | undefined>) {
  const named = computed(() => (routing.value === undefined ? undefined : namesOf(routing.value)))
  return useQuery({
    queryKey: ['groups', 'models', named],
    enabled: () => named.value !== undefined,
    staleTime: 60_000,
    async queryFn() {
      const lists = await Promise.all((named.value ?? []).map((name) => modelsOf(name)))
      return [...new Set(lists.flat())]
    },
  })
}

function namesOf({ mode, auto_route, groups }: RoutingValues): readonly string[] {
  if (mode === 'manual') return groups
  return [mode === 'smart' ? auto_route : '']
}

/** A group that may not be used any more has no models. */
function modelsOf(name: string): Promise<readonly string[]> {
  return readUsableModels(name).catch(() => [])
}
