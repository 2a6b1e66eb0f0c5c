/** Columns of the usage log; admins also see whose row it is and which channel served it. */

import { h, type VNodeChild } from 'vue'
import type { Scope } from '../../api/data.js'
import { factsOf, isPriced, type LogRow, logTypes } from '../../api/logs.js'
import { locale } from '../../shell/i18n.js'
import Dot from '../../ui/dot.vue'
import type { ListColumns } from '../../ui/list/list-column.js'
import type { Quota } from '../../ui/money.js'
import { countText, lastingText, momentText } from '../../ui/time.js'
import LogDetail from './log-detail.vue'

type Columns = ListColumns<LogRow>
type Translate = (key: string, values?: Record<string, unknown>) => string

const tones = { 1: 'info', 2: 'good', 3: 'quiet', 4: 'quiet', 5: 'bad', 6: 'warn' } as const

export function logColumns(scope: Scope, t: Translate): Columns {
  const title = (name: string) => t(`logs.columns.${name}`)
  const own: Columns = [
    {
      key: 'token_name',
      title: title('token'),
      width: 130,
      ellipsis: hidden,
      render: (row) => keyOf(row, t),
    },
    { key: 'group', title: title('group'), width: 100, ellipsis: hidden },
  ]
  const ofAll: Columns = [
    {
      key: 'username',
      title: title('userAndKey'),
      width: 96,
      render: (row) => personCell(row, t),
    },
    { key: 'channel', title: title('channel'), width: 162, render: channelCell },
    { key: 'group', title: title('group'), width: 70, ellipsis: hidden },
  ]
  return [
    { type: 'expand', width: 36, renderExpand: (row) => h(LogDetail, { row }) },
    {
      key: 'created_at',
      title: title('time'),
      width: 138,
      stays: true,
      render: (row) => whenCell(row, t),
    },
    { key: 'model_name', title: title('model'), minWidth: 110, render: modelCell },
    ...(scope === 'all' ? ofAll : own),
    {
      key: 'use_time',
      title: title('lasting'),
      width: 82,
      align: 'right',
      render: (row) => timeCell(row, t),
    },
    {
      key: 'prompt_tokens',
      title: title('input'),
      width: 84,
      align: 'right',
      render: (row) => promptCell(row, t),
    },
    {
      key: 'completion_tokens',
      title: title('output'),
      width: 78,
      align: 'right',
      render: (row) => figure(isPriced(row) ? countText(row.completion_tokens) : ''),
    },
    {
      key: 'quota',
      title: title('cost'),
      width: 94,
      amounts: (row) => [movedBy(row)],
      renderAmount: (row, money) => figure(amountText(row, money)),
    },
  ]
}

const hidden = { tooltip: true } as const

/** A movement of the balance has an amount and no cost. */
function amountText(row: LogRow, money: (quota: Quota) => string): string {
  const amount = movedBy(row)
  if (amount === undefined) return ''
  if (isPriced(row)) return costText(row, money)
  const size = String(amount)
  return size.startsWith('-') ? `−${money(size.slice(1))}` : `+${money(size)}`
}

/** Undefined: a row of something else. */
function movedBy(row: LogRow): Quota | undefined {
  if (isPriced(row)) return row.quota
  const { amount } = factsOf(row)
  return typeof amount === 'string' && /^-?\d+$/.test(amount) ? amount : undefined
}

function costText({ type, quota }: LogRow, money: (quota: Quota) => string): string {
  return type === logTypes.refund ? `−${money(quota)}` : money(quota)
}

function figure(text: string, below?: string): VNodeChild {
  return [h('div', { class: 'figures' }, text), below && second(below)]
}

function second(text: string): VNodeChild {
  return h('div', { class: 'quiet figures', style: { ...small, ...oneLine } }, text)
}

function whenCell({ created_at, type, is_stream }: LogRow, t: Translate): VNodeChild {
  const words = is_stream
    ? `${t(`logs.types.${type}`)} · ${t('logs.stream')}`
    : t(`logs.types.${type}`)
  const moment = new Intl.DateTimeFormat(locale.value, whenStyle).format(created_at * 1000)
  return [
    h('div', { class: 'figures', title: momentText(created_at), style: oneLine }, moment),
    h(Dot, { tone: tones[type] ?? 'quiet', text: words, class: 'quiet', style: small }),
  ]
}

const whenStyle = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
} as const
const oneLine = { whiteSpace: 'nowrap' }
const small = { fontSize: '12px' }

function personCell(row: LogRow, t: Translate): VNodeChild {
  const key = keyOf(row, t)
  return [h('div', { style: anywhere }, row.username), key && second(key)]
}

/** Requests from the console need no key. */
function keyOf(row: LogRow, t: Translate): string {
  return row.token_name || (isPriced(row) ? t('logs.playground') : '')
}

const anywhere = { overflowWrap: 'anywhere' } as const

function modelCell(row: LogRow): VNodeChild {
  const { is_model_mapped, upstream_model_name, status_code, error_code } = factsOf(row)
  const name = h('span', { style: anywhere }, row.model_name || row.content)
  if (row.type === logTypes.failure) {
    const detail = h(
      'div',
      { class: 'quiet', style: { ...small, ...anywhere } },
      `${status_code} · ${error_code}`,
    )
    return [name, detail]
  }
  return is_model_mapped && upstream_model_name ? [name, second(`→ ${upstream_model_name}`)] : name
}

function channelCell(row: LogRow): VNodeChild {
  if (!row.channel) return ''
  const tried = factsOf(row).admin_info?.attempts ?? []
  const all = row.type === logTypes.failure ? tried : [...tried, row]
  const chain = all.map(({ channel }) => `#${channel}`)
  const names = all.map(({ channel_name }) => channel_name ?? '?')
  const name = h('span', { style: anywhere, title: names.join(' → ') }, row.channel_name)
  const way = h('div', { class: 'quiet figures', style: small }, chain.join(' → '))
  return [name, way]
}

function timeCell(row: LogRow, t: Translate): VNodeChild {
  if (!isPriced(row) && row.type !== logTypes.failure) return ''
  const { frt, use_time_ms } = factsOf(row)
  const first = frt === undefined ? undefined : t('logs.firstAfter', { time: lastingText(frt) })
  return figure(lastingText(use_time_ms ?? row.use_time * 1000), first)
}

function promptCell(row: LogRow, t: Translate): VNodeChild {
  if (!isPriced(row)) return ''
  const cached = factsOf(row).counts?.cacheRead ?? 0
  const below = cached > 0 ? t('logs.cached', { count: countText(cached) }) : undefined
  return figure(countText(row.prompt_tokens), below)
}
