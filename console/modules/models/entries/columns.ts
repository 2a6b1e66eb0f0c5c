/** Columns of the table of entries. */

import { Pencil, Trash2 } from '@lucide/vue'
import { NTag } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import { type ModelEntry, nameRules } from '../../../api/models.js'
import type { ListColumns } from '../../../ui/list/list-column.js'
import RowButton from '../../../ui/list/row-button.vue'
import RowSwitch from '../../../ui/list/row-switch.vue'
import EntryIcon from '../entry-icon.vue'
import { endpointTypesIn } from './endpoints-field.js'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  readonly edit: (entry: ModelEntry) => void
  readonly toggle: (entry: ModelEntry, on: boolean) => Promise<unknown>
  readonly remove: (entry: ModelEntry) => void
}

const tagsShown = 3
const namesShown = 2

export function modelColumns(terms: ColumnOptions): ListColumns<ModelEntry> {
  const { t } = terms
  return [
    {
      key: 'name',
      title: t('models.name'),
      stays: true,
      minWidth: 230,
      render: (entry) => nameCell(terms, entry),
    },
    {
      key: 'vendor',
      title: t('models.vendor'),
      width: 110,
      render: ({ vendor_name }) => vendor_name || quiet('—'),
    },
    {
      key: 'tags',
      title: t('models.tags'),
      width: 140,
      render: ({ tags }) => tagsCell(tagsOf(tags)),
    },
    {
      key: 'endpoints',
      title: t('models.endpoints'),
      width: 130,
      render: ({ endpoints }) => {
        const types = endpointTypesIn(endpoints)
        return types.length === 0 ? quiet(t('models.byName')) : types.join(', ')
      },
    },
    {
      key: 'serves',
      title: t('models.serves'),
      minWidth: 180,
      render: (entry) => servesCell(terms, entry),
    },
    {
      key: 'status',
      title: t('models.shown'),
      width: 76,
      render: (entry) =>
        h(RowSwitch, {
          value: entry.status === 1,
          name: t('models.switch', { name: entry.model_name }),
          change: (on: boolean) => terms.toggle(entry, on),
        }),
    },
    actions(terms),
  ]
}

export function tagsOf(tags: string): readonly string[] {
  const named = tags.split(',').map((tag) => tag.trim())
  return named.filter((tag) => tag !== '')
}

function nameCell({ t }: ColumnOptions, entry: ModelEntry): VNodeChild {
  const { model_name, name_rule, description, icon } = entry
  const rule = nameRules[name_rule] ?? 'exact'
  const tag = h(NTag, { size: 'tiny', bordered: false }, () => t(`models.rules.${rule}`))
  return h('div', { class: 'row' }, [
    h(EntryIcon, { icon, name: model_name }),
    h('div', [
      h('div', { class: 'row wrap' }, [h('code', model_name), ...(rule === 'exact' ? [] : [tag])]),
      ...(description === '' ? [] : [h('div', { class: 'quiet clipped' }, description)]),
    ]),
  ])
}

function tagsCell(tags: readonly string[]): VNodeChild {
  if (tags.length === 0) return quiet('—')
  const shown = tags
    .slice(0, tagsShown)
    .map((tag) => h(NTag, { size: 'tiny', bordered: false }, () => tag))
  const rest = tags.length - shown.length
  return h('div', { class: 'row wrap', style: { gap: '4px' } }, [
    ...shown,
    ...(rest > 0 ? [quiet(`+${rest}`)] : []),
  ])
}

function servesCell({ t }: ColumnOptions, entry: ModelEntry): VNodeChild {
  if (entry.matched_count === 0) return quiet(t('models.servedByNone'))
  const names = entry.matched_models.slice(0, namesShown).join(', ')
  const more = entry.matched_count > namesShown ? ` +${entry.matched_count - namesShown}` : ''
  const { bound_count, enable_groups } = entry
  return [
    h('div', { class: 'clipped' }, names + more),
    h(
      'div',
      { class: 'quiet' },
      t('models.servedBy', { channels: bound_count, groups: enable_groups.join(', ') }),
    ),
  ]
}

function actions({ t, edit, remove }: ColumnOptions): ListColumns<ModelEntry>[number] {
  return {
    key: 'actions',
    title: () => h('span', { class: 'unseen' }, t('shell.more')),
    width: 92,
    fixed: 'right',
    render: (entry) => {
      const name = entry.model_name
      const editing = { icon: Pencil, name: t('models.edit', { name }), onClick: () => edit(entry) }
      const removing = {
        icon: Trash2,
        name: t('models.remove', { name }),
        onClick: () => remove(entry),
      }
      return h('div', { class: 'row' }, [h(RowButton, editing), h(RowButton, removing)])
    },
  }
}

function quiet(text: string): VNodeChild {
  return h('span', { class: 'quiet' }, text)
}
