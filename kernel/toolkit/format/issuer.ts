/** Names of issuers as formats write them beside a seal that passes through their clients. */
import type { Issuer } from '../../contract/names.js'

/** Source of a pattern for the name of a format, or the plugin id of a provider. */
export const issuerPattern = 'provider\\.[a-z0-9][a-z0-9-]*|[a-z][a-z0-9-]*'

const whole = new RegExp(`^(?:${issuerPattern})$`)

export function isIssuer(text: string): text is Issuer {
  return whole.test(text)
}
