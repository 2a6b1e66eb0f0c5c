/** What stands for the gateway's own machine. No right may hang on it: a proxy on this machine looks the same. */
import ipaddr from 'ipaddr.js'

/** True for `127.0.0.0/8` and `::1`, in any spelling, IPv4-mapped ones included. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** The same of a `Host` header or a name to listen on, with a port or without: `localhost` besides. */
export function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return name.toLowerCase() === 'localhost' || isLoopback(host) || isLoopback(name)
}
