/** A key of a channel: a resource's API key, or a service principal that is exchanged for a token. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

interface Principal {
  readonly tenant: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Undefined: an API key, which holds no `|`. Throws `channel:invalid_key` for a principal that is not whole. */
export function principalOf(key: string): Principal | undefined {
  if (!key.includes('|')) return undefined
  // What stands behind the second one is the secret, whatever it holds.
  const [tenant = '', clientId = '', ...rest] = key.split('|').map((part) => part.trim())
  const clientSecret = rest.join('|')
  if (!isTenant(tenant) || clientId === '' || clientSecret === '') {
    throw new Refusal('channel:invalid_key')
  }
  return { tenant, clientId, clientSecret }
}

/** The id of a directory or one of its domain names; it stands in the address. */
function isTenant(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text)
}
