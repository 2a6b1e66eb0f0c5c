/** Users: what admins do to them (management/README.md section 4). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import { usersAccessTokens } from './access-tokens.js'
import * as acting from './acting.js'
import { factorStats } from './factor-stats.js'
import * as forms from './forms.js'
import { changeManyUsers } from './many.js'
import { moveManyBalances } from './many-balances.js'
import { manyUsersForm, moveManyForm, removeManyForm } from './many-forms.js'
import { removeManyUsers } from './many-removals.js'
import { people } from './people.js'
import { userList, wholeUser } from './reading.js'
import * as responses from './responses.js'

export default function create({
  services,
}: Kit<
  | 'database'
  | 'audit'
  | 'changes'
  | 'identity'
  | 'ledger'
  | 'pricing'
  | 'factors'
  | 'registration'
  | 'verification'
  | 'oauth'
>): Management {
  const users = people(services)
  const dependencies = { ...services, users }
  const accessTokens = usersAccessTokens(dependencies)
  const list = {
    query: forms.userSearch,
    response: responses.userPage,
    searches: true,
    handle: (request: ManagementRequest<forms.UserSearch>) => userList(request, dependencies),
  }
  const removeFactor = (which: 'totp' | 'passkeys') => ({
    params: forms.userId,
    response: noData,
    handle: (request: ManagementRequest) => acting.removeFactor(request, users, which),
  })
  return {
    routes: {
      list,
      search: list,
      read: {
        params: forms.userId,
        response: responses.wholeUser,
        handle: (request) => wholeUser(acting.idOf(request), dependencies),
      },
      create: {
        body: forms.newUserForm,
        response: responses.user,
        handle: (request) => acting.createUser(request, dependencies),
      },
      update: {
        body: forms.userChanges,
        response: responses.user,
        handle: (request) => acting.updateUser(request, dependencies),
      },
      manage: {
        body: forms.manageForm,
        response: responses.standing,
        handle: (request) => acting.manageUser(request, dependencies),
      },
      remove: {
        params: forms.userId,
        response: noData,
        handle: (request) => acting.removeUser(request, users),
      },
      changeMany: {
        body: manyUsersForm,
        response: responses.editedUsers,
        handle: (request) => changeManyUsers(request, dependencies),
      },
      moveMany: {
        body: moveManyForm,
        response: responses.movedBalances,
        handle: (request) => moveManyBalances(request, dependencies),
      },
      removeMany: {
        body: removeManyForm,
        response: responses.editedUsers,
        handle: (request) => removeManyUsers(request, services),
      },
      factorStats: {
        response: responses.factorStats,
        handle: () => factorStats(services.database),
      },
      removePasskeys: removeFactor('passkeys'),
      removeTwoFactor: removeFactor('totp'),
      accessTokens: {
        params: forms.userId,
        response: responses.accessTokenList,
        handle: accessTokens.list,
      },
      removeAccessToken: {
        params: forms.userAccessToken,
        response: noData,
        handle: accessTokens.remove,
      },
      endSessions: {
        params: forms.userId,
        response: responses.endedSessions,
        handle: (request) => acting.endSessions(request, users),
      },
      unbind: {
        params: forms.userBinding,
        response: noData,
        handle: (request) => acting.unbind(request, users),
      },
    },
  }
}
