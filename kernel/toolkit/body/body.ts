/** JSON bodies on their way out: changed without losing the client's own bytes, and written at the very end. */
import type { Body } from '../../contract/body.js'
import type { JsonObject } from '../../contract/json.js'
import { rewritten } from '../json/ranges.js'

export type JsonBody = Extract<Body, { readonly kind: 'json' }>

/** The body with other members; the same one where nothing changed. Unchanged members are the very same values. */
export function changed(body: JsonBody, value: JsonObject): JsonBody {
  if (value === body.value) return body
  const { bytes, original = bytes && { value: body.value, bytes } } = body
  return original === undefined ? { kind: 'json', value } : { kind: 'json', value, original }
}

/** What goes out: the client's bytes with the changed members replaced, or a body made here written anew. */
export function bytesOf({ value, bytes, original }: JsonBody): Buffer | string {
  if (bytes !== undefined) return bytes
  return original === undefined ? JSON.stringify(value) : rewritten(value, original)
}
