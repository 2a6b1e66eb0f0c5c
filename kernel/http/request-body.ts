/**
 * Request bodies as bytes, and as JSON for management. Compressed bodies are opened here and not by the server, so
 * that one bound holds for what came and for what it unfolds to (S11, S15).
 */
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { JsonObject } from '../contract/json.js'
import type { ByteShare } from '../memory/byte-budget.js'
import { Collector } from '../toolkit/body/collect.js'
import { roomFor } from '../toolkit/body/read-body.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import { readJson, readJsonAhead } from '../toolkit/json/json.js'
import type { JsonWeight } from '../toolkit/json/scan.js'
import { busy } from './busy.js'

/** True where the body has to be opened first: any coding but `identity`. */
export function isCoded(coding: string | undefined): coding is string {
  return coding !== undefined && coding !== '' && coding !== 'identity'
}

/**
 * Opens a body in one of the codings taken, within the room of its share. Throws a `Refusal`: another coding, or more
 * than one, is a 415; more than `bytesMax` unfolded a 413; bytes that are not of that coding a 400; no room a 503.
 */
export async function decoded(
  body: Buffer,
  coding: string,
  { bytesMax, share }: { readonly bytesMax: number; readonly share: ByteShare },
): Promise<Buffer> {
  const name = coding.trim().toLowerCase()
  const open = openers.get(name)
  if (open === undefined) {
    throw new Refusal('unsupported_media_type', {
      expected: 'gzip, deflate or br as its one content-encoding',
      given: coding.slice(0, 100),
      param: 'content-encoding',
    })
  }
  const opened = new Collector()
  const opener = open()
  opener.end(body)
  try {
    for await (const chunk of opener) {
      if (opened.bytes + chunk.length > bytesMax) {
        throw new Refusal('body_too_large', { limit: bytesMax })
      }
      if (!share.add(chunk.length)) throw busy()
      opened.add(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('read_request_body_failed', { reason: `it is not valid ${name} data` })
  }
  share.keep(opened.bytes)
  return opened.all()
}

type Opener = () => Transform

/** Pieces of this size are kept as they come. */
const pieces = { chunkSize: 64 * 1024 }
const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ['gzip', () => createGunzip(pieces)],
  ['deflate', () => createInflate(pieces)],
  ['br', () => createBrotliDecompress(pieces)],
])

/**
 * Where what is built of a request's JSON is held: in the share its bytes are held in, beyond what is not counted of any
 * request (decision 0065). Throws a `Refusal`: no room now is a 503, what could never fit a 413.
 */
export function bodyWeight(share: ByteShare): JsonWeight {
  const roomy = roomFor(share)
  const before = share.held
  let built = 0
  return {
    add(bytes) {
      built += bytes
      if (roomy(built)) return
      if (before + built <= share.largestBytes) throw busy()
      const what = 'values that take too many bytes of memory'
      throw new Refusal('json_too_large', { what, limit: share.largestBytes })
    },
  }
}

/**
 * The JSON of a management body, read with turns for others where it is large; no bytes: undefined. Throws what
 * `readJson` throws: nothing ambiguous gets further.
 */
export async function parsedJson(body: Buffer, share: ByteShare): Promise<JsonObject | undefined> {
  if (body.length === 0) return undefined
  await readJsonAhead(body, bodyWeight(share))
  return readJson(body)
}
