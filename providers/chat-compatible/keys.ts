/** Keys of several parts, as channels hold them and as their services take them. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

/** Channels of the family hold `<app id>|<secret>|<key>`; by HTTP the service takes `<key>:<secret>`, or one password. */
export function sparkBearer(key: string): string {
  const [, secret, name, more] = key.trim().split('|')
  const isThree = secret !== undefined && name !== undefined && more === undefined
  return isThree ? `${name.trim()}:${secret.trim()}` : key
}

/**
 * A key of the second version, alone or with the id of an application. Throws `channel:invalid_key` for an application's API key
 * and secret of the first: they are taken nowhere any more, and the secret is not to stand in a header.
 */
export function baiduKey(key: string): { readonly bearer: string; readonly appId?: string } {
  const [bearer = '', appId, more] = key.split('|').map((part) => part.trim())
  if (appId === undefined) return { bearer }
  if (!bearer.startsWith('bce-v3/') || more !== undefined) throw new Refusal('channel:invalid_key')
  return { bearer, appId }
}
