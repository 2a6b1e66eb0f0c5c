/** Columns of the table of a channel's keys. */
import { type DataTableColumns, NButton } from 'naive-ui'
import { h } from 'vue'
import type { ChannelKey, OneKeyAction } from '../../../api/channel-keys.js'
import Dot from '../../../ui/dot.vue'
import { momentText } from '../../../ui/time.js'

const tones = ['quiet', 'good', 'quiet', 'bad'] as const

/** `test` calls the upstream with this key. */
export type KeyAction = OneKeyAction | 'test'

export function keyColumns(terms: {
  readonly t: (key: string, named?: Record<string, unknown>) => string
  /** What is under way, by `action:id`. */
  readonly busy: ReadonlySet<string>
  readonly run: (action: KeyAction, key: ChannelKey) => void
}): DataTableColumns<ChannelKey> {
  const { t, busy, run } = terms
  const button = (action: KeyAction, key: ChannelKey) =>
    h(
      NButton,
      {
        size: 'small',
        quaternary: true,
        loading: busy.has(`${action}:${key.id}`),
        'aria-label': t(`channels.keys.${action}`, { key: `${key.index + 1}. ${key.key_preview}` }),
        onClick: () => run(action, key),
      },
      () => t(`channels.keys.verbs.${action}`),
    )
  return [
    {
      key: 'key_preview',
      title: t('channels.form.key'),
      width: 170,
      render: (key) =>
        h('span', [
          h('span', { class: 'quiet figures' }, `${key.index + 1}. `),
          h('code', key.key_preview),
        ]),
    },
    {
      key: 'status',
      title: t('channels.filters.status'),
      width: 130,
      render: ({ status }) =>
        h(Dot, { tone: tones[status] ?? 'quiet', text: t(`channels.keys.states.${status}`) }),
    },
    {
      key: 'reason',
      title: t('channels.keys.reason'),
      render: ({ reason, disabled_time }) =>
        disabled_time === 0
          ? null
          : h('div', [
              h('div', reason),
              h('div', { class: 'quiet', style: 'font-size: 12px' }, momentText(disabled_time)),
            ]),
    },
    {
      key: 'actions',
      title: () => h('span', { class: 'unseen' }, t('shell.more')),
      width: 240,
      align: 'right',
      render: (key) => [
        button('test', key),
        button(key.status === 1 ? 'disable_key' : 'enable_key', key),
        button('delete_key', key),
      ],
    },
  ]
}
