/** What happened, in a sentence: who paid or got how much, and what for. */
import type { Entry, EntrySide } from '../../../api/ledger.js'
import { useMoney } from '../../../ui/money.js'

type Translate = (key: string, values?: Record<string, unknown>) => string

/** Kinds of entries that have a sentence; others show from where to where the money went. */
const known: ReadonlySet<string> = new Set([
  'settle',
  'corr',
  'task_final',
  'admin',
  'topup',
  'grant',
  'invite',
  'redeem',
  'chargeback',
])

/** The money went to a person, and not to the gateway. */
export function isGain({ credit }: Entry): boolean {
  return credit.user_id > 0
}

/** Whose money it is; undefined: it stayed within the gateway. */
export function personOf({ debit, credit }: Entry): EntrySide | undefined {
  return [credit, debit].find(({ user_id }) => user_id > 0)
}

export function useEntryWords(t: Translate): (entry: Entry) => string {
  const { money } = useMoney()

  function sideName({ name, account_id, user_id }: EntrySide): string {
    if (user_id > 0) return name || `#${user_id}`
    return name || t('ledger.entries.account', { id: account_id })
  }

  return (entry) => {
    const amount = money(entry.amount)
    const person = personOf(entry)
    if (person === undefined || !known.has(entry.kind)) {
      const [from, to] = [sideName(entry.debit), sideName(entry.credit)]
      return t('ledger.entries.moved', { amount, from, to })
    }
    const way = isGain(entry) ? 'gain' : 'loss'
    return t(`ledger.entries.stories.${entry.kind}.${way}`, { amount, name: sideName(person) })
  }
}
