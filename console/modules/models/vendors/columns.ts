/** Columns of the table of vendors. */

import { Pencil, Trash2 } from '@lucide/vue'
import { h, type VNodeChild } from 'vue'
import { RouterLink } from 'vue-router'
import type { Vendor } from '../../../api/vendors.js'
import type { ListColumns } from '../../../ui/list/list-column.js'
import RowButton from '../../../ui/list/row-button.vue'
import RowSwitch from '../../../ui/list/row-switch.vue'
import EntryIcon from '../entry-icon.vue'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  /** Entries by id of the vendor; undefined: not known yet. */
  readonly models: Readonly<Record<string, number>> | undefined
  readonly edit: (vendor: Vendor) => void
  readonly toggle: (vendor: Vendor, on: boolean) => Promise<unknown>
  readonly remove: (vendor: Vendor) => void
}

export function vendorColumns(terms: ColumnOptions): ListColumns<Vendor> {
  const { t, models, toggle, edit, remove } = terms
  return [
    {
      key: 'name',
      title: t('models.vendor'),
      stays: true,
      minWidth: 260,
      render: ({ name, icon, description }) =>
        h('div', { class: 'row' }, [
          h(EntryIcon, { icon, name }),
          h('div', [
            h('strong', name),
            ...(description === '' ? [] : [h('div', { class: 'quiet clipped' }, description)]),
          ]),
        ]),
    },
    {
      key: 'models',
      title: t('models.title'),
      width: 110,
      align: 'right',
      render: ({ id, name }) =>
        countCell(models?.[String(id)] ?? 0, id, t('models.vendors.models', { name })),
    },
    {
      key: 'status',
      title: t('models.shown'),
      width: 90,
      render: (vendor) =>
        h(RowSwitch, {
          value: vendor.status === 1,
          name: t('models.switch', { name: vendor.name }),
          change: (on: boolean) => toggle(vendor, on),
        }),
    },
    {
      key: 'actions',
      title: () => h('span', { class: 'unseen' }, t('shell.more')),
      width: 96,
      fixed: 'right',
      render: (vendor) => {
        const { name } = vendor
        const editing = {
          icon: Pencil,
          name: t('models.edit', { name }),
          onClick: () => edit(vendor),
        }
        const removing = {
          icon: Trash2,
          name: t('models.remove', { name }),
          onClick: () => remove(vendor),
        }
        return h('div', { class: 'row' }, [h(RowButton, editing), h(RowButton, removing)])
      },
    },
  ]
}

function countCell(count: number, vendor: number, name: string): VNodeChild {
  if (count === 0) return h('span', { class: 'quiet figures' }, '0')
  const to = { name: 'model-entries', query: { vendor: String(vendor) } }
  return h(RouterLink, { to, class: 'figures', title: name }, () => String(count))
}
