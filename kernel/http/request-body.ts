/**
 * Request bodies as bytes, and as JSON for management. Compressed bodies are opened here and not by the server, so
 * that one bound holds for what came and for what it unfolds to (failures.md S11, S15).
 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Json } from '../contract/json.js'
import { Refusal } from '../errors.js'
import { limits } from '../limits.js'

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

/** The JSON of a management body; no bytes: undefined. Refuses `__proto__` at any depth and what is nested too deep. */
export function parsedJson(body: Buffer): Json | undefined {
  const text = body.toString('utf8').trim()
  if (text === '') return undefined
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid_json', { reason: faultOf(error) })
  }
  refuseHostile(value, 1)
  return value
}

/** Where the parser stumbled, without the piece of the body it quotes. */
function faultOf(error: unknown): string {
  const at = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
  return at === undefined ? 'it cannot be parsed' : `it cannot be parsed ${at}`
}

function refuseHostile(value: Json, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.jsonDepthMax) throw new Refusal('too_deep', { limit: limits.jsonDepthMax })
  if (Object.hasOwn(value, '__proto__')) throw new Refusal('forbidden_key', { key: '__proto__' })
  for (const child of Object.values<Json>(value as Record<string, Json>)) {
    refuseHostile(child, depth + 1)
  }
}
