/** Values a schema names one by one: only these, these besides, and never these. */
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'

export function valuesOnly(values: readonly unknown[]): JsonObject {
  const types = new Set(values.map(typeOf))
  const [type] = types
  return { ...(types.size === 1 && { type }), enum: values as Json[] }
}

/** What fits the schema, or is one of the values. */
export function either(schema: JsonObject, values: readonly unknown[]): JsonObject {
  const more = values.filter((value) => !(value === '' && takesBlank(schema)))
  if (more.length === 0) return schema
  const { enum: listed, type: _, ...rest } = schema
  if (!Array.isArray(listed)) return { anyOf: [schema, valuesOnly(more)] }
  return { ...rest, ...valuesOnly([...new Set([...listed, ...more])]) }
}

export function without(schema: JsonObject, values: readonly unknown[]): JsonObject {
  const { minLength } = schema
  const fits = values.filter((value) => value !== '' || !(Number(minLength) > 0))
  return fits.length === 0 ? schema : { ...schema, not: { enum: fits as Json[] } }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

function takesBlank({ type, minLength = 0, pattern, allOf, enum: listed }: JsonObject): boolean {
  if (type !== 'string' || listed !== undefined || Number(minLength) > 0) return false
  return allOf === undefined && (pattern === undefined || new RegExp(String(pattern), 'u').test(''))
}
