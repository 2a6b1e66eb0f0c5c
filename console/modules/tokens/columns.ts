/** Columns of the table of keys. */

import { h } from 'vue'
import type { Usable } from '../../api/groups.js'
import { revealToken, type Token } from '../../api/tokens.js'
import type { ListColumns } from '../../ui/list/list-column.js'
import KeyCell from './key-cell.vue'
import LimitCell from './limit-cell.vue'
import QuotaCell from './quota-cell.vue'
import RouteCell from './route-cell.vue'
import StateCell from './state-cell.vue'
import TimesCell from './times-cell.vue'
import TokenActions from './token-actions.vue'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  readonly usable: Usable | undefined
  readonly switched: (token: Token, on: boolean) => Promise<unknown>
  readonly use: (token: Token) => void
  readonly edit: (token: Token) => void
  readonly remove: (token: Token) => void
}

type Columns = ListColumns<Token>

export function tokenColumns(terms: ColumnOptions): Columns {
  return [
    { type: 'selection', width: 40 },
    ...identity(terms),
    ...powers(terms),
    ...times(terms),
    last(terms),
  ]
}

function identity({ t, switched }: ColumnOptions): Columns {
  return [
    {
      key: 'name',
      title: t('tokens.name'),
      minWidth: 170,
      stays: true,
      render: ({ id, key, name }) =>
        h(KeyCell, { id, name, mask: maskOf(key), reveal: () => revealToken(id) }),
    },
    {
      key: 'status',
      title: t('tokens.state'),
      width: 118,
      render: (token) => h(StateCell, { token, put: (on: boolean) => switched(token, on) }),
    },
  ]
}

/** Four stars are enough. */
function maskOf(key: string): string {
  return key.replace(/\*+/, '****')
}

function powers({ t, usable }: ColumnOptions): Columns {
  return [
    {
      key: 'quota',
      title: t('tokens.quota'),
      width: 136,
      align: 'left',
      amounts: ({ used_quota, remain_quota, unlimited_quota }) =>
        unlimited_quota ? [used_quota] : [used_quota, remain_quota],
      renderAmount: (token, money) => h(QuotaCell, { token, money }),
    },
    {
      key: 'routing',
      title: t('tokens.routing'),
      minWidth: 136,
      render: (token) => h(RouteCell, { token, usable }),
    },
    {
      key: 'limits',
      title: t('tokens.accessShort'),
      width: 100,
      render: (token) => h(LimitCell, { token }),
    },
  ]
}

function times({ t }: ColumnOptions): Columns {
  return [
    {
      key: 'times',
      title: t('tokens.times'),
      width: 144,
      render: (token) => h(TimesCell, { token }),
    },
  ]
}

function last({ t, use, edit, remove }: ColumnOptions): Columns[number] {
  return {
    key: 'actions',
    title: t('tokens.actions'),
    width: 124,
    render: (token) =>
      h(TokenActions, {
        name: token.name,
        onUse: () => use(token),
        onEdit: () => edit(token),
        onRemove: () => remove(token),
      }),
  }
}
