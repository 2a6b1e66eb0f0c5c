/** A schema in short: its type in the words of JSON Schema, its bounds, and whether there is more below it. */
import type { Schema } from '../../../api/openapi.js'

export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const { type, items } = schema
  if (typeof type === 'string') return type === 'array' ? listText(items) : type
  if (type !== undefined) return type.join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' | ')
  if (schema.allOf !== undefined) return firstKnown(schema.allOf.map(typeText))
  if (schema.enum !== undefined) return [...new Set(schema.enum.map(jsonType))].join(' | ')
  return schema.properties === undefined ? anyType : 'object'
}

const anyType = 'any'

function listText(items: Schema | undefined): string {
  if (items === undefined) return 'array'
  const inner = typeText(items)
  return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`
}

function firstKnown(types: readonly string[]): string {
  return types.find((type) => type !== anyType) ?? anyType
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The bounds by their kind: `value`, `length`, `items`, each as `1 – 50`, `≥ 1` or `≤ 50`. */
export function boundsOf(schema: Schema): Readonly<Record<string, string>> {
  const least = schema.minimum ?? above(schema.exclusiveMinimum)
  const most = schema.maximum ?? above(schema.exclusiveMaximum)
  const ranges = {
    value: rangeText(least, most),
    length: rangeText(schema.minLength, schema.maxLength),
    items: rangeText(schema.minItems, schema.maxItems),
  }
  return Object.fromEntries(Object.entries(ranges).filter(([, text]) => text !== ''))
}

/** Exclusive bounds are marked, since they are no values themselves. */
function above(bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : `(${bound})`
}

function rangeText(least?: number | string, most?: number | string): string {
  if (least === undefined) return most === undefined ? '' : `≤ ${most}`
  if (most === undefined) return `≥ ${least}`
  return least === most ? String(least) : `${least} – ${most}`
}

/** Parts that are shown below a schema, each with the key of its title; `fields` has none. */
export interface SchemaPart {
  readonly title: 'each' | 'other' | 'named' | 'oneOf' | 'allOf' | 'place'
  /** What the title names, as the pattern of a key. */
  readonly name: string
  readonly schema: Schema
}

export function partsOf(schema: Schema): readonly SchemaPart[] {
  const { items, prefixItems, additionalProperties: other, patternProperties = {} } = schema
  const choices = schema.anyOf ?? schema.oneOf ?? []
  const parts: readonly SchemaPart[] = [
    ...(prefixItems ?? []).map((part, at) => partOf('place', part, String(at + 1))),
    ...(items === undefined ? [] : [partOf('each', items)]),
    ...(typeof other === 'object' ? [partOf('other', other)] : []),
    ...Object.entries(patternProperties).map(([name, part]) => partOf('named', part, name)),
    ...choices.map((part) => partOf('oneOf', part)),
    ...(schema.allOf ?? []).map((part) => partOf('allOf', part)),
  ]
  return parts.filter((part) => isWorthShowing(part.schema))
}

function partOf(title: SchemaPart['title'], schema: Schema, name = ''): SchemaPart {
  return { title, schema, name }
}

export function hasParts(schema: Schema): boolean {
  return Object.keys(schema.properties ?? {}).length > 0 || partsOf(schema).length > 0
}

/** Its type alone stands at its parent already. */
function isWorthShowing(schema: Schema): boolean {
  const { description, enum: values, pattern } = schema
  if (description !== undefined || values !== undefined || pattern !== undefined) return true
  return hasParts(schema) || Object.keys(boundsOf(schema)).length > 0
}
