/** Columns of the table of channels. */

import type { DataTableBaseColumn } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import type { KnownType } from '../../../api/channel-choices.js'
import { type Channel, updateChannel } from '../../../api/channels.js'
import type { ListColumns } from '../../../ui/list/list-column.js'
import HealthCell from './health-cell.vue'
import LatencyCell from './latency-cell.vue'
import MoneyCell from './money-cell.vue'
import NameCell from './name-cell.vue'
import NumberCell from './number-cell.vue'
import type { RowAction } from './row-action.js'
import RowActions from './row-actions.vue'
import type { Row, TagRow } from './rows.js'
import ServedCell from './served-cell.vue'
import SortTitle from './sort-title.vue'
import SwitchCell from './switch-cell.vue'
import type { TagAction } from './tag-action.js'
import TagCell from './tag-cell.vue'
import type { HealthById } from './use-channel-list.js'

export interface ColumnOptions {
  readonly t: (key: string, named?: Record<string, unknown>) => string
  readonly types: ReadonlyMap<number, KnownType>
  readonly health: HealthById
  readonly sorted: { readonly by: string; readonly order: string }
  sort(by: string, order: string): void
  run(action: RowAction, channel: Channel): void
  runTag(action: TagAction, tag: string): void
  changed(): void
  /** A phone shows what one looks at first: the name, how it fares, and the switch. */
  readonly narrow: boolean
}

const onPhone: ReadonlySet<unknown> = new Set(['name', 'on', 'actions'])

export function columnsOf(terms: ColumnOptions): ListColumns<Row> {
  const all = wideColumns(terms)
  return terms.narrow
    ? all.filter((one) => 'type' in one || ('key' in one && onPhone.has(one.key)))
    : all
}

function wideColumns(terms: ColumnOptions): ListColumns<Row> {
  const { t, health } = terms
  const resting = ({ id }: Channel) => {
    const { open = 0, half_open = 0, parked = 0 } = health.get(id) ?? {}
    return open + half_open + parked > 0
  }
  return [
    { type: 'selection', width: 36 },
    {
      ...column(terms, 'name', 160, () => null),
      title: () => sortable(terms, 'name', 'name'),
      stays: true,
      colSpan: (row) => (row.kind === 'tag' ? (terms.narrow ? 3 : 9) : 1),
      render: (row) => (row.kind === 'tag' ? tagCell(terms, row) : nameCell(terms, row.channel)),
    },
    column(terms, 'served', 96, (channel) => h(ServedCell, { channel })),
    column(terms, 'health', 128, (channel) =>
      h(HealthCell, { channel, health: health.get(channel.id) }),
    ),
    {
      ...column(terms, 'latency', 110, (channel) =>
        h(LatencyCell, { channel, health: health.get(channel.id) }),
      ),
      title: () => sortable(terms, 'response_time', 'latency'),
      sorted: terms.sorted.by === 'response_time',
    },
    {
      ...column(terms, 'priority', 86, (channel) => number(terms, channel, 'priority')),
      title: () => sortable(terms, 'priority', 'priority'),
      sorted: terms.sorted.by === 'priority',
      align: 'right',
    },
    {
      ...column(terms, 'weight', 70, (channel) => number(terms, channel, 'weight')),
      align: 'right',
    },
    {
      key: 'money',
      width: 98,
      title: () => sortable(terms, 'used_quota', 'money'),
      label: t('channels.columns.money'),
      sorted: terms.sorted.by === 'used_quota',
      about: true,
      amounts: (row) => (row.kind === 'channel' ? [row.channel.used_quota] : []),
      renderAmount: (row, money) =>
        row.kind === 'channel' ? h(MoneyCell, { channel: row.channel, money }) : null,
    },
    column(terms, 'on', 56, (channel) => h(SwitchCell, { channel, onChanged: terms.changed })),
    {
      ...column(terms, 'actions', 72, (channel) =>
        h(RowActions, { channel, resting: resting(channel), onRun: terms.run }),
      ),
      fixed: 'right',
      title: () => h('span', { class: 'unseen' }, t('shell.more')),
    },
  ]
}

function column(
  { t }: ColumnOptions,
  key: string,
  width: number,
  render: (channel: Channel) => VNodeChild,
): DataTableBaseColumn<Row> & { readonly label: string } {
  return {
    key,
    width,
    label: t(`channels.columns.${key}`),
    title: t(`channels.columns.${key}`),
    render: (row) => (row.kind === 'channel' ? render(row.channel) : null),
  }
}

function tagCell({ runTag }: ColumnOptions, { tag, count, children }: TagRow): VNodeChild {
  const onRun = (action: TagAction) => runTag(action, tag)
  return h(TagCell, { tag, count, shown: children.length, onRun })
}

function nameCell({ t, types, narrow, health }: ColumnOptions, channel: Channel): VNodeChild {
  const { type } = channel
  const name = h(NameCell, {
    ...{ channel, type: types.get(type)?.title ?? t('channels.list.type', { type }) },
  })
  return narrow ? [name, h(HealthCell, { channel, health: health.get(channel.id) })] : name
}

function sortable({ t, sorted, sort }: ColumnOptions, column: string, key: string): VNodeChild {
  const title = t(`channels.columns.${key}`)
  return h(SortTitle, { title, column, ...sorted, onSort: sort })
}

function number(terms: ColumnOptions, channel: Channel, field: 'priority' | 'weight') {
  const { id, name } = channel
  return h(NumberCell, {
    key: `${id}:${field}`,
    value: channel[field],
    name: terms.t('channels.list.of', { what: terms.t(`channels.columns.${field}`), name }),
    async save(value: number) {
      await updateChannel({ id, [field]: value })
      terms.changed()
    },
  })
}
