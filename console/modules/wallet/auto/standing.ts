/** Which sentence states how automatic top-up stands, and in which colour. The reasons are the server's. */
import type { AutoTopup } from '../../../api/auto-topup.js'

export interface Standing {
  readonly tone: 'good' | 'info' | 'warn' | 'bad' | 'quiet'
  /** Of a text below `wallet.auto.heads`. */
  readonly head: string
  /** Of a text below `wallet.auto.sentences`. Empty: what was set says it all. */
  readonly sentence: string
}

export function standingOf(auto: AutoTopup): Standing {
  const { state, reason } = auto
  if (state === 'on') return { tone: 'good', head: 'on', sentence: '' }
  if (state === 'charging') return { tone: 'info', head: 'charging', sentence: 'charging' }
  if (state === 'paused') return { tone: 'warn', head: 'paused', sentence: pausedBy(auto) }
  if (reason === 'refused') return { tone: 'bad', head: 'off', sentence: 'offRefused' }
  return { tone: 'quiet', head: 'off', sentence: offBy(auto) }
}

/** A limit that root lowered below one payment does not end with the month; one's own can be raised. */
function pausedBy({ reason, amount, monthly_cap, monthly_cap_max }: AutoTopup): string {
  if (reason !== 'cap_reached') return reason
  if (amount > monthly_cap_max) return 'cap_lowered'
  return monthly_cap < monthly_cap_max ? 'cap_own' : 'cap_reached'
}

function offBy({ offered, mandates, amount }: AutoTopup): string {
  if (!offered) return 'noneOffered'
  if (mandates.length === 0) return amount > 0 ? 'mandate_ended' : 'begin'
  return amount > 0 ? 'off' : 'ready'
}
