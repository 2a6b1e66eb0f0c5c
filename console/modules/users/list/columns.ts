/** Columns of the table of users. */

import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { User } from '../../../api/users.js'
import Dot from '../../../ui/dot.vue'
import type { ListColumns } from '../../../ui/list/list-column.js'
import { agoText, countText, momentText } from '../../../ui/time.js'
import { stateOf } from '../user-state.js'
import NameCell from './name-cell.vue'
import RowActions, { type RowAction } from './row-actions.vue'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  readonly run: (action: RowAction, user: User) => void
}

type Columns = ListColumns<User>

export function userColumns(terms: ColumnOptions): Columns {
  return [
    { type: 'selection', width: 40 },
    ...identity(terms),
    ...figures(terms),
    ...past(terms),
    last(terms),
  ]
}

function identity({ t }: ColumnOptions): Columns {
  return [
    {
      key: 'id',
      title: t('users.id'),
      width: 56,
      render: ({ id }) => h('span', { class: 'figures quiet' }, id),
    },
    {
      key: 'username',
      title: t('users.name'),
      minWidth: 150,
      stays: true,
      render: (user) => h(NameCell, { user }),
    },
    {
      key: 'status',
      title: t('users.state'),
      width: 84,
      render(user) {
        const { name, tone } = stateOf(user)
        return h(Dot, { tone, text: t(`users.states.${name}`) })
      },
    },
    {
      key: 'role',
      title: t('users.role'),
      width: 72,
      render: ({ role }) => t(`users.roles.${role}`),
    },
    { key: 'group', title: t('users.group'), width: 84, ellipsis: { tooltip: true } },
  ]
}

function figures({ t }: ColumnOptions): Columns {
  return [
    {
      key: 'quota',
      title: t('users.leftAndUsed'),
      width: 132,
      amounts: ({ quota, used_quota }) => [quota, used_quota],
      renderAmount: ({ quota, used_quota }, money) =>
        h('span', { class: 'figures' }, [
          h('div', money(quota)),
          h('div', { class: 'quiet' }, t('users.usedOf', { amount: money(used_quota) })),
        ]),
    },
    {
      key: 'request_count',
      title: t('users.requests'),
      width: 98,
      align: 'right',
      render: ({ request_count }) => h('span', { class: 'figures' }, countText(request_count)),
    },
  ]
}

function past({ t }: ColumnOptions): Columns {
  return [
    {
      key: 'last_login_at',
      title: t('users.lastLogin'),
      width: 128,
      render: ({ last_login_at }) =>
        last_login_at === 0
          ? h('span', { class: 'quiet' }, t('users.never'))
          : h('span', { title: momentText(last_login_at) }, agoText(last_login_at)),
    },
    {
      key: 'inviter_id',
      title: t('users.inviter'),
      width: 104,
      lesser: true,
      render: ({ inviter_id: id }) =>
        id === 0
          ? h('span', { class: 'quiet' }, '—')
          : h(RouterLink, { to: { name: 'users.edit', params: { id } } }, () => `#${id}`),
    },
  ]
}

function last({ t, run }: ColumnOptions): Columns[number] {
  return {
    key: 'actions',
    title: t('users.actions'),
    width: 116,
    fixed: 'right',
    align: 'right',
    render: (user) => h(RowActions, { user, onRun: (action: RowAction) => run(action, user) }),
  }
}
