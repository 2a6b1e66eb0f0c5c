/**
 * Request bodies as bytes, and as JSON for management. Compressed bodies are opened here and not by the server, so
 * that one bound holds for what came and for what it unfolds to (failures.md S11, S15).
 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { JsonObject } from '../contract/json.js'
import { Refusal } from '../errors.js'
import { readJson } from '../wire/json.js'

/** True where the body has to be opened first: any coding but `identity`. */
export function isCoded(coding: string | undefined): coding is string {
  return coding !== undefined && coding !== '' && coding !== 'identity'
}

/**
 * Opens a body in one of the codings taken. Throws a `Refusal`: another coding, or more than one, is a 415; more than
 * `bytesMax` unfolded a 413; bytes that are not of that coding a 400.
 */
export async function decoded(body: Buffer, coding: string, bytesMax: number): Promise<Buffer> {
  const name = coding.trim().toLowerCase()
  const open = openers.get(name)
  if (open === undefined) {
    throw new Refusal('unsupported_media_type', {
      expected: 'gzip, deflate or br as its one content-encoding',
      given: coding.slice(0, 100),
      param: 'content-encoding',
    })
  }
  try {
    return await open(body, { maxOutputLength: bytesMax })
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('body_too_large', { limit: bytesMax })
    throw new Refusal('read_request_body_failed', { reason: `it is not valid ${name} data` })
  }
}

type Opener = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** The JSON of a management body; no bytes: undefined. Throws what `readJson` throws: nothing ambiguous gets further. */
export function parsedJson(body: Buffer): JsonObject | undefined {
  return body.length === 0 ? undefined : readJson(body)
}
