/** Prefill groups: named lists of models, tags or endpoints that an admin fills forms in from (management/README.md section 7). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import {
  type GroupChanges,
  type GroupSearch,
  groupChanges,
  groupId,
  groupSearch,
  type NewGroup,
  newGroup,
} from './forms.js'
import { prefillGroup, prefillGroupList } from './responses.js'
import { groupStore } from './store.js'

export default function create({ services }: Kit<'database'>): Management {
  const groups = groupStore(services.database)
  return {
    routes: {
      list: {
        query: groupSearch,
        response: prefillGroupList,
        handle: ({ query }: ManagementRequest<GroupSearch>) => groups.list(query),
      },
      create: {
        body: newGroup,
        response: prefillGroup,
        handle: ({ body }: ManagementRequest<unknown, NewGroup>) => groups.create(body),
      },
      update: {
        body: groupChanges,
        response: prefillGroup,
        handle: ({ body }: ManagementRequest<unknown, GroupChanges>) => groups.update(body),
      },
      remove: {
        params: groupId,
        response: noData,
        async handle({ params }: ManagementRequest) {
          await groups.remove(Number(params.id))
        },
      },
    },
  }
}
