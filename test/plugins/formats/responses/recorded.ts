/** Fixtures of the responses format, as bytes and as bodies. */
import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../../kernel/contract/json.js'

const folder = new URL('../../../fixtures/responses/', import.meta.url)

export function stream(name: string): Buffer {
  return readFileSync(new URL(`${name}.sse`, folder))
}

export function body(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
}

/** Every answer that is reported both ways. */
export const results = [
  'text',
  'tools',
  'reasoning',
  'open-reasoning',
  'web-search',
  'own-tools',
  'image',
  'logprobs',
  'refusal',
  'incomplete',
  'whole-items',
]
