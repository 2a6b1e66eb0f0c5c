/** The network an address counts with: whoever has one address of it has all the others. */
import ipaddr from 'ipaddr.js'

/** IPv6 by /64, since a caller has all of that to choose addresses from; IPv4 that came as IPv6 as what it is. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::`
}
