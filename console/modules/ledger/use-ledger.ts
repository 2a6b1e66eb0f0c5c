/** The ledger at a glance, and its check; what is set aside changes with every request, so it is read every few seconds. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, ref } from 'vue'
import { ApiFailure } from '../../api/failure.js'
import { checkLedger, readLedger } from '../../api/ledger.js'
import { useLive } from '../../shell/use-live.js'
import { useThrottled } from '../../ui/use-throttled.js'
import { useWait } from '../../ui/use-wait.js'

const refreshMs = 10_000

export function useLedger() {
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['ledger'],
    queryFn: ({ signal }) => readLedger(signal),
    refetchInterval: refreshMs,
  })

  async function again(): Promise<void> {
    const keys = ['ledger', 'ledger-holds', 'ledger-entries']
    await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
  }
  useLive(
    '/live/account',
    useThrottled(() => void again()),
  )
  return { query, ledger: query.data, again, check: useCheck(again) }
}

function useCheck(again: () => Promise<void>) {
  const busy = ref(false)
  const problem = ref('')
  const wait = useWait()

  async function run(): Promise<void> {
    busy.value = true
    problem.value = ''
    try {
      await checkLedger()
      await again()
    } catch (error) {
      wait.heed(error)
      problem.value = error instanceof ApiFailure ? error.message : String(error)
    } finally {
      busy.value = false
    }
  }

  return { busy, problem, wait: wait.left, idle: computed(() => wait.left.value === 0), run }
}
