/**
 * Warns of a proxy the operator has not named: everybody behind it has its address, and shares one count of each limit.
 * Once for peers of private networks, where proxies usually stand, and once for all others, so that no stranger who
 * makes the header up can use up the warning that is meant.
 */
import type { Log } from '../contract/kit.js'
import { classify } from '../egress/address-policy.js'
import type { UnnamedProxy } from './trusted-proxies.js'

export function unnamedProxies(log: Log): UnnamedProxy {
  const warned = new Set<string>()
  return (peer) => {
    if (warned.size === kinds) return
    const kind = classify(peer) === 'public' ? 'public' : 'private'
    if (warned.has(kind)) return
    warned.add(kind)
    log.warn(
      { peer },
      'a request came with X-Forwarded-For from an address that is not named in TRUSTED_PROXIES, so the header does not ' +
        'count; if that is your proxy, name it there',
    )
  }
}

const kinds = 2
