/**
 * The text of an API key: `sk-` and 48 characters, looked up by its SHA-256, never by itself. The id of a channel may
 * stand behind a dash: the request is for that channel alone.
 */
import { hash, randomInt } from 'node:crypto'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { NewKey } from './identity.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const shape = /^(?:sk-)?[A-Za-z0-9]{48}$/
const pinnedShape = /^((?:sk-)?[A-Za-z0-9]{48})-([1-9][0-9]{0,9})$/

export interface KeyText {
  /** Hex SHA-256 of the key. */
  readonly hash: string
  /** Id of the channel named behind the key. Undefined: none is. */
  readonly pinned: number | undefined
}

/** A key as clients send it, with or without `sk-`. Throws `invalid_api_key` for any other text. */
export function keyOf(text: string): KeyText {
  const key = keyIn(text)
  if (key === undefined) throw new Refusal('invalid_api_key')
  return key
}

/** The same; undefined for any other text. */
export function keyIn(text: string): KeyText | undefined {
  if (shape.test(text)) return { hash: hashOf(text), pinned: undefined }
  const [, key, channelId] = pinnedShape.exec(text) ?? []
  if (key === undefined) return undefined
  return { hash: hashOf(key), pinned: Number(channelId) }
}

export function newKey(): NewKey {
  const key = Array.from({ length: 48 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return { key, hash: Buffer.from(hash('sha256', key), 'hex'), tail: key.slice(-4) }
}

function hashOf(key: string): string {
  return hash('sha256', key.length === 48 ? key : key.slice(3))
}
