/**
 * The schema of a tool's input as the service takes it: its top is an object ("inputSchema.json.type must be one of the
 * following: object"), and some families take three members there (`Family.plainSchemas`).
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { Family } from './family.js'

const nothing: JsonObject = { type: 'object', properties: {} }

export function toolSchema(schema: JsonObject | undefined, { plainSchemas }: Family): JsonObject {
  if (schema === undefined) return nothing
  const rooted = schema.type === 'object' ? schema : { ...schema, type: 'object' }
  if (plainSchemas !== true) return rooted
  const { properties, required } = rooted
  const placed = properties && inPlace(properties, schema, [])
  return present({ type: 'object', properties: placed, required })
}

/** What becomes of a schema is no more than what was asked for. Undefined: it is the same. */
export function schemaGap(
  schema: JsonObject | undefined,
  { plainSchemas }: Family,
): 'refuse' | 'report' | undefined {
  if (schema === undefined || plainSchemas !== true) return undefined
  if (unions.some((member) => schema[member] !== undefined)) return 'refuse'
  if (inPlace(schema.properties ?? {}, schema, []) === undefined) return 'refuse'
  return Object.keys(schema).every((member) => idle.has(member)) ? undefined : 'report'
}

const unions = ['anyOf', 'oneOf', 'allOf', '$ref'] as const
/** Members that stay, or say nothing of the input. */
const idle: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required'],
  ...['$schema', '$id', '$defs', 'definitions', 'title'],
])

/** Definitions where they are referred to. Undefined: one leads back to itself, or nowhere. */
function inPlace(value: Json, root: JsonObject, within: readonly string[]): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => inPlace(item, root, within))
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (!isObject(value)) return value
  const { $ref: reference, ...rest } = value
  if (typeof reference === 'string') return definition(reference, rest, root, within)
  const entries: [string, Json][] = []
  for (const [name, member] of Object.entries(value)) {
    const placed = inPlace(member!, root, within)
    if (placed === undefined) return undefined
    entries.push([name, placed])
  }
  return Object.fromEntries(entries)
}

function definition(
  reference: string,
  beside: JsonObject,
  root: JsonObject,
  within: readonly string[],
): Json | undefined {
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  const defined = place === undefined ? undefined : root[place]
  const found = isObject(defined) ? defined[name!] : undefined
  if (!isObject(found) || within.includes(reference)) return undefined
  return inPlace({ ...found, ...beside }, root, [...within, reference])
}
