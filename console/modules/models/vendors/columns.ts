/** Columns of the table of vendors. */
import { Pencil, Trash2 } from '@lucide/vue'
import { type DataTableColumns, NButton, NSwitch } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import { RouterLink } from 'vue-router'
import type { Vendor } from '../../../api/vendors.js'
import EntryIcon from '../entry-icon.vue'

export interface ColumnTerms {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  /** Entries by id of the vendor; undefined: not known yet. */
  readonly models: Readonly<Record<string, number>> | undefined
  readonly edit: (vendor: Vendor) => void
  readonly toggle: (vendor: Vendor, on: boolean) => void
  readonly remove: (vendor: Vendor) => void
}

export function vendorColumns(terms: ColumnTerms): DataTableColumns<Vendor> {
  const { t, models, toggle, edit, remove } = terms
  return [
    {
      key: 'name',
      title: t('models.vendor'),
      minWidth: 260,
      render: ({ name, icon, description }) =>
        h('div', { class: 'row' }, [
          h(EntryIcon, { icon, name }),
          h('div', [
            h('strong', name),
            ...(description === '' ? [] : [h('div', { class: 'quiet' }, description)]),
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
        h(NSwitch, {
          size: 'small',
          value: vendor.status === 1,
          'aria-label': t('models.switch', { name: vendor.name }),
          onUpdateValue: (on: boolean) => toggle(vendor, on),
        }),
    },
    {
      key: 'actions',
      title: () => h('span', { class: 'unseen' }, t('shell.more')),
      width: 96,
      fixed: 'right',
      render: (vendor) =>
        h('div', { class: 'row' }, [
          button(Pencil, t('models.edit', { name: vendor.name }), () => edit(vendor)),
          button(Trash2, t('models.remove', { name: vendor.name }), () => remove(vendor)),
        ]),
    },
  ]
}

function countCell(count: number, vendor: number, name: string): VNodeChild {
  if (count === 0) return h('span', { class: 'quiet figures' }, '0')
  const to = { name: 'models', query: { vendor: String(vendor) } }
  return h(RouterLink, { to, class: 'figures', title: name }, () => String(count))
}

function button(icon: typeof Pencil, name: string, onClick: () => void): VNodeChild {
  return h(
    NButton,
    { quaternary: true, size: 'small', 'aria-label': name, title: name, onClick },
    { icon: () => h(icon) },
  )
}
