/** Heads of requests and replies as they are held until they are written. */
import type { Client } from '../../../kernel/contract/client.js'
import type { Received } from '../../../kernel/contract/line/record.js'
import type { RawHeaders } from './masking.js'

export function* pairs(flat: readonly string[]): Generator<readonly [string, string]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at]!, flat[at + 1]!]
}

export function headersOf({ headers }: Client): readonly (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [[name, Array.isArray(value) ? value.join(', ') : value] as const]
  })
}

export function addressOf({ path, client }: Pick<Received, 'path' | 'client'>): string {
  const query = Object.entries(client.query).map(([name, value]) => `${name}=${value}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** Characters, about as many as bytes. */
export function sizeOf(headers: RawHeaders): number {
  let size = 0
  for (const [name, value] of headers) size += name.length + value.length
  return size
}
