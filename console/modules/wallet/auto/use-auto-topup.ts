/**
 * Automatic top-up of the caller. It is the account's: it is read again when the balance changes, and while a payment runs;
 * and what a payment changes is read again with it.
 */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, watch } from 'vue'
import { type AutoTopup, readAutoTopup } from '../../../api/auto-topup.js'
import { useSession } from '../../../shell/session.js'

export const autoTopupKey = ['account', 'auto-topup'] as const

/** Milliseconds between two reads. */
const chargingMs = 3_000
const usualMs = 30_000

export function useAutoTopup() {
  const session = useSession()
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: autoTopupKey,
    queryFn: readAutoTopup,
    refetchInterval: ({ state }) => pauseMs(state.data),
  })
  watch(
    () => paymentsOf(query.data.value),
    (_, before) => {
      if (before === '') return
      void session.read().catch(() => undefined)
      void queryClient.invalidateQueries({ queryKey: ['orders'] })
    },
  )
  /** Where nobody could begin it and nothing was begun, nothing is said of it. */
  const isShown = computed(() => {
    const { data, error } = query
    return data.value === undefined ? error.value !== null : concerns(data.value)
  })
  return { query, isShown }
}

function pauseMs(auto: AutoTopup | undefined): number | false {
  if (auto?.enabled !== true) return false
  return auto.state === 'charging' ? chargingMs : usualMs
}

/** Differs once a payment was begun or decided. Empty: nothing was read yet. */
function paymentsOf(auto: AutoTopup | undefined): string {
  return auto === undefined ? '' : `${auto.state} ${auto.spent}`
}

function concerns({ offered, gateways, mandates, gateway }: AutoTopup): boolean {
  return (offered && gateways.length > 0) || mandates.length > 0 || gateway !== ''
}
