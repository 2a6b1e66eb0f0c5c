/** Groups: which ones the caller may use, at which ratio, the auto routes beside them (ROUTE-17), and what admins do to them. */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { AutoRoute, UsableGroup } from '../../services/routing/index.js'
import { type GroupForm, groupForm, groupName, type ModelsQuery, modelsQuery } from './forms.js'
import { groupStore } from './group-store.js'
import {
  group,
  groupList,
  groupsForKeys,
  modelNames,
  usableChoices,
  usableGroups,
  usableRoutes,
} from './responses.js'

/** Groups a policy may hold (ROUTE-6). */
const policyGroupsMax = 8

export default function create({
  services,
}: Kit<'database' | 'options' | 'routing' | 'ledger'>): Management {
  const { routing, ledger } = services
  const groups = groupStore(services)

  function list(request: ManagementRequest): Answer {
    const caller = signedIn(request)
    return {
      answer: true,
      data: Object.fromEntries(routing.usableGroups(caller).map(groupEntry)),
      beside: { auto_routes: routing.autoRoutes(caller).map((route) => ({ ...route })) },
    }
  }

  /** A group stands before a route of the same name, as it does for requests. */
  function own(request: ManagementRequest) {
    const caller = signedIn(request)
    const routes = routing.autoRoutes(caller).map(routeEntry)
    return Object.fromEntries([...routes, ...routing.usableGroups(caller).map(groupEntry)])
  }

  function forKeys(request: ManagementRequest) {
    const names = routing.usableGroups(signedIn(request)).map(({ name }) => name)
    return { groups: names, max_count: policyGroupsMax }
  }

  /** Of the group named, else of the route the caller's requests take when nobody names one. */
  async function models(request: ManagementRequest<ModelsQuery>) {
    const { userId, username, role, group } = signedIn(request)
    const walletId = (await ledger.wallets([userId])).get(userId)?.accountId ?? 0
    const user = { id: userId, username, role, group, walletId }
    return routing.models(routing.plan({ user }, { requested: request.query.group || undefined }))
  }

  return {
    routes: {
      all: { response: groupList, handle: () => groups.list() },
      put: {
        body: groupForm,
        response: group,
        handle: (request: ManagementRequest<unknown, GroupForm>) => groups.put(request.body),
      },
      remove: {
        params: groupName,
        response: noData,
        async handle(request: ManagementRequest) {
          await groups.remove(String(request.params.name))
          return null
        },
      },
      models: { query: modelsQuery, response: modelNames, handle: models },
      list: { response: usableGroups, beside: { auto_routes: usableRoutes }, handle: list },
      own: { response: usableChoices, handle: own },
      'own-short': { response: usableChoices, handle: own },
      'for-keys': { response: groupsForKeys, handle: forKeys },
    },
  }
}

function groupEntry({ name, ratio, desc }: UsableGroup) {
  return [name, { ratio, desc }] as const
}

/** The ratio of a route is that of whichever of its groups serves. */
function routeEntry({ key, display_name }: AutoRoute) {
  return [key, { ratio: 'auto', desc: display_name }] as const
}
