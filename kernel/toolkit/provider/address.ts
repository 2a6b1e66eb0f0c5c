/**
 * Addresses of upstreams: a base as people write it becomes an origin without version, and a model name in a path
 * stays one segment of it (X2).
 */
import { Refusal } from '../errors/refusal.js'

/** The base of a channel and a path that begins with `/`. Throws `channel:address_refused` for a base that is none. */
export function upstreamUrl(baseUrl: string, path: string): string {
  return `${normalBase(baseUrl)}${path}`
}

/** Scheme, host, port and what path stands before the version; trailing `/` and `/v1` are dropped. */
export function normalBase(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new Refusal('channel:address_refused')
  const { protocol, origin, pathname, search, hash, username, password } = new URL(baseUrl)
  const plain = search + hash + username + password === ''
  if (!plain || !/^https?:$/.test(protocol)) throw new Refusal('channel:address_refused')
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

/** A model name as one path segment. Throws `invalid_request` where it would reach into another path. */
export function modelSegment(model: string): string {
  if (model === '' || model === '.' || model === '..' || unsafeInPath.test(model)) {
    throw new Refusal('invalid_request', {
      param: 'model',
      reason: 'model holds characters that cannot stand in an address.',
    })
  }
  return encodeURIComponent(model)
}

const unsafeInPath = /[/\\?#%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
