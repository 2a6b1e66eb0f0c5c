/** Columns of the outbox. */

import { NButton } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { OutboxEntry } from '../../api/outbox.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import { agoText, momentText } from '../../ui/time.js'

export interface ColumnOptions {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  /** Whether there is a text of this name. */
  readonly te: (key: string) => boolean
  /** Absent: the caller may not. */
  readonly retry?: (entry: OutboxEntry) => void
  /** Is under way to be sent anew. */
  readonly isBusy: (entry: OutboxEntry) => boolean
}

type Columns = ListColumns<OutboxEntry>

const tones = { waiting: 'info', delivered: 'good', failed: 'bad' } as const

export function outboxColumns(terms: ColumnOptions): Columns {
  return [...what(terms), ...course(terms), ...(terms.retry === undefined ? [] : [again(terms)])]
}

function what({ t, te }: ColumnOptions): Columns {
  return [
    {
      key: 'id',
      title: t('outbox.id'),
      width: 56,
      render: ({ id }) => h('span', { class: 'figures quiet' }, id),
    },
    {
      key: 'type',
      title: t('outbox.type'),
      stays: true,
      width: 132,
      // A plugin from outside may write notices of its own kinds.
      render: ({ type }) => (te(`outbox.types.${type}`) ? t(`outbox.types.${type}`) : type),
    },
    {
      key: 'user_id',
      title: t('outbox.to'),
      width: 112,
      render: ({ user_id: id, username }) =>
        id === 0
          ? h('span', { class: 'quiet' }, t('outbox.address'))
          : h(
              RouterLink,
              { to: `/users/${id}`, style: anywhere },
              () => username || t('outbox.user', { id }),
            ),
    },
    {
      key: 'state',
      title: t('outbox.state'),
      width: 96,
      render: ({ state }) => h(Dot, { tone: tones[state], text: t(`outbox.states.${state}`) }),
    },
  ]
}

function course({ t }: ColumnOptions): Columns {
  const moment = (seconds: number) => h('span', { title: momentText(seconds) }, agoText(seconds))
  return [
    {
      key: 'attempts',
      title: t('outbox.attempts'),
      width: 60,
      align: 'right',
      render: ({ attempts }) => h('span', { class: 'figures' }, attempts),
    },
    {
      key: 'reason',
      title: t('outbox.reason'),
      minWidth: 150,
      render: ({ reason }) =>
        h('span', { class: reason ? '' : 'quiet', style: anywhere }, reason || '—'),
    },
    {
      key: 'created_at',
      title: t('outbox.created'),
      width: 104,
      render: ({ created_at }) => moment(created_at),
    },
    {
      key: 'next_at',
      title: t('outbox.next'),
      width: 144,
      render: ({ state, next_at, finished_at }) =>
        state === 'waiting'
          ? h(
              'span',
              { title: momentText(next_at) },
              t('outbox.nextTry', { time: agoText(next_at) }),
            )
          : moment(finished_at),
    },
  ]
}

function again({ t, retry, isBusy }: ColumnOptions): Columns[number] {
  return {
    key: 'actions',
    title: t('outbox.actions'),
    width: 104,
    fixed: 'right',
    render: (entry) =>
      entry.state === 'failed'
        ? h(
            NButton,
            {
              size: 'small',
              loading: isBusy(entry),
              'aria-label': t('outbox.retryOne', { id: entry.id }),
              onClick: () => retry?.(entry),
            },
            { default: () => t('outbox.retry') },
          )
        : '',
  }
}

const anywhere = { overflowWrap: 'anywhere' } as const
