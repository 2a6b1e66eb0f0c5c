/** An example value of a schema: what it declares itself, and otherwise the plainest value that fits its type. */
import type { MediaType, Schema } from '../../../api/openapi.js'

/** Deeper than this, values become null: nobody reads an example of that depth. */
const depthMax = 8

export function exampleOf({ example, examples = {}, schema }: MediaType): unknown {
  if (example !== undefined) return example
  const [first] = Object.values(examples)
  if (first?.value !== undefined) return first.value
  return schema === undefined ? undefined : sampleOf(schema)
}

/** Of an object all required fields, or all fields where none is required. */
export function sampleOf(schema: Schema, depth = 0): unknown {
  const { const: only, example, examples, default: standard, enum: values } = schema
  const declared = [only, example, examples?.[0], standard, values?.[0]]
  const known = declared.find((value) => value !== undefined)
  if (known !== undefined) return known
  if (depth > depthMax) return null
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice !== undefined && schema.type === undefined) return sampleOf(choice, depth)
  if (schema.allOf !== undefined && schema.type === undefined) return merged(schema.allOf, depth)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  return samples[type ?? typeByFields(schema)]?.(schema, depth) ?? null
}

const samples: Readonly<Record<string, (schema: Schema, depth: number) => unknown>> = {
  string: ({ format }) => formats[format ?? ''] ?? 'string',
  integer: numberSample,
  number: numberSample,
  boolean: () => true,
  array: ({ items, prefixItems }, depth) =>
    (prefixItems ?? (items === undefined ? [] : [items])).map((item) => sampleOf(item, depth + 1)),
  object: objectSample,
}

const formats: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  'date-time': '2026-01-01T00:00:00Z',
  uuid: '00000000-0000-7000-8000-000000000000',
}

function numberSample({ minimum, exclusiveMinimum, maximum }: Schema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  return Math.min(Math.max(least, 1), maximum ?? Number.MAX_SAFE_INTEGER)
}

function objectSample({ properties = {}, required = [] }: Schema, depth: number): object {
  const fields = Object.entries(properties).filter(([, { deprecated }]) => deprecated !== true)
  const wanted = fields.filter(([name]) => required.length === 0 || required.includes(name))
  return Object.fromEntries(wanted.map(([name, field]) => [name, sampleOf(field, depth + 1)]))
}

function merged(parts: readonly Schema[], depth: number): unknown {
  const values = parts.map((part) => sampleOf(part, depth + 1))
  const objects = values.filter((value) => typeof value === 'object' && value !== null)
  return objects.length === 0 ? values[0] : Object.assign({}, ...objects)
}

function typeByFields({ properties, items }: Schema): string {
  if (properties !== undefined) return 'object'
  return items === undefined ? '' : 'array'
}
