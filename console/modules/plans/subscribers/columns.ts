/** Columns of everybody's subscriptions. */

import { NButton } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { Subscription } from '../../../api/subscriptions.js'
import Dot from '../../../ui/dot.vue'
import type { ListColumns } from '../../../ui/list/list-column.js'
import { dayText, momentText } from '../../../ui/time.js'
import { renewalText, type TextTools } from './renewal-text.js'
import { subscriptionTones } from './states.js'
import UsageBar from './usage-bar.vue'

type Columns = ListColumns<Subscription>

export function subscriptionColumns(
  tools: TextTools,
  open: (subscription: Subscription) => void,
): Columns {
  const { t } = tools
  return [
    {
      key: 'title',
      title: t('plans.columns.plan'),
      minWidth: 140,
      stays: true,
      render: (one) =>
        h(
          NButton,
          {
            ...{ text: true, style: anywhere, onClick: () => open(one) },
            'aria-label': t('plans.openOne', { title: one.title, id: one.id }),
          },
          { default: () => one.title },
        ),
    },
    {
      key: 'user_id',
      title: t('plans.columns.user'),
      width: 64,
      render: ({ user_id: id }) => h(RouterLink, { to: `/users/${id}` }, () => `#${id}`),
    },
    {
      key: 'status',
      title: t('plans.columns.state'),
      width: 110,
      render: ({ status }) =>
        h(Dot, { tone: subscriptionTones[status], text: t(`plans.subscriptionStates.${status}`) }),
    },
    {
      key: 'used',
      title: t('plans.columns.used'),
      width: 160,
      render: (one) => (one.status === 'active' ? usage(t, one) : '—'),
    },
    ...times(tools),
    {
      key: 'source',
      title: t('plans.columns.source'),
      width: 108,
      render: ({ source }) => t(`plans.sources.${source}`),
    },
  ]
}

function usage(t: TextTools['t'], { amount_used, amount_held, amount_total }: Subscription) {
  return h(UsageBar, {
    ...{ used: amount_used, held: amount_held, total: amount_total },
    name: t('plans.columns.used'),
  })
}

function times(tools: TextTools): Columns {
  const { t } = tools
  const moment = (at: number) => h('span', { title: momentText(at) }, dayText(at))
  return [
    {
      key: 'next_reset_time',
      title: t('plans.columns.anew'),
      width: 124,
      render: ({ status, next_reset_time: at }) =>
        status === 'active' && at > 0 ? moment(at) : '—',
    },
    {
      key: 'end_time',
      title: t('plans.columns.ends'),
      width: 124,
      render: ({ end_time }) => moment(end_time),
    },
    {
      key: 'renewal',
      title: t('plans.columns.renewal'),
      width: 140,
      render: (one) => (one.status === 'active' ? renewalText(one, tools) : '—'),
    },
  ]
}

const anywhere = { whiteSpace: 'normal', textAlign: 'left', overflowWrap: 'anywhere' } as const
