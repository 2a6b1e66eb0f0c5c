/** What of the log is shown; admins also filter by whose it is and by channel. */
import { modelsLike } from '../../api/logs.js'
import type { FilterField } from '../../ui/list/filters/filter-field.js'
import type { LogFilters } from './log-list.js'

type Text = 'model_name' | 'token_name' | 'group' | 'request_id' | 'error_code' | 'username'

export function logFilters(
  t: (key: string) => string,
  isOfAll: boolean,
): readonly FilterField<LogFilters>[] {
  const text = (name: Text) => ({ kind: 'text', name, label: t(`logs.filters.${name}`) }) as const
  const ofAll = [
    text('username'),
    { kind: 'channel', name: 'channel', label: t('logs.filters.channel') },
  ] as const
  return [
    {
      ...text('model_name'),
      wide: true,
      suggest: (word) => modelsLike(isOfAll ? 'all' : 'own', word),
    },
    {
      ...{ kind: 'span', name: 'start_timestamp', until: 'end_timestamp' },
      label: t('shell.filters.span'),
    },
    {
      ...{ kind: 'select', name: 'type', label: t('logs.columns.type'), any: t('logs.types.0') },
      options: [2, 6, 1, 3, 4, 5].map((value) => ({ value, label: t(`logs.types.${value}`) })),
    },
    text('token_name'),
    text('group'),
    ...(isOfAll ? ofAll : []),
    text('error_code'),
    text('request_id'),
  ]
}
