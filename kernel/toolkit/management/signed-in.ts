/** Who makes a management request, where a route is for the signed-in alone. */
import type { ManagementRequest, Principal } from '../../contract/management.js'
import { Refusal } from '../errors/refusal.js'

/** Throws `unauthorized`, which a route that declares its credential never sees. */
export function signedIn({ principal }: Pick<ManagementRequest, 'principal'>): Principal {
  if (principal === undefined) throw new Refusal('unauthorized')
  return principal
}
