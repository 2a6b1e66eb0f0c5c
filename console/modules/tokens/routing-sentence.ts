/** What a choice of routing means, in one sentence. */
import { useI18n } from 'vue-i18n'
import type { Usable } from '../../api/groups.js'
import { useLostGroup } from './lost-group.js'
import type { RoutingValues } from './token-values.js'

export function useRoutingSentence() {
  const { t } = useI18n()
  const lostGroup = useLostGroup()

  function account(usable: Usable | undefined): string {
    const group = lostGroup(usable)
    return group === undefined ? t('tokens.means.account') : t('tokens.means.lost', { group })
  }

  return function sentence(values: RoutingValues, usable: Usable | undefined): string {
    const { mode, auto_route, groups, retry_on_failure } = values
    if (mode === 'account') return account(usable)
    const route = usable?.routes.find(({ key }) => key === auto_route)
    const order = mode === 'manual' ? groups : (route?.groups ?? [])
    if (mode === 'smart' && route === undefined) return t('tokens.means.noRoute')
    const [first] = order
    if (first === undefined) return t('tokens.means.noGroup')
    if (order.length === 1) return t('tokens.means.single', { group: first })
    const key = retry_on_failure ? 'chain' : 'stay'
    return t(`tokens.means.${key}`, { chain: order.join(' → ') })
  }
}
