/** Whom a limit counts: one network of a caller, one account however it is typed. */
import { hash } from 'node:crypto'
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

/** Spellings of one name or e-mail address are one account. */
export function accountKey(typed: string): string {
  return digest(typed.trim().normalize('NFC').toLowerCase().normalize('NFC'))
}

/** What people type is neither kept in memory nor sent to Redis, and a long key takes no more room than a short one. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}
