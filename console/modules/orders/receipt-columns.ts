/** Columns of receipts. */

import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Receipt } from '../../api/receipts.js'
import { currencyText } from '../../ui/currency-text.js'
import type { ListColumns } from '../../ui/list/list-column.js'
import ReceiptButton from '../../ui/receipt-button.vue'
import { momentText } from '../../ui/time.js'

type Text = (key: string, named?: Readonly<Record<string, unknown>>) => string

export function receiptColumns(t: Text): ListColumns<Receipt> {
  return [
    {
      key: 'number',
      title: t('orders.receiptNo'),
      width: 140,
      stays: true,
      render: ({ number, test }) =>
        h(
          'span',
          { class: 'figures', style: anywhere },
          test ? `${number} (${t('orders.test')})` : number,
        ),
    },
    {
      key: 'issue_time',
      title: t('orders.issued'),
      width: 190,
      render: ({ issue_time }) => h('span', { class: 'figures' }, momentText(issue_time)),
    },
    {
      key: 'buyer',
      title: t('orders.buyer'),
      minWidth: 140,
      render: ({ buyer }) => h('span', { style: anywhere }, buyer),
    },
    {
      key: 'user_id',
      title: t('orders.user'),
      width: 70,
      render: ({ user_id: id }) => h(RouterLink, { to: `/users/${id}` }, () => `#${id}`),
    },
    {
      key: 'money',
      title: t('orders.paid'),
      width: 110,
      align: 'right',
      render: ({ money, currency }) =>
        h('span', { class: 'figures' }, currencyText(money, currency)),
    },
    {
      key: 'trade_no',
      title: t('orders.orderNo'),
      minWidth: 170,
      render: ({ trade_no: keyword }) =>
        h(
          RouterLink,
          { to: { path: '/orders', query: { keyword } }, style: anywhere },
          () => keyword,
        ),
    },
    {
      key: 'receipt',
      title: t('shell.receipt.name'),
      width: 120,
      // Within reach on a phone, too.
      fixed: 'right',
      render: ({ trade_no }) => h(ReceiptButton, { tradeNo: trade_no }),
    },
  ]
}

const anywhere = { overflowWrap: 'anywhere' } as const
