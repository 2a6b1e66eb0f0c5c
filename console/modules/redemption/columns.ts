/** Columns of redemption codes. */

import { NButton } from 'naive-ui'
import { h } from 'vue'
import type { RedemptionCode } from '../../api/redemption.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import { dayText, momentText } from '../../ui/time.js'

export interface CodeActions {
  readonly showBatch: (batch: string) => void
  readonly toggle: (code: RedemptionCode) => void
  readonly remove: (code: RedemptionCode) => void
}

type Text = (key: string, named?: Readonly<Record<string, unknown>>) => string
type Columns = ListColumns<RedemptionCode>

const tones = { on: 'good', off: 'quiet', used: 'info', expired: 'warn' } as const

export function codeColumns(t: Text, actions: CodeActions): Columns {
  return [
    {
      key: 'name',
      title: t('redemption.name'),
      minWidth: 110,
      stays: true,
      render: ({ name, batch }) =>
        h(
          NButton,
          {
            ...{ text: true, onClick: () => actions.showBatch(batch) },
            'aria-label': t('redemption.ofBatch', { name }),
          },
          { default: () => name },
        ),
    },
    {
      key: 'key',
      title: t('redemption.code'),
      width: 266,
      render: ({ key }) => h('code', { class: 'figures' }, key),
    },
    {
      key: 'quota',
      title: t('redemption.worth'),
      width: 96,
      amounts: ({ quota }) => [quota],
      renderAmount: ({ quota }, money) => h('span', { class: 'figures' }, money(quota)),
    },
    {
      key: 'state',
      title: t('redemption.state'),
      width: 100,
      render: ({ state }) => h(Dot, { tone: tones[state], text: t(`redemption.states.${state}`) }),
    },
    ...times(t),
    deeds(t, actions),
  ]
}

function times(t: Text): Columns {
  return [
    {
      key: 'uses',
      title: t('redemption.uses'),
      width: 80,
      align: 'right',
      render: ({ uses, uses_max }) => h('span', { class: 'figures' }, `${uses} / ${uses_max}`),
    },
    {
      key: 'expired_time',
      title: t('redemption.expires'),
      width: 110,
      render: ({ expired_time }) =>
        expired_time === 0
          ? t('redemption.never')
          : h('span', { title: momentText(expired_time) }, dayText(expired_time)),
    },
  ]
}

function deeds(t: Text, { toggle, remove }: CodeActions): Columns[number] {
  return {
    key: 'actions',
    title: t('redemption.actions'),
    width: 170,
    render: (code) => {
      const verb = code.state === 'off' ? 'switchOn' : 'switchOff'
      const button = (label: string, onClick: () => void) =>
        h(
          NButton,
          { size: 'small', onClick, 'aria-label': `${label}: ${code.name} ${code.id}` },
          { default: () => label },
        )
      return h('div', { class: 'row' }, [
        button(t(`redemption.${verb}`), () => toggle(code)),
        button(t('shell.remove'), () => remove(code)),
      ])
    },
  }
}
