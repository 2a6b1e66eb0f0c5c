/** What a request states about its caller, read the same way for relay and management. */
import type { IncomingMessage } from 'node:http'
import { networkOf } from '../toolkit/service/network-of.js'
import type { TrustedProxies } from './trusted-proxies.js'

export function callerAddress(
  { socket, headers }: IncomingMessage,
  proxies: TrustedProxies,
): string {
  return proxies.clientAddress(socket.remoteAddress, headers['x-forwarded-for'])
}

export function cameByHttps(
  { socket, headers }: IncomingMessage,
  proxies: TrustedProxies,
): boolean {
  const encrypted = Reflect.get(socket, 'encrypted') === true
  return proxies.isSecure(socket.remoteAddress, encrypted, headers['x-forwarded-proto'])
}

/** Of a parameter given more than once the first counts, so that what is checked is what is used. */
export function singleValued(
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const single: Record<string, string> = {}
  for (const name in values) {
    const value = values[name]
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string') single[name] = first
  }
  return single
}

/** Whom bounds per address count: undefined for a proxy that speaks for many and names none of them. */
export function countedNetwork(address: string, proxies: TrustedProxies): string | undefined {
  return address === '' || proxies.trusts(address) ? undefined : networkOf(address)
}
