/** Columns of the open holds: how old, whose, for what, how much. */

import { h, type VNodeChild } from 'vue'
import type { OpenHold } from '../../../api/ledger.js'
import CopyButton from '../../../ui/copy-button.vue'
import Dot from '../../../ui/dot.vue'
import type { ListColumns } from '../../../ui/list/list-column.js'
import { spanText } from '../../../ui/span.js'
import { momentText } from '../../../ui/time.js'

type Translate = (key: string, values?: Record<string, unknown>) => string

/** @param ageOf seconds, counting on */
export function holdColumns(
  t: Translate,
  ageOf: (hold: OpenHold) => number,
): ListColumns<OpenHold> {
  const title = (name: string) => t(`ledger.holds.${name}`)
  const figures = (text: string) => h('span', { class: 'figures' }, text)
  return [
    {
      key: 'age',
      title: title('age'),
      width: 110,
      render: (hold) =>
        h('span', { class: 'figures', title: momentText(hold.created_at) }, spanText(ageOf(hold))),
    },
    { key: 'state', title: title('state'), width: 150, render: (hold) => stateCell(hold, t) },
    { key: 'user', title: title('user'), minWidth: 130, render: userCell },
    {
      key: 'request',
      title: title('request'),
      minWidth: 260,
      stays: true,
      render: (hold) => requestCell(hold, t),
    },
    {
      key: 'held',
      title: title('held'),
      width: 120,
      amounts: ({ held }) => [held],
      renderAmount: ({ held }, money) => figures(money(held)),
    },
    {
      key: 'used',
      title: title('used'),
      width: 120,
      amounts: ({ used }) => [used],
      renderAmount: ({ used }, money) => figures(money(used)),
    },
  ]
}

function stateCell({ state, instance }: OpenHold, t: Translate): VNodeChild {
  const orphaned = state === 'orphaned'
  const tone = orphaned ? 'warn' : 'good'
  return [
    h(Dot, { tone, text: t(`ledger.holds.states.${orphaned ? 'orphaned' : 'reserved'}`) }),
    h('div', { class: 'quiet', style: small }, instance),
  ]
}

function userCell({ username, user_id, token_name }: OpenHold): VNodeChild {
  return [
    h('div', { style: anywhere }, username || `#${user_id}`),
    token_name && h('div', { class: 'quiet', style: small }, token_name),
  ]
}

function requestCell({ request_id, kind, model, group }: OpenHold, t: Translate): VNodeChild {
  const words = [model || kind, group].filter(Boolean).join(' · ')
  return [
    h('div', { style: anywhere }, words),
    h('div', { class: 'row', style: small }, [
      h('span', { class: 'quiet mono', style: anywhere }, request_id),
      h(CopyButton, { text: request_id, name: t('ledger.requestId') }),
    ]),
  ]
}

const anywhere = { overflowWrap: 'anywhere' } as const
const small = { fontSize: '12px', ...anywhere } as const
