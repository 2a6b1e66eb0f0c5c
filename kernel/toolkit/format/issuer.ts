/** Names of issuers: as formats write them beside a seal that passes through their clients, and as events bear them. */
import type { Event } from '../../contract/event.js'
import type { Issuer } from '../../contract/names.js'

/** Source of a pattern for the name of a format, or the plugin id of a provider. */
export const issuerPattern = 'provider\\.[a-z0-9][a-z0-9-]*|[a-z][a-z0-9-]*'

const whole = new RegExp(`^(?:${issuerPattern})$`)

export function isIssuer(text: string): text is Issuer {
  return whole.test(text)
}

/** What comes back to a plugin bears its id; in the name of another it would be sent to the upstream of that one. */
export function isIssuedBy(id: string, event: Event): boolean {
  if (event.type === 'delta') return event.sealBy === undefined || event.sealBy === id
  if (event.type === 'note') return event.of === id
  return event.type !== 'open' || event.part.kind !== 'opaque' || event.part.of === id
}
