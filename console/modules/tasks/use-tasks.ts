/** The list of the page: whose tasks, which of them, and when they are read again. */
import { useQueryClient } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { Scope } from '../../api/data.js'
import { readTasks, type Task, type TaskFilter } from '../../api/tasks.js'
import { roles } from '../../shell/roles.js'
import { useSession } from '../../shell/session.js'
import { useLive } from '../../shell/use-live.js'
import { type List, useList } from '../../ui/list/use-list.js'
import { useThrottled } from '../../ui/use-throttled.js'

export type TaskFilters = TaskFilter & { readonly scope: Scope }

export function useTasks() {
  const session = useSession()
  const queryClient = useQueryClient()
  const isAdmin = session.role >= roles.admin
  const usual: TaskFilters = {
    scope: isAdmin ? 'all' : 'own',
    state: '',
    platform: '',
    model: '',
    task_id: '',
    from: 0,
    to: 0,
    username: '',
    channel_id: 0,
  }
  const list: List<Task, TaskFilters> = useList<Task, TaskFilters>({
    key: 'tasks',
    read: ({ scope, ...query }, signal) => readTasks(isAdmin ? scope : 'own', query, signal),
    filters: usual,
  })
  /** Whatever the address holds, only admins see others. */
  const scope = computed<Scope>(() => (isAdmin ? list.filters.scope : 'own'))

  async function refresh(): Promise<void> {
    await Promise.all(
      ['tasks', 'task'].map((subject) => queryClient.invalidateQueries({ queryKey: [subject] })),
    )
  }

  useLive(
    isAdmin ? '/live/changes/tasks' : '/live/tasks',
    useThrottled(() => void refresh()),
  )
  return { list, scope, isAdmin, refresh }
}
