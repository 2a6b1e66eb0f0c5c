/** What the caller has subscribed to, and what is on sale. Both are the account's: they are read again when it changes. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { readOwnSubscriptions, readPlans } from '../../api/subscriptions.js'
import { useSession } from '../../shell/session.js'
import { useTopUpInfo } from '../../ui/use-top-up-info.js'

export const subscriptionsKey = ['account', 'subscriptions'] as const

export function useSubscriptions() {
  const session = useSession()
  const queryClient = useQueryClient()
  const own = useQuery({ queryKey: [...subscriptionsKey, 'own'], queryFn: readOwnSubscriptions })
  const plans = useQuery({ queryKey: [...subscriptionsKey, 'plans'], queryFn: readPlans })
  const info = useTopUpInfo()

  /** Something was bought, changed or ended: with it the balance and perhaps the group. */
  async function changed(): Promise<void> {
    await Promise.all([
      session.read().catch(() => undefined),
      queryClient.invalidateQueries({ queryKey: subscriptionsKey }),
      queryClient.invalidateQueries({ queryKey: ['orders'] }),
    ])
  }

  const gatewayTitle = (name: string) =>
    info.data.value?.gateways.find((one) => one.name === name)?.title ?? name

  return { own, plans, info, changed, gatewayTitle }
}
