/** The group of the account, where it cannot be used and requests that follow it are refused (ROUTE-10). */
import type { Usable } from '../../api/groups.js'
import { useSession } from '../../shell/session.js'
import { useSite } from '../../shell/site.js'

export function useLostGroup() {
  const session = useSession()
  const site = useSite()

  return function lostGroup(usable: Usable | undefined): string | undefined {
    const own = session.self?.group ?? ''
    if (own === '' || usable === undefined || site.status?.default_use_auto_group) return undefined
    return usable.groups.some(({ name }) => name === own) ? undefined : own
  }
}
