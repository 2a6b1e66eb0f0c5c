/**
 * Turns a written address into what is dialled: an origin that passed the checks and a path that goes out exactly as
 * written. Origins repeat, so each is parsed and checked once (kernel/README.md section 8).
 */
import { isIP } from 'node:net'
import { addressRefused } from '../toolkit/errors/egress-error.js'
import { type AddressPolicy, classify, type NamedBy } from './address-policy.js'
import { egressLimits } from './limits.js'

export interface Target {
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

/** Throws an `EgressError` for addresses that may not be called. */
export type Targets = (url: string, namedBy: NamedBy) => Target

export function createTargets(policy: AddressPolicy): Targets {
  const known = { admin: new Map<string, string>(), user: new Map<string, string>() }

  return (url, namedBy) => {
    const pathAt = url.indexOf('/', 8)
    const written = pathAt < 0 ? url : url.slice(0, pathAt)
    const path = pathAt < 0 ? '/' : url.slice(pathAt)
    if (!pathPattern.test(path) || dotSegment.test(path)) {
      throw addressRefused('the path would be read differently from how it is written')
    }
    const origins = known[namedBy]
    let origin = origins.get(written)
    if (origin === undefined) {
      origin = checkedOrigin(written, namedBy, policy)
      if (origins.size >= egressLimits.originsMax) origins.clear()
      origins.set(written, origin)
    }
    return { origin, path }
  }
}

/** Characters a URL parser leaves as they are; a `#`, `\` or space would move or end the path (X2). */
const pathPattern = /^\/[!$%&'()*+,\-./0-9:;=@A-Z[\]_a-z|~]*(?:\?[!-"$-~]*)?$/
const dotSegment = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i

function checkedOrigin(written: string, namedBy: NamedBy, policy: AddressPolicy): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw addressRefused('only http and https addresses are called')
  }
  // Anything beside scheme, host and port (a user, a password, a query) makes the two differ.
  if (url.href !== `${url.origin}/`) throw addressRefused('the address is more than an origin')
  if (namedBy === 'user' && !isUserPort(url.port)) throw addressRefused('the port is not allowed')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !policy(host, namedBy)) {
    throw addressRefused(`a ${classify(host)} address may not be called here`)
  }
  return url.origin
}

/** A user's address may not knock at the well-known ports of other services; an admin's may use any. */
function isUserPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) > 1023
}
