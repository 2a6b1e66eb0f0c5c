/** The breakers' options in the units they are used in. */
import type { Settings } from '../../../kernel/contract/kit.js'

export interface BreakerOptions {
  readonly enabled: boolean
  /** An outcome counts for so long. */
  readonly windowMs: number
  /** How many outcomes are remembered. */
  readonly outcomes: number
  /** How many failures among them, or in a row, open a breaker. */
  readonly failures: number
  /** First pause; each failed trial doubles it up to the longest. */
  readonly openMs: number
  readonly openMsMax: number
}

export function breakerTerms(settings: Settings): BreakerOptions {
  return {
    enabled: settings.boolean('enabled'),
    windowMs: settings.number('window_seconds') * 1000,
    outcomes: settings.number('outcomes'),
    failures: settings.number('failures'),
    openMs: settings.number('open_seconds') * 1000,
    openMsMax: settings.number('open_seconds_max') * 1000,
  }
}
