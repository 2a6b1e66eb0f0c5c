/** How reads are kept and tried again: never at once where the gateway named a time to wait (LIMIT-8). */
import { QueryClient, type VueQueryPluginOptions } from '@tanstack/vue-query'
import { ApiFailure } from '../api/failure.js'

const triesMax = 2
const waitMaxSeconds = 60

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (tried, error) => tried < triesMax && mayPass(error),
      retryDelay: (tried, error) => waitMs(error) ?? 500 * 2 ** tried,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

export const queryOptions: VueQueryPluginOptions = { queryClient }

/** Refusals stay refusals; what failed on the way, or was too much just now, may go another time. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  if (error.status === 429) return (error.retryAfter ?? Number.POSITIVE_INFINITY) <= waitMaxSeconds
  return error.status === 0 || error.status >= 502
}

function waitMs(error: unknown): number | undefined {
  if (!(error instanceof ApiFailure) || error.retryAfter === undefined) return undefined
  return error.retryAfter * 1000
}
