/**
 * A JSON Schema as services take it that hold the answer to it: every object is closed. Limits they do not enforce are
 * refused as keywords, so they move into the description, where the model reads them, as that vendor's SDK moves them.
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

/** The same object where it is so already. */
export function strictSchema(schema: JsonObject): JsonObject {
  const inner = mapped(schema, innerOf)
  const closed = isOpen(inner) ? { ...inner, additionalProperties: false } : inner
  return described(closed)
}

/** Keywords under which schemas stand by name, and those that hold a list of them. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
const lists: ReadonlySet<string> = new Set(['anyOf', 'allOf'])

function innerOf(key: string, value: Json | undefined): Json | undefined {
  if (maps.has(key) && isObject(value)) return mapped(value, (_, one) => strictOf(one))
  if (lists.has(key) && Array.isArray(value)) return mappedList(value)
  return key === 'items' ? strictOf(value) : value
}

function strictOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? strictSchema(value) : value
}

function mappedList(list: readonly Json[]): readonly Json[] {
  const next = list.map((one) => (isObject(one) ? strictSchema(one) : one))
  return next.every((one, at) => one === list[at]) ? list : next
}

function isOpen({ type, properties, additionalProperties }: JsonObject): boolean {
  if (additionalProperties === false) return false
  return (
    type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties)
  )
}

const refused: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['patternProperties', 'propertyNames', 'oneOf'],
])

function described(schema: JsonObject): JsonObject {
  const moved = Object.entries(schema).filter(([key, value]) => isRefused(key, value))
  if (moved.length === 0) return schema
  const { description, oneOf, ...rest } = schema
  const words = moved.filter(([key]) => key !== 'oneOf')
  const kept = Object.entries(rest).filter(([key, value]) => !isRefused(key, value))
  const reported = words.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')
  const lines = [
    ...(typeof description === 'string' ? [description] : []),
    ...(reported === '' ? [] : [`{${reported}}`]),
  ]
  return {
    ...(lines.length > 0 && { description: lines.join('\n\n') }),
    ...Object.fromEntries(kept),
    // One of several is the nearest to any of them that is taken.
    ...(Array.isArray(oneOf) && rest.anyOf === undefined && { anyOf: mappedList(oneOf) }),
  }
}

function isRefused(key: string, value: Json | undefined): boolean {
  if (key === 'minItems') return value !== 0 && value !== 1
  return refused.has(key)
}

function mapped(
  object: JsonObject,
  change: (key: string, value: Json | undefined) => Json | undefined,
): JsonObject {
  let changed = false
  const entries = Object.entries(object).map(([key, value]) => {
    const next = change(key, value)
    changed ||= next !== value
    return [key, next] as const
  })
  return changed ? Object.fromEntries(entries) : object
}
