/**
 * Which network addresses the gateway may call (X1). Public ones always; private ones only where an admin
 * named them and `ALLOW_PRIVATE_UPSTREAMS`, or else the option of that name, states so; those of metadata services, link-local, multicast and reserved
 * ones never. Names are resolved here, at connect time, and the connection goes to the very addresses that were checked.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { EgressRequest } from '../contract/services/egress.js'
import { addressRefused } from '../toolkit/errors/egress-error.js'
import type { ListedHosts } from './listed-hosts.js'

export type NamedBy = EgressRequest['namedBy']

/** May this address (canonical, no zone) be called on behalf of whoever named it? */
export type AddressPolicy = (address: string, namedBy: NamedBy) => boolean

/** Answers every address of a host name. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

export function addressPolicy(allowPrivateUpstreams: () => boolean): AddressPolicy {
  return (address, namedBy) => {
    const kind = classify(address)
    return (
      kind === 'public' || (kind === 'private' && namedBy === 'admin' && allowPrivateUpstreams())
    )
  }
}

/**
 * The same with what an operator listed for one host: private addresses of its name or in a listed network. Those that are
 * never called must be listed themselves.
 */
export function listedPolicy(
  policy: AddressPolicy,
  listed: ListedHosts,
  host: string,
): AddressPolicy {
  const isListed = listed.hasName(host)
  return (address, namedBy) => {
    if (policy(address, namedBy)) return true
    if (classify(address) === 'never') return listed.hasItself(address)
    return isListed || listed.hasAddress(address)
  }
}

export function classify(address: string): 'public' | 'private' | 'never' {
  const family = isIP(address)
  if (family === 4) return classifyV4(address)
  if (family !== 6 || address.includes('%')) return 'never'
  if (neverV6.check(address, 'ipv6')) return 'never'
  const inner = embeddedV4(address)
  if (inner !== undefined) return classifyV4(inner) === 'never' ? 'never' : 'private'
  return publicV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6') ? 'public' : 'private'
}

/** The lookup of a connection: refuses a name as soon as one of its addresses may not be called. */
export function guardedLookup(
  policy: AddressPolicy,
  namedBy: NamedBy,
  resolve: Resolve = resolveAll,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, found) => {
      if (error !== null) return done(error, '')
      const wanted = found.filter(({ family }) => !options.family || family === options.family)
      if (!found.every(({ address }) => policy(address, namedBy))) {
        return done(addressRefused(`${hostname} has an address that may not be called`), '')
      }
      const [first] = wanted
      if (first === undefined) return done(new Error(`${hostname} has no address`), '')
      if (options.all) return done(null, wanted)
      done(null, first.address, first.family)
    })
  }
}

const resolveAll: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done)

function classifyV4(address: string): 'public' | 'private' | 'never' {
  if (neverV4.check(address)) return 'never'
  return privateV4.check(address) ? 'private' : 'public'
}

/** The IPv4 address an IPv6 address stands for: mapped, compatible, NAT64 and 6to4 forms. */
function embeddedV4(address: string): string | undefined {
  const bytes = ipaddr.IPv6.parse(address).toByteArray()
  const at = tailForms.check(address, 'ipv6') ? 12 : sixToFour.check(address, 'ipv6') ? 2 : -1
  return at < 0 ? undefined : bytes.slice(at, at + 4).join('.')
}

function ranges(family: 'ipv4' | 'ipv6', ...list: readonly string[]): BlockList {
  const set = new BlockList()
  for (const range of list) {
    const [network, bits] = range.split('/')
    set.addSubnet(network!, Number(bits), family)
  }
  return set
}

const neverV4 = ranges(
  'ipv4',
  '0.0.0.0/8',
  '169.254.0.0/16', // link-local, where most metadata services stand
  '100.100.100.200/32', // metadata service inside carrier-grade NAT space
  '168.63.129.16/32', // metadata service in public space
  '192.0.0.192/32', // metadata service in IETF protocol space
  '224.0.0.0/4',
  '240.0.0.0/4',
)

const privateV4 = ranges(
  'ipv4',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
)

const neverV6 = ranges(
  'ipv6',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::254/128', // metadata service in unique-local space
  'fd20:ce::254/128', // metadata service in unique-local space
  '2001::/32', // Teredo hides its IPv4 address
)

const publicV6 = ranges('ipv6', '2000::/3')
const specialV6 = ranges('ipv6', '2001::/23', '2001:db8::/32', '3fff::/20')
const sixToFour = ranges('ipv6', '2002::/16')

/** Forms that carry the IPv4 address in their last 32 bits. `::1` is among them and stands for 0.0.0.1, so it goes first. */
const tailForms = {
  check: (address: string, family: 'ipv6') =>
    !loopbackV6.check(address, family) && tailRanges.check(address, family),
}
const loopbackV6 = ranges('ipv6', '::1/128')
const tailRanges = ranges('ipv6', '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48')
