/**
 * Whose word about the client is believed (AUTH-11, X14): that of the proxies an operator has named, and
 * nobody's without. A chain of proxies is walked from the right, past trusted hops only, so a client cannot choose its own
 * address. `X-Forwarded-For` is the one header that counts: were `Forwarded` read too, a proxy that sets the one would
 * pass on the client's own other one.
 */
import { BlockList, isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { httpLimits } from './limits.js'

export interface TrustedProxies {
  /** The caller's address in canonical form: the first one from the right that is no trusted proxy. */
  clientAddress(peer: string | undefined, forwardedFor: string | string[] | undefined): string
  /** Whether the caller came by HTTPS. `X-Forwarded-Proto` counts only from a trusted proxy. */
  isSecure(
    peer: string | undefined,
    encrypted: boolean,
    forwardedProto: string | string[] | undefined,
  ): boolean
  trusts(address: string): boolean
}

/** Called with the address of a peer that nobody named and that forwards for others. */
export type UnnamedProxy = (peer: string) => void

/**
 * `entries` are addresses or CIDR ranges; none: no proxy is trusted, not even on this machine. Throws an `Error` with a
 * sentence for an entry that is no such thing, and when the entries together cover a whole address space.
 */
export function parseTrustedProxies(
  entries: readonly string[],
  unnamed: UnnamedProxy = () => {},
): TrustedProxies {
  const ranges = entries.map(parseEntry)
  refuseWholeSpace(ranges, 'ipv4')
  refuseWholeSpace(ranges, 'ipv6')
  const list = new BlockList()
  for (const { network, bits, family } of ranges) list.addSubnet(network, bits, family)

  function isListed(address: string): boolean {
    return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }

  const trusts = ranges.length === 0 ? () => false : remembered(isListed)

  return {
    trusts,
    clientAddress(peer, forwardedFor) {
      const nearest = canonical(peer ?? '') ?? ''
      if (forwardedFor === undefined || nearest === '') return nearest
      if (!trusts(nearest)) {
        unnamed(nearest)
        return nearest
      }
      return walk(nearest, String(forwardedFor), trusts)
    },
    isSecure(peer, encrypted, forwardedProto) {
      if (encrypted || forwardedProto === undefined) return encrypted
      const nearest = canonical(peer ?? '')
      if (nearest === undefined || !trusts(nearest)) return false
      return String(forwardedProto)
        .split(',')
        .every((word) => word.trim().toLowerCase() === 'https')
    },
  }
}

/** A look at the list costs several allocations, and the same few peers ask with every request. */
function remembered(test: (address: string) => boolean): (address: string) => boolean {
  const known = new Map<string, boolean>()
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    if (known.size >= rememberedMax) known.clear()
    const found = test(address)
    known.set(address, found)
    return found
  }
}

const rememberedMax = 1_000

function walk(peer: string, forwardedFor: string, trusts: (address: string) => boolean): string {
  const hops = forwardedFor.split(',').slice(-httpLimits.hopsMax)
  let client = peer
  for (let index = hops.length - 1; index >= 0 && trusts(client); index--) {
    const hop = canonical(withoutPort(hops[index]!.trim()))
    if (hop === undefined) break
    client = hop
  }
  return client
}

/** As it stands where it has no port, or brackets that do not close. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)
  if (bracketed !== null) return bracketed[1]!
  const colon = hop.indexOf(':')
  return colon > 0 && colon === hop.lastIndexOf(':') ? hop.slice(0, colon) : hop
}

/** One spelling per address: IPv4 where it is mapped, IPv6 shortened, no zone. Undefined: not an address. */
function canonical(address: string): string | undefined {
  const family = isIP(address)
  if (family === 4) return address
  if (family === 0) return undefined
  if (address.startsWith('::ffff:') && isIPv4(address.slice(7))) return address.slice(7)
  const plain = ipaddr.IPv6.parse(address.split('%')[0]!)
  return plain.isIPv4MappedAddress() ? plain.toIPv4Address().toString() : plain.toRFC5952String()
}

interface Range {
  readonly network: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
  /** First and last address as numbers. */
  readonly first: bigint
  readonly last: bigint
}

function parseEntry(entry: string): Range {
  const [address = '', suffix, ...rest] = entry.trim().split('/')
  const version = isIP(address)
  const size = version === 4 ? 32 : 128
  const bits = suffix === undefined ? size : /^\d{1,3}$/.test(suffix) ? Number(suffix) : -1
  if (version === 0 || address.includes('%') || rest.length > 0 || bits < 0 || bits > size) {
    throw new Error(
      `TRUSTED_PROXIES: "${entry}" is neither an address nor a range such as 10.0.0.0/8.`,
    )
  }
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv6' && isMappedRange(address, bits)) {
    const inner = ipaddr.IPv6.parse(address).toIPv4Address()
    return rangeOf(inner.toByteArray(), bits - 96, 'ipv4')
  }
  return rangeOf(parsed.toByteArray(), bits, version === 4 ? 'ipv4' : 'ipv6')
}

function isMappedRange(address: string, bits: number): boolean {
  return bits >= 96 && ipaddr.IPv6.parse(address).isIPv4MappedAddress()
}

function rangeOf(bytes: readonly number[], bits: number, family: Range['family']): Range {
  const size = BigInt(bytes.length * 8)
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const host = (1n << (size - BigInt(bits))) - 1n
  const first = value & ~host
  return { network: textOf(first, bytes.length), bits, family, first, last: first | host }
}

function textOf(value: bigint, length: number): string {
  const bytes = Array.from({ length }, (_, index) =>
    Number((value >> BigInt((length - 1 - index) * 8)) & 255n),
  )
  return ipaddr.fromByteArray(bytes).toString()
}

/** The ranges together may not trust everybody, in whatever pieces that is written. */
function refuseWholeSpace(ranges: readonly Range[], family: Range['family']): void {
  const spaces = family === 'ipv4' ? [wholeV4] : [wholeV6, mappedV4]
  const sorted = ranges
    .filter((range) => range.family === family)
    .sort((one, other) => (one.first < other.first ? -1 : 1))
  for (const space of spaces) {
    let uncovered = space.first
    for (const { first, last } of sorted) {
      if (first <= uncovered && last >= uncovered) uncovered = last + 1n
    }
    if (uncovered > space.last) {
      throw new Error(
        'TRUSTED_PROXIES covers a whole address space; name the proxies or their own ranges.',
      )
    }
  }
}

const wholeV4 = { first: 0n, last: 2n ** 32n - 1n }
const wholeV6 = { first: 0n, last: 2n ** 128n - 1n }
const mappedV4 = { first: 0xffffn << 32n, last: (0xffffn << 32n) + 2n ** 32n - 1n }
