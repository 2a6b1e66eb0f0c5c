/** The text of an API key: `sk-` and 48 characters, looked up by its SHA-256, never by itself. */
import { hash, randomInt } from 'node:crypto'
import { Refusal } from '../../../kernel/errors.js'
import type { NewKey } from './identity.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const shape = /^(?:sk-)?[A-Za-z0-9]{48}$/

/** Hex SHA-256 of a key as clients send it, with or without `sk-`. Throws `invalid_api_key` for any other text. */
export function keyOf(text: string): string {
  if (!shape.test(text)) throw new Refusal('invalid_api_key')
  return hash('sha256', text.length === 48 ? text : text.slice(3))
}

export function newKey(): NewKey {
  const key = Array.from({ length: 48 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return { key, hash: Buffer.from(hash('sha256', key), 'hex'), tail: key.slice(-4) }
}
