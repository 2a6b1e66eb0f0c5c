/** Stands for the prices somebody compared with, so that they do not save over what nobody has seen. */
import { createHash } from 'node:crypto'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PriceChange } from '../../services/pricing/index.js'

/** The same for the same prices before the change, and for no others. */
export function seenOf(rows: readonly PriceChange[]): string {
  const before = rows.map(({ model, before: quote }) => [
    model,
    quote?.mode,
    quote?.figures,
    quote?.card,
  ])
  return createHash('sha256').update(JSON.stringify(before)).digest('base64url')
}

/** Throws `conflict` where others stand now. Undefined: nobody compared. */
export function checkSeen(rows: readonly PriceChange[], seen: string | undefined): void {
  if (seen === undefined || seen === seenOf(rows)) return
  const reason = 'Some of these prices were changed after they were compared; compare again.'
  throw new Refusal('conflict', { reason, param: 'seen' })
}
