/** Columns of the audit log. A name, an action or an object is one click from its own entries. */

import { NButton } from 'naive-ui'
import { h } from 'vue'
import type { AuditEntry, AuditFilter } from '../../api/audit.js'
import type { ListColumns } from '../../ui/list/list-column.js'
import { momentText } from '../../ui/time.js'
import EntryDetail from './entry-detail.vue'

type Columns = ListColumns<AuditEntry>
type Filter = (changed: Partial<AuditFilter>) => void

export function auditColumns(t: (key: string) => string, filter: Filter): Columns {
  const link = (name: keyof AuditFilter, text: string, shown = text) =>
    text === ''
      ? '—'
      : h(
          NButton,
          { text: true, style: linkStyle, onClick: () => filter({ [name]: text }) },
          { default: () => shown },
        )
  return [
    {
      type: 'expand',
      title: () => h('span', { class: 'unseen' }, t('shell.more')),
      renderExpand: (entry) => h(EntryDetail, { entry }),
    },
    {
      key: 'created_at',
      title: t('audit.time'),
      width: 200,
      render: ({ created_at }) => h('span', { class: 'figures' }, momentText(created_at)),
    },
    {
      key: 'actor',
      title: t('audit.actor'),
      width: 110,
      render: ({ actor_name }) => link('actor', actor_name),
    },
    {
      key: 'action',
      title: t('audit.action'),
      stays: true,
      width: 170,
      render: ({ action }) => link('action', action),
    },
    {
      key: 'object',
      title: t('audit.object'),
      minWidth: 160,
      render: ({ object, object_name }) =>
        link('object', object, object_name === '' ? object : `${object} · ${object_name}`),
    },
    { key: 'detail', title: t('audit.detail'), minWidth: 180, ellipsis: { tooltip: true } },
    { key: 'ip', title: t('audit.ip'), width: 110, ellipsis: { tooltip: true } },
  ]
}

const linkStyle = { whiteSpace: 'normal', textAlign: 'left', overflowWrap: 'anywhere' } as const
