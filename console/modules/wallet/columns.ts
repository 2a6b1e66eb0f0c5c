/** Columns of the caller's orders. */

import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Order } from '../../api/payments.js'
import { currencyText } from '../../ui/currency-text.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import type { Quota } from '../../ui/money.js'
import { orderTones } from '../../ui/order-state.js'
import ReceiptButton from '../../ui/receipt-button.vue'
import { momentText } from '../../ui/time.js'

type Text = (key: string, blanks?: Readonly<Record<string, string>>) => string

export interface OrderColumnOptions {
  readonly t: Text
  /** Of a gateway, by its name. */
  readonly titleOf: (gateway: string) => string
  /** Absent: receipts are off. */
  readonly hasReceipt?: (order: Order) => boolean
}

export function orderColumns({ t, titleOf, hasReceipt }: OrderColumnOptions): ListColumns<Order> {
  return [
    {
      key: 'create_time',
      title: t('wallet.created'),
      // The state beside it is seen on a phone.
      width: 150,
      stays: true,
      render: ({ create_time }) => h('span', { class: 'figures' }, momentText(create_time)),
    },
    {
      key: 'status',
      title: t('wallet.status'),
      width: 120,
      render: ({ status }) =>
        h(Dot, { tone: orderTones[status], text: t(`wallet.states.${status}`) }),
    },
    {
      key: 'money',
      title: t('wallet.price'),
      width: 120,
      align: 'right',
      render: (row) => h('span', { class: 'figures' }, currencyText(row.money, row.currency)),
    },
    {
      key: 'quota',
      title: t('wallet.bought'),
      minWidth: 150,
      align: 'left',
      amounts: ({ plan_id, quota }) => (plan_id > 0 ? [] : [quota]),
      renderAmount: (order, money) =>
        h('span', { class: 'figures', style: anywhere }, boughtText(order, t, money)),
    },
    {
      key: 'payment_provider',
      title: t('wallet.gateway'),
      width: 120,
      render: ({ payment_provider, test }) =>
        test
          ? `${titleOf(payment_provider)} (${t('wallet.testShort')})`
          : titleOf(payment_provider),
    },
    {
      key: 'trade_no',
      title: t('wallet.orderNo'),
      minWidth: 150,
      render: ({ trade_no, status }) =>
        status === 'pending'
          ? h(RouterLink, { to: toOrder(trade_no), style: anywhere }, () => trade_no)
          : h('span', { class: 'figures', style: anywhere }, trade_no),
    },
    ...(hasReceipt === undefined ? [] : [receiptColumn(t, hasReceipt)]),
  ]
}

function boughtText(
  { plan_id, title, quota, recurring, automatic }: Order,
  t: Text,
  money: (quota: Quota) => string,
): string {
  if (plan_id > 0) return recurring ? t('wallet.repeated', { title }) : title
  const amount = money(quota)
  return t(automatic ? 'wallet.creditAutomatic' : 'wallet.creditOf', { amount })
}

function receiptColumn(t: Text, hasReceipt: (order: Order) => boolean): ListColumns<Order>[number] {
  return {
    key: 'receipt',
    title: t('shell.receipt.name'),
    width: 120,
    // Within reach on a phone, too.
    fixed: 'right',
    render: (order) => (hasReceipt(order) ? h(ReceiptButton, { tradeNo: order.trade_no }) : ''),
  }
}

function toOrder(order: string) {
  return { path: '/wallet', query: { order } }
}

const anywhere = { overflowWrap: 'anywhere' } as const
