/** Two admins at one channel: who would write over what they have never seen gets an error, and nothing is written. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { SeenChanges } from './forms.js'

/** `record`: as it would be shown now. Throws `conflict`. */
export function unchangedSince(
  seen: NonNullable<SeenChanges['seen']>,
  record: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(seen)) {
    if (!Object.hasOwn(record, name) || record[name] === value) continue
    const reason = `Somebody else has changed the field "${name}" meanwhile.`
    throw new Refusal('conflict', { reason, param: name })
  }
}
