/** Columns of everybody's orders. */

import { NButton } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Order } from '../../api/payments.js'
import { currencyText } from '../../ui/currency-text.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import { orderTones } from '../../ui/order-state.js'
import { momentText } from '../../ui/time.js'

type Columns = ListColumns<Order>
type Text = (key: string, named?: Readonly<Record<string, unknown>>) => string

export function orderColumns(t: Text, open: (order: Order) => void): Columns {
  return [
    {
      key: 'create_time',
      title: t('orders.created'),
      width: 190,
      render: ({ create_time }) => h('span', { class: 'figures' }, momentText(create_time)),
    },
    {
      key: 'status',
      title: t('orders.status'),
      width: 116,
      render: ({ status }) =>
        h(Dot, { tone: orderTones[status], text: t(`orders.states.${status}`) }),
    },
    {
      key: 'user_id',
      title: t('orders.user'),
      width: 90,
      render: ({ user_id: id }) => h(RouterLink, { to: `/users/${id}` }, () => `#${id}`),
    },
    ...amounts(t),
    {
      key: 'payment_provider',
      title: t('orders.gateway'),
      width: 150,
      render: (order) => gatewayText(order, t),
    },
    {
      key: 'trade_no',
      title: t('orders.orderNo'),
      minWidth: 170,
      stays: true,
      render: (order) =>
        h(
          NButton,
          {
            ...{ text: true, style: anywhere, onClick: () => open(order) },
            'aria-label': t('orders.open', { number: order.trade_no }),
          },
          { default: () => order.trade_no },
        ),
    },
  ]
}

function amounts(t: Text): Columns {
  return [
    {
      key: 'money',
      title: t('orders.price'),
      width: 120,
      align: 'right',
      render: (row) => h('span', { class: 'figures' }, currencyText(row.money, row.currency)),
    },
    {
      key: 'quota',
      title: t('orders.credit'),
      width: 120,
      amounts: ({ quota }) => [quota],
      renderAmount: ({ quota }, money) => h('span', { class: 'figures' }, money(quota)),
    },
  ]
}

/** With how it was paid, where that is not usual. */
export function gatewayText({ payment_provider, automatic, test }: Order, t: Text): string {
  const marks = [automatic && t('orders.automatic'), test && t('orders.test')].filter(Boolean)
  return marks.length === 0 ? payment_provider : `${payment_provider} (${marks.join(', ')})`
}

const anywhere = { whiteSpace: 'normal', textAlign: 'left', overflowWrap: 'anywhere' } as const
