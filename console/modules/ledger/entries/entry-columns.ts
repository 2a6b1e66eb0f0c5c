/** Columns of the book: when, what happened, for which request, how much. */

import { h, type VNodeChild } from 'vue'
import type { Entry } from '../../../api/ledger.js'
import type { ListColumns } from '../../../ui/list/list-column.js'
import { momentText } from '../../../ui/time.js'
import { isGain, personOf, useEntryWords } from './entry-words.js'

type Translate = (key: string, values?: Record<string, unknown>) => string

/** @param show shows the entries of one request */
export function entryColumns(t: Translate, show: (requestId: string) => void): ListColumns<Entry> {
  const words = useEntryWords(t)
  const title = (name: string) => t(`ledger.entries.${name}`)
  return [
    {
      key: 'created_at',
      title: title('time'),
      width: 220,
      render: ({ created_at }) => h('span', { class: 'figures' }, momentText(created_at)),
    },
    {
      key: 'words',
      title: title('happened'),
      minWidth: 280,
      stays: true,
      render: (entry) => happenedCell(entry, words(entry)),
    },
    {
      key: 'request_id',
      title: title('request'),
      minWidth: 240,
      render: ({ request_id }) =>
        request_id &&
        h(
          'button',
          {
            type: 'button',
            class: 'mono',
            style: link,
            'aria-label': t('ledger.entries.showRequest', { id: request_id }),
            onClick: () => show(request_id),
          },
          request_id,
        ),
    },
    {
      key: 'amount',
      title: title('amount'),
      width: 140,
      amounts: ({ amount }) => [amount],
      renderAmount: (entry, money) =>
        h('span', { class: 'figures' }, signed(entry, money(entry.amount))),
    },
  ]
}

function happenedCell({ note, kind }: Entry, words: string): VNodeChild {
  return [
    h('div', { style: anywhere }, words),
    h('div', { class: 'quiet', style: small }, note ? `${kind} · ${note}` : kind),
  ]
}

/** As the person sees it; what stays within the gateway has no sign. */
function signed(entry: Entry, amount: string): string {
  if (personOf(entry) === undefined) return amount
  return isGain(entry) ? `+${amount}` : `−${amount}`
}

const anywhere = { overflowWrap: 'anywhere' } as const
const small = { fontSize: '12px', ...anywhere } as const
const link = {
  padding: '0',
  border: '0',
  background: 'none',
  color: 'var(--accent)',
  textAlign: 'left',
  cursor: 'pointer',
  ...small,
} as const
