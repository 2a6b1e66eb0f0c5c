/** The list of the log page and the sums over the same filter. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { Scope } from '../../api/data.js'
import { type LogFilter, type LogRow, readLog, readLogSums } from '../../api/logs.js'
import { roles } from '../../shell/roles.js'
import { useSession } from '../../shell/session.js'
import { type List, useList } from '../../ui/list/use-list.js'

export type LogFilters = LogFilter & { readonly scope: Scope }

export function useLog() {
  const session = useSession()
  const isAdmin = session.role >= roles.admin
  const filters: LogFilters = {
    scope: isAdmin ? 'all' : 'own',
    type: 0,
    start_timestamp: 0,
    end_timestamp: 0,
    model_name: '',
    token_name: '',
    username: '',
    group: '',
    channel: 0,
    request_id: '',
    error_code: '',
  }
  const list: List<LogRow, LogFilters> = useList<LogRow, LogFilters>({
    key: 'logs',
    read: ({ scope, ...query }, signal) => readLog(isAdmin ? scope : 'own', query, signal),
    filters,
  })
  /** Whatever the address holds, only admins see others. */
  const scope = computed<Scope>(() => (isAdmin ? list.filters.scope : 'own'))
  const sums = useQuery({
    queryKey: ['logs', 'sums', list.filters],
    queryFn: ({ signal }) => readLogSums(scope.value, filterOf(list.filters), signal),
  })
  return { list, scope, sums, isAdmin }
}

export function filterOf({ scope: _, ...filter }: LogFilters): LogFilter {
  return filter
}
