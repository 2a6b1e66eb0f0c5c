/** Whether a request comes from the gateway's own machine, and not by way of a page or a proxy that merely runs there. */
import ipaddr from 'ipaddr.js'
import type { ManagementRequest } from '../../../kernel/contract/management.js'

/**
 * The caller's address is loopback and so is the name they called: a foreign page that made its own name point here
 * (DNS rebinding), or a proxy that hides its clients, gives the wrong name.
 */
export function atThisMachine({ address, headers }: ManagementRequest): boolean {
  const host = headers.host
  return loopbackAddress(address) && typeof host === 'string' && loopbackName(host)
}

function loopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || loopbackAddress(name.replace(/^\[|\]$/g, ''))
}

function loopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}
