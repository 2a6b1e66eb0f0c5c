/** Which tasks are shown; admins also filter by whose they are and by channel. */
import type { FilterField } from '../../ui/list/filters/filter-field.js'
import { states } from './task-words.js'
import type { TaskFilters } from './use-tasks.js'

export function taskFilters(
  t: (key: string) => string,
  isOfAll: boolean,
): readonly FilterField<TaskFilters>[] {
  const text = (name: 'model' | 'platform' | 'task_id' | 'username') =>
    ({ kind: 'text', name, label: t(`tasks.filters.${name}`) }) as const
  const ofAll = [
    text('username'),
    { kind: 'number', name: 'channel_id', label: t('tasks.filters.channel_id') },
  ] as const
  return [
    { ...text('model'), wide: true },
    {
      ...{ kind: 'select', name: 'state', label: t('tasks.filters.state') },
      any: t('tasks.anyState'),
      options: states.map((value) => ({ value, label: t(`tasks.states.${value}`) })),
    },
    text('platform'),
    text('task_id'),
    ...(isOfAll ? ofAll : []),
    { kind: 'span', name: 'from', until: 'to', label: t('shell.filters.span') },
  ]
}
