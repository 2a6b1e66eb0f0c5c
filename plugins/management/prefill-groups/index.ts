/** Prefill groups: named lists of models, tags or endpoints that an admin fills forms in from (management/README.md section 7). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import {
  type GroupChanges,
  type GroupSearch,
  groupChanges,
  groupId,
  groupSearch,
  type NewGroup,
  newGroup,
} from './forms.js'
import { groupStore } from './store.js'

export default function create({ services }: Kit<'database'>): Management {
  const groups = groupStore(services.database)
  return {
    routes: {
      list: {
        query: groupSearch,
        handle: ({ query }: ManagementRequest<GroupSearch>) => groups.list(query),
      },
      create: {
        body: newGroup,
        handle: ({ body }: ManagementRequest<unknown, NewGroup>) => groups.create(body),
      },
      update: {
        body: groupChanges,
        handle: ({ body }: ManagementRequest<unknown, GroupChanges>) => groups.update(body),
      },
      remove: {
        params: groupId,
        async handle({ params }: ManagementRequest) {
          await groups.remove(Number(params.id))
        },
      },
    },
  }
}
