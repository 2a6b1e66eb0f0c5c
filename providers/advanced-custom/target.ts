/** Where a route leads: a path that follows the channel's base URL, or a whole address an admin wrote. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

const placeholder = /\{model\}/g
const address = /^https?:\/\//i
const path = /^\/[\w$&'()*+,\-./:;=@~!]*(?:\?[\w$&'()*+,\-./:;=@~!%]*)?$/
const dots = /^[^?]*\/\.{1,2}(?:[/?]|$)/

/** The host of an address, with its port; user and password have no place in it, nor has the model. */
const host = /^https?:\/\/[\w.-]+(?::\d+)?(?=[/?]|$)|^https?:\/\/\[[\da-f:.]+\](?::\d+)?(?=[/?]|$)/i

export function isWhole(target: string): boolean {
  return address.test(target)
}

/** Printable, no dot segments, nothing that ends it early; `{model}` is the one placeholder. */
export function faultOfTarget(target: string): string | undefined {
  const before = isWhole(target) ? host.exec(target)?.[0] : ''
  if (before === undefined || (before !== '' && !URL.canParse(before))) return 'names no host'
  const behind = target.slice(before.length).replace(placeholder, 'm')
  const rest = before === '' || behind.startsWith('/') ? behind : `/${behind}`
  return path.test(rest) && !dots.test(rest) ? undefined : 'is no path'
}

/**
 * The base URL as it is written, version and all, and the path behind it. A query of the base URL stays at the end. Where both
 * have the version, it stands once.
 */
export function addressOf(target: string, baseUrl: string): string {
  if (isWhole(target)) return target
  if (!URL.canParse(baseUrl)) throw new Refusal('channel:address_refused')
  const { protocol, origin, pathname, search, hash, username, password } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || hash + username + password !== '') {
    throw new Refusal('channel:address_refused')
  }
  const base = pathname.replace(/\/+$/, '')
  const start = target.startsWith('/v1/') ? base.replace(/\/v1$/, '') : base
  return joined(`${origin}${start}${target}`, search.slice(1))
}

export function joined(url: string, query: string): string {
  if (query === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}
