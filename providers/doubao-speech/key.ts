/** A key of the new console stands alone; the old one gives an application an id and an access token. */
import { Refusal } from '../../kernel/toolkit/errors/index.js'

/** Throws `channel:invalid_key` for what is neither a key nor `<app id>|<access token>`. */
export function keyHeaders(key: string): Readonly<Record<string, string>> {
  const [first = '', token, more] = key.split('|').map((part) => part.trim())
  if (token === undefined) return { 'x-api-key': first }
  if (first === '' || token === '' || more !== undefined) throw new Refusal('channel:invalid_key')
  return { 'x-api-app-id': first, 'x-api-access-key': token }
}
