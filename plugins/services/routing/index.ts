/** Routing: turns a caller into an ordered list of groups, and a group and model into the channel of the next try. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Route } from '../../../kernel/contract/line/channel.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { autoRoutes } from './auto-routes.js'
import { checkSpecialGroups, checkUsableGroups, groupOptions } from './group-options.js'
import { usableGroups } from './groups.js'
import { heldBack } from './held-back.js'
import { picker } from './pick.js'
import { planner } from './plan.js'
import type { Routing } from './routing.js'

export type * from './routing.js'

type RoutingKit = Kit<
  'database' | 'changes' | 'options' | 'channels' | 'health' | 'pricing' | 'providers'
>

export default function create({ settings, services, clock }: RoutingKit): Routing & Life {
  const { database, changes, options, channels, health, pricing, providers } = services
  const groups = usableGroups(settings, pricing)
  const routes = autoRoutes(database, changes)
  const defaultsToAuto = () => settings.boolean('defaultUseAutoGroup')
  options.check(groupOptions.usable, checkUsableGroups)
  options.check(groupOptions.special, checkSpecialGroups)

  return {
    ...planner({
      groups,
      autoRoutes: routes,
      useAutoByDefault: defaultsToAuto,
    }),
    defaultsToAuto,
    pick: picker({
      channels,
      health,
      providers,
      random: Math.random,
      now: () => clock.monotonic(),
      retriesPerGroup: () => settings.number('retryTimes'),
    }),
    heldBack: heldBack({ channels, health, providers }),
    usableGroups: groups.list,
    models: (route: Route) => [...new Set(route.groups.flatMap((group) => channels.models(group)))],
    start: routes.start,
  }
}
