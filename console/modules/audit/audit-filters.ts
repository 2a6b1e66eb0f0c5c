/** Which entries are shown. */
import type { AuditFilter } from '../../api/audit.js'
import type { FilterField } from '../../ui/list/filters/filter-field.js'

export function auditFilters(t: (key: string) => string): readonly FilterField<AuditFilter>[] {
  const text = (name: 'actor' | 'action' | 'object' | 'request_id') =>
    ({ kind: 'text', name, label: t(`audit.filters.${name}`) }) as const
  return [
    text('actor'),
    text('action'),
    text('object'),
    text('request_id'),
    { kind: 'channel', name: 'channel', label: t('audit.filters.channel') },
    {
      ...{ kind: 'span', name: 'start_timestamp', until: 'end_timestamp' },
      label: t('shell.filters.span'),
    },
  ]
}
