/** The two mappings of a channel: names of models, and status codes as clients see them (CHAN-1). */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { jsonObject } from '../../../../kernel/toolkit/management/index.js'
import { modelName } from './names.js'

const canonicalCode = /^[1-5]\d\d$/
/** As JSON text: codes without sign, zero in front, fraction, exponent or escape, on either side. */
const canonicalText =
  /^\s*\{(?:\s*"[1-5]\d\d"\s*:\s*(?:[1-5]\d\d|"[1-5]\d\d")\s*(?:,(?=\s*")|(?=\})))*\s*\}\s*$/

/** Requested name → upstream name. A name mapped to itself is a stop; a circle has no end and is refused. */
export function modelMapping(value: unknown): JsonObject {
  const mapping = jsonObject(value)
  const entries = Object.entries(mapping).map(([from, to]) => {
    if (typeof to !== 'string') throw new Error(`maps "${from}" to something that is no name`)
    return [modelName(from), modelName(to)]
  })
  const named: Record<string, string> = Object.fromEntries(entries)
  if (Object.keys(named).length < entries.length) throw new Error('holds a name twice')
  const circle = circleIn(named)
  if (circle !== undefined) throw new Error(`runs in a circle: ${circle.join(' → ')}`)
  return named
}

/** Each name is walked from once, however long the chains are. */
function circleIn(mapping: Readonly<Record<string, string>>): readonly string[] | undefined {
  const ending = new Set<string>()
  for (const start of Object.keys(mapping)) {
    const path = new Set<string>()
    let name: string | undefined = start
    while (name !== undefined && !ending.has(name)) {
      if (path.has(name)) return shown([...path], name)
      path.add(name)
      const next: string | undefined = Object.hasOwn(mapping, name) ? mapping[name] : undefined
      name = next === name ? undefined : next
    }
    for (const seen of path) ending.add(seen)
  }
  return undefined
}

/** The circle from its first name back to it; of a long one the beginning. */
function shown(path: readonly string[], first: string): readonly string[] {
  const circle = path.slice(path.indexOf(first))
  return circle.length > 10 ? [...circle.slice(0, 10), '…', first] : [...circle, first]
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
