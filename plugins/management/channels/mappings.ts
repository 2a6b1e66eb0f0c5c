/** The two mappings of a channel: names of models, and status codes as clients see them (CHAN-1). */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { jsonObject } from './json-text.js'
import { modelName } from './names.js'

const canonicalCode = /^[1-5]\d\d$/
/** As JSON text: codes without sign, zero in front, fraction, exponent or escape, on either side. */
const canonicalText =
  /^\s*\{(?:\s*"[1-5]\d\d"\s*:\s*(?:[1-5]\d\d|"[1-5]\d\d")\s*(?:,(?=\s*")|(?=\})))*\s*\}\s*$/

/** Requested name → upstream name. */
export function modelMapping(value: unknown): JsonObject {
  const mapping = jsonObject(value)
  const entries = Object.entries(mapping).map(([from, to]) => {
    if (typeof to !== 'string') throw new Error(`maps "${from}" to something that is no name`)
    return [modelName(from), modelName(to)]
  })
  const named: Record<string, string> = Object.fromEntries(entries)
  if (Object.keys(named).length < entries.length) throw new Error('holds a name twice')
  return named
}

/** Upstream code → returned code, both 100..599; codes come out as numbers. */
export function statusCodeMapping(value: unknown): JsonObject {
  const mapping = jsonObject(value)
  if (typeof value === 'string' && value.trim() !== '' && !canonicalText.test(value)) {
    throw new Error(notCanonical)
  }
  const codes = Object.entries(mapping).map(([from, to]) => {
    const code = typeof to === 'number' ? String(to) : to
    if (!canonicalCode.test(from) || typeof code !== 'string' || !canonicalCode.test(code)) {
      throw new Error(notCanonical)
    }
    return [from, Number(code)]
  })
  return Object.fromEntries(codes)
}

const notCanonical = 'maps whole status codes of 100 to 599, written plainly, to such codes'
