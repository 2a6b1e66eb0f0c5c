import type { Cancel } from '../../../kernel/contract/services/egress.js'

/** Ends calls that run side by side. */
export function abortAll(running: Iterable<Cancel>): void {
  for (const { abort } of running) abort?.()
}
