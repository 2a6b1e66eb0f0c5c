/** Columns of the table of groups. */
import { Pencil, Trash2 } from '@lucide/vue'
import { type DataTableColumns, NTag } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import type { Group } from '../../api/group-admin.js'
import Dot from '../../ui/dot.vue'
import RowButton from '../../ui/list/row-button.vue'
import { countText } from '../../ui/time.js'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  /** Only root changes groups. */
  readonly mayChange: boolean
  readonly edit: (group: Group) => void
  readonly remove: (group: Group) => void
}

/** Where new users are put, and whoever names no group. */
const defaultGroup = 'default'

export function groupColumns(terms: ColumnOptions): DataTableColumns<Group> {
  const { t } = terms
  return [
    {
      key: 'name',
      title: t('groups.name'),
      minWidth: 160,
      render: (group) => nameCell(terms, group),
    },
    {
      key: 'ratio',
      title: t('groups.ratio'),
      width: 76,
      align: 'right',
      render: ({ ratio }) => figures(`×${ratio}`),
    },
    {
      key: 'usable',
      title: t('groups.usable'),
      width: 140,
      render: ({ usable }) =>
        h(Dot, {
          tone: usable ? 'good' : 'quiet',
          text: t(usable ? 'groups.everybody' : 'groups.membersOnly'),
        }),
    },
    {
      key: 'exceptions',
      title: t('groups.exceptions'),
      minWidth: 160,
      render: (group) => exceptions(terms, group),
    },
    ...(['channels', 'users', 'auto_routes'] as const).map((key) => ({
      key,
      title: t(`groups.counts.${key}`),
      width: 96,
      align: 'right' as const,
      render: (group: Group) => figures(countText(group[key]), group[key] === 0),
    })),
    ...(terms.mayChange ? [actions(terms)] : []),
  ]
}

function nameCell({ t }: ColumnOptions, { name, desc }: Group): VNodeChild {
  const mark = h(NTag, { size: 'small', bordered: false }, () => t('groups.isDefault'))
  return [
    h('div', { class: 'row' }, [h('strong', name), ...(name === defaultGroup ? [mark] : [])]),
    ...(desc !== '' && desc !== name ? [h('div', { class: 'quiet' }, desc)] : []),
  ]
}

function exceptions({ t }: ColumnOptions, group: Group): VNodeChild {
  const ratios = Object.entries(group.special_ratios).map(([name, ratio]) =>
    t('groups.payRatio', { name, ratio: `×${ratio}` }),
  )
  const also = group.also_usable.map((name) => t('groups.mayUse', { name }))
  const not = group.not_usable.map((name) => t('groups.mayNotUse', { name }))
  const lines = [...ratios, ...also, ...not]
  if (lines.length === 0) return h('span', { class: 'quiet' }, '—')
  const shown = lines.slice(0, 3).map((line) => h('div', { class: 'quiet' }, line))
  return lines.length > 3
    ? [...shown, h('div', { class: 'quiet' }, `+ ${lines.length - 3}`)]
    : shown
}

function figures(text: string, quiet = false): VNodeChild {
  return h('span', { class: ['figures', { quiet }] }, text)
}

function actions({ t, edit, remove }: ColumnOptions): DataTableColumns<Group>[number] {
  return {
    key: 'actions',
    title: () => h('span', { class: 'unseen' }, t('shell.more')),
    width: 96,
    fixed: 'right',
    render: (group) => {
      const { name } = group
      const editing = { icon: Pencil, name: t('groups.edit', { name }), onClick: () => edit(group) }
      const removing = {
        icon: Trash2,
        name: t('groups.remove', { name }),
        onClick: () => remove(group),
      }
      return h('div', { class: 'row' }, [
        h(RowButton, editing),
        ...(name === defaultGroup ? [] : [h(RowButton, removing)]),
      ])
    },
  }
}
