/** Columns of the caller's orders. */
import type { DataTableColumns } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Order } from '../../api/payments.js'
import { currencyText } from '../../ui/currency-text.js'
import Dot from '../../ui/dot.vue'
import { useMoney } from '../../ui/money.js'
import { orderTones } from '../../ui/order-state.js'
import { momentText } from '../../ui/time.js'

/** `titleOf`: of a gateway, by its name. */
export function orderColumns(
  t: (key: string, blanks?: Readonly<Record<string, string>>) => string,
  titleOf: (gateway: string) => string,
): DataTableColumns<Order> {
  const { money } = useMoney()
  return [
    {
      key: 'create_time',
      title: t('wallet.created'),
      width: 190,
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
      render: ({ plan_id, title, quota, recurring }) =>
        plan_id > 0
          ? h('span', { style: anywhere }, recurring ? t('wallet.repeated', { title }) : title)
          : h('span', { class: 'figures' }, t('wallet.creditOf', { amount: money(quota) })),
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
          ? h(RouterLink, { to: { query: { order: trade_no } }, style: anywhere }, () => trade_no)
          : h('span', { class: 'figures', style: anywhere }, trade_no),
    },
  ]
}

const anywhere = { overflowWrap: 'anywhere' } as const
