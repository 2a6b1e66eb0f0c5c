/** Whose money a key shows, and how much of it is there. Amounts in quota. */
import type { Wallet } from '../../services/ledger/index.js'
import type { KeyUsage } from '../../services/usage-log/index.js'

export interface Figures {
  /** Given in all, spent or not. Absent: without end. */
  readonly granted?: bigint
  readonly used: bigint
  /** Unix seconds; 0: never. */
  readonly expiresAt: number
}

/**
 * A key with a cap shows it. One without has no end, and what was used is its user's. With `ofKey` false every key
 * shows its user's figures.
 */
export async function figuresOf(
  key: KeyUsage,
  ofKey: boolean,
  wallet: () => Promise<Wallet | undefined>,
): Promise<Figures> {
  const { expiresAt } = key
  if (ofKey && key.limit !== undefined) return { granted: key.limit, used: key.used, expiresAt }
  const account = await wallet()
  if (account === undefined) throw new Error('the user of an API key has no wallet')
  const { posted, held, used } = account
  return ofKey ? { used, expiresAt } : { granted: posted - held + used, used, expiresAt: 0 }
}
