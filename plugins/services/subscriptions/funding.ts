/** What may pay for a request, in order: by what the user prefers, and of several subscriptions the one that ends first (BILL-3). */
import type { LogDraft } from '../../../kernel/contract/line/money.js'
import type { FundingSource } from '../ledger/index.js'
import type { Holding, Holdings } from './holdings.js'

/** How long an account that fell short is passed over: quota comes back when a hold is closed, at any moment. */
const shortMs = 2_000

export function sourcesOf(
  { preference, all }: Holdings,
  walletId: number,
  draft: LogDraft,
  now: () => number,
): readonly FundingSource[] {
  const wallet = { accountId: walletId }
  if (preference === 'wallet_only') return [wallet]
  const at = now()
  const able = all.filter((one) => one.from <= at && at < one.until && covers(one, draft))
  const subscriptions = able.filter(({ short }) => short.until <= at).map(sourceOf(now))
  // What fell short a moment ago is not tried again only where something else can be.
  const tried = subscriptions.length > 0 ? subscriptions : able.map(sourceOf(now))
  if (preference === 'subscription_only') return tried
  if (preference === 'wallet_first') return [wallet, ...tried]
  const overflows = able.length === 0 || able.some(({ overflow }) => overflow)
  return overflows ? [...tried, wallet] : tried
}

const sourceOf =
  (now: () => number) =>
  (holding: Holding): FundingSource => ({
    accountId: holding.accountId,
    subscription: holding.subscription,
    covers: (draft) => covers(holding, draft),
    fellShort(quota) {
      holding.short.quota = quota
      holding.short.until = now() + shortMs
    },
  })

function covers({ models, groups }: Holding, { model, group }: LogDraft): boolean {
  return models?.has(model) !== false && groups?.has(group) !== false
}
