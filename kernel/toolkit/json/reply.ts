/**
 * Reads whole replies of upstreams. Bytes that are no UTF-8 and keys that stand twice are read as the engine reads them:
 * nobody is billed by them. Large ones are read with turns for others in between, and what is built of them is held in
 * the room of their request (decisions 0050, 0060, 0065).
 */
import type { ByteRoom } from '../../contract/bytes.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { EgressError, noRoom } from '../errors/egress-error.js'
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'
import { inTurns } from './in-turns.js'
import { type KeyRules, readPieces } from './pieces.js'
import {
  holdsTooMuch,
  JsonCounts,
  type JsonWeight,
  OPEN,
  OPEN_LIST,
  replyBounds,
  skipSpace,
} from './scan.js'

/**
 * What a whole reply states; undefined: it is no JSON, or holds more than a reply may. Rejects with an `EgressError` where
 * there is no room for it.
 */
export async function readReplyJson(bytes: Buffer, room?: ByteRoom): Promise<Json | undefined> {
  try {
    if (bytes.length <= harmlessBytes) return JSON.parse(bytes.toString('utf8'))
    return await large(bytes, room)
  } catch (error) {
    if (error instanceof EgressError) throw error
    return undefined
  }
}

/** So few bytes are read at once, whatever they hold. */
const harmlessBytes = 64 * 1024

function large(bytes: Buffer, room: ByteRoom | undefined): Promise<Json> {
  const counts = new JsonCounts(replyBounds, room && weightIn(room))
  return inTurns(readPieces(bytes, { counts, rules: anyKeys }))
}

function weightIn(room: ByteRoom): JsonWeight {
  return {
    add(bytes) {
      if (!room.add(bytes)) throw noRoom()
    },
  }
}

const anyKeys: KeyRules = {
  parsed() {},
  twice() {},
  broken: () => new Broken(),
}

/** It is no JSON. */
class Broken extends Error {}

/** What became of replies that were read before a provider requested them; null: they are no JSON. */
const readAhead = new WeakMap<Buffer, Json>()

/**
 * Reads a large reply before a provider asks for it by `replyObject`; what is no JSON, such as a picture, is left alone.
 * False: it holds more than a reply may. Rejects as `readReplyJson` does.
 */
export async function readReplyAhead(bytes: Buffer, room?: ByteRoom): Promise<boolean> {
  const first = bytes[skipSpace(bytes, 0, harmlessBytes)]
  if (bytes.length <= harmlessBytes || (first !== OPEN && first !== OPEN_LIST)) return true
  try {
    readAhead.set(bytes, await large(bytes, room))
  } catch (error) {
    if (error instanceof Refusal) return false
    if (!(error instanceof Broken)) throw error
    readAhead.set(bytes, null)
  }
  return true
}

/**
 * The object a whole reply of an upstream is; undefined: it is none, or too large to be read in one go and was not read
 * ahead. The gateway reads ahead what it gives a provider as a `WholeAnswer`.
 */
export function replyObject(bytes: Buffer): JsonObject | undefined {
  const value = bytes.length > harmlessBytes ? readAhead.get(bytes) : undefined
  if (value !== undefined) return isObject(value) ? value : undefined
  return bytes.length > limits.wholeEventBytesMax || holdsTooMuch(bytes) ? undefined : parsed(bytes)
}

function parsed(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
