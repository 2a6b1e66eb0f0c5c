/** Columns of the outbox. */
import { type DataTableColumns, NButton } from 'naive-ui'
import { h } from 'vue'
import { RouterLink } from 'vue-router'
import type { OutboxEntry } from '../../api/outbox.js'
import Dot from '../../ui/dot.vue'
import { agoText, momentText } from '../../ui/time.js'

export interface ColumnTerms {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>) => string
  /** Absent: the caller may not. */
  readonly retry?: (entry: OutboxEntry) => void
}

type Columns = DataTableColumns<OutboxEntry>

const tones = { waiting: 'info', delivered: 'good', failed: 'bad' } as const

export function outboxColumns(terms: ColumnTerms): Columns {
  const { t, retry } = terms
  return [...what(terms), ...course(terms), ...(retry === undefined ? [] : [again(t, retry)])]
}

function what({ t }: ColumnTerms): Columns {
  return [
    {
      key: 'id',
      title: t('outbox.id'),
      width: 56,
      render: ({ id }) => h('span', { class: 'figures quiet' }, id),
    },
    { key: 'type', title: t('outbox.type'), width: 160, ellipsis: { tooltip: true } },
    {
      key: 'user_id',
      title: t('outbox.to'),
      width: 84,
      render: ({ user_id: id }) =>
        id === 0
          ? h('span', { class: 'quiet' }, t('outbox.address'))
          : h(RouterLink, { to: `/users/${id}` }, () => t('outbox.user', { id })),
    },
    {
      key: 'state',
      title: t('outbox.state'),
      width: 110,
      render: ({ state }) => h(Dot, { tone: tones[state], text: t(`outbox.states.${state}`) }),
    },
  ]
}

function course({ t }: ColumnTerms): Columns {
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
      minWidth: 180,
      render: ({ reason }) => reason || h('span', { class: 'quiet' }, '—'),
    },
    {
      key: 'created_at',
      title: t('outbox.created'),
      width: 110,
      render: ({ created_at }) => moment(created_at),
    },
    {
      key: 'next_at',
      title: t('outbox.next'),
      width: 116,
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

function again(t: ColumnTerms['t'], retry: (entry: OutboxEntry) => void): Columns[number] {
  return {
    key: 'actions',
    title: t('outbox.actions'),
    width: 110,
    fixed: 'right',
    render: (entry) =>
      entry.state === 'failed'
        ? h(
            NButton,
            {
              size: 'small',
              'aria-label': t('outbox.retryOne', { id: entry.id }),
              onClick: () => retry(entry),
            },
            { default: () => t('outbox.retry') },
          )
        : '',
  }
}
