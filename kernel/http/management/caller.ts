/** Who makes a request, and whether that caller may. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../../contract/management.js'
import type { RouteCredential, RouteManifest } from '../../contract/manifest.js'
import type { Authenticator } from '../../contract/services/ports.js'
import { refuseForeign, requireSameOrigin } from '../../toolkit/endpoint/same-origin.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { requiredScope, requireScope } from '../../toolkit/management/scopes.js'

/** Set by pages for requests they make by themselves while nobody is there. */
const unusedHeader = 'x-session-unused'

const roles = {
  none: undefined,
  key: undefined,
  user: 1,
  admin: 10,
  root: 100,
} as const satisfies Readonly<Record<RouteCredential, number | undefined>>

/** What of a request is read for that. */
export interface CallFacts {
  /** Upper case. */
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly secure: boolean
  readonly address: string
}

/**
 * Undefined: the route is for anyone, whose identity is never read, so that it works without the database. Throws
 * `unauthorized`, `forbidden`, and what scopes and origins are refused with.
 */
export async function callerOf(
  { method, headers, secure, address }: CallFacts,
  declared: RouteManifest,
  authenticator: Authenticator,
): Promise<Principal | undefined> {
  const { credential, body, beforeFactor } = declared
  const roleMin = roles[credential]
  if (roleMin === undefined) {
    // A foreign page may not sign its visitor in either.
    if (body === 'json') requireSameOrigin(method, headers, secure)
    return undefined
  }
  const unused = method === 'GET' && headers[unusedHeader] === '1'
  const principal = await authenticator.principal({
    headers,
    secure,
    address,
    ...(unused && { unused: true as const }),
    ...(beforeFactor && { beforeFactor }),
  })
  if (principal === undefined) throw new Refusal('unauthorized')
  if (principal.role < roleMin) throw new Refusal('forbidden')
  requireScope(principal, requiredScope(declared))
  if (principal.via === 'session') {
    requireSameOrigin(method, headers, secure)
    // The family has GETs of admins that do something, such as testing every channel.
    if (roleMin > roles.user) refuseForeign(headers, secure)
  }
  return principal
}
