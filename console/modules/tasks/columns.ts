/** Columns of the table of tasks; admins also see whose it is and which channel has it. */

import { NButton } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import { RouterLink } from 'vue-router'
import type { Scope } from '../../api/data.js'
import type { Task } from '../../api/tasks.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import { momentText } from '../../ui/time.js'
import TaskProgress from './task-progress.vue'
import { isUnderWay, titleOf, tones, useTaskWords } from './task-words.js'

type Columns = ListColumns<Task>
type Text = (key: string, named?: Readonly<Record<string, unknown>>) => string

export function taskColumns(scope: Scope, t: Text, open: (taskId: string) => void): Columns {
  const words = useTaskWords()
  const title = (name: string) => t(`tasks.columns.${name}`)
  const ofAll: Columns = [
    { key: 'username', title: title('user'), width: 90, ellipsis: { tooltip: true } },
    { key: 'channel_id', title: title('channel'), width: 110, render: channelCell },
  ]
  return [
    {
      key: 'created_at',
      title: title('time'),
      width: 120,
      render: ({ created_at }) => h('span', { class: 'figures' }, momentText(created_at)),
    },
    {
      key: 'state',
      title: title('state'),
      width: 140,
      render: (task) => [
        h(Dot, { tone: tones[task.state], text: words.state(task) }),
        isUnderWay(task) && h(TaskProgress, { percent: task.percent }),
        words.word(task) && second(words.word(task)),
      ],
    },
    {
      key: 'request',
      title: title('request'),
      minWidth: 180,
      stays: true,
      render: (task) => [
        h(
          NButton,
          {
            ...{
              text: true,
              style: { ...anywhere, textAlign: 'left' },
              onClick: () => open(task.task_id),
            },
            'aria-label': t('tasks.open', { title: titleOf(task).slice(0, 80) }),
          },
          { default: () => titleOf(task).slice(0, 120) },
        ),
        task.fail_reason !== '' && second(task.fail_reason.slice(0, 160)),
      ],
    },
    {
      key: 'model',
      title: title('model'),
      width: 130,
      render: (task) => [h('div', { style: anywhere }, task.model), second(task.platform)],
    },
    ...(scope === 'all' ? ofAll : []),
    {
      key: 'quota',
      title: title('cost'),
      width: 130,
      amounts: ({ quota }) => [quota],
      renderAmount: (task, money) => [
        h('div', { class: 'figures' }, money(task.quota)),
        words.change(task) && second(words.change(task)),
      ],
    },
  ]
}

const anywhere = { overflowWrap: 'anywhere', whiteSpace: 'normal', lineHeight: 1.5 } as const

function second(text: string | undefined): VNodeChild {
  return h('div', { class: 'quiet figures', style: { fontSize: '12px', ...anywhere } }, text)
}

function channelCell({ channel_id: id, channel_name: name }: Task): VNodeChild {
  if (!id) return ''
  return name ? h(RouterLink, { to: `/channels/${id}` }, () => `${name} #${id}`) : `#${id}`
}
