/**
 * JSON Schema (2020-12) of a joi schema. Of a request it shows the form clients should send: texts that joi would convert
 * (`"5"` for 5) are not in it, and keys it does not name are allowed, because the gateway drops them. Of a response every
 * key is required that is not called optional. Schemas with a name are kept once and referred to.
 */
import type { Schema } from 'joi'
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { conditioned } from './conditions.js'
import { type Described, described, type Make, namedValues } from './described.js'
import { either, valuesOnly, without } from './listed-values.js'
import { NamedSchemas } from './named-schemas.js'
import { ruledSchema } from './rules.js'
import { alternativesSchema, arraySchema, objectSchema } from './shapes.js'

export function jsonSchema(schema: Schema, named = new NamedSchemas()): JsonObject {
  return maker({ named, isResponse: false })(described(schema))
}

export function responseSchema(schema: Schema, named: NamedSchemas): JsonObject {
  return maker({ named, isResponse: true })(described(schema))
}

/** The same as of a request for the parts of an address: there nobody sends a blank value on purpose. */
export function jsonSchemaOfQuery(schema: Schema): JsonObject {
  const whole = described(schema)
  const keys = Object.entries(whole.keys ?? {}).map(([name, key]) => [
    name,
    { ...key, flags: { ...key.flags, empty: undefined } },
  ])
  return maker({ named: new NamedSchemas(), isResponse: false })({
    ...whole,
    keys: Object.fromEntries(keys),
  })
}

const shapes: Readonly<Record<string, (described: Described, make: Make) => JsonObject>> = {
  object: objectSchema,
  array: arraySchema,
  alternatives: alternativesSchema,
}

interface Making {
  readonly named: NamedSchemas
  readonly isResponse: boolean
}

function maker({ named, isResponse }: Making): Make {
  const make: Make = (given) => {
    const part = isResponse ? withKeysPresent(given) : given
    const { id } = part.flags ?? {}
    if (id === undefined) return whole(part)
    const { allow, plain } = withoutListed(part)
    return either(named.reference(id, whole(plain)), allow)
  }
  const whole: Make = (part) => {
    const reported = part.metas?.find(({ openapi }) => openapi !== undefined)?.openapi
    return annotated(part, reported ?? conditioned(part, checked(part, make), make))
  }
  return make
}

/** In a response a key is there unless its schema calls it optional. */
function withKeysPresent(part: Described): Described {
  if (part.keys === undefined) return part
  const keys = Object.entries(part.keys).map(([name, key]) => {
    return [name, { ...key, flags: { presence: 'required', ...key.flags } }] as const
  })
  return { ...part, keys: Object.fromEntries(keys) }
}

/** What a place takes besides the named form, as null, is no part of that form. */
function withoutListed(part: Described) {
  if (part.flags?.only === true) return { allow: [], plain: part }
  const { allow, ...plain } = part
  return { allow: namedValues(allow), plain }
}

function checked(part: Described, make: Make): JsonObject {
  const { type = 'any', flags, allow = [], invalid } = part
  const listed = namedValues(allow)
  const fields = allow.filter(isReference)
  if (flags?.only === true && fields.length === 0) return orBlank(part, valuesOnly(listed))
  const shaped = (shapes[type] ?? ruledSchema)(part, make)
  // Without a type of its own, everything is taken anyway.
  const schema = type === 'any' ? shaped : either(shaped, listed)
  return orBlank(part, { ...without(schema, namedValues(invalid)), ...sameAs(fields) })
}

/** A value that must be that of another field. */
function sameAs(fields: readonly Reference[]): JsonObject {
  if (fields.length === 0) return {}
  return { description: `The same as ${fields.map(({ ref }) => ref.path.join('.')).join(' or ')}.` }
}

interface Reference {
  readonly ref: { readonly path: readonly string[] }
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'ref' in value
}

function orBlank({ type, flags }: Described, schema: JsonObject): JsonObject {
  const blanks = namedValues(flags?.empty?.allow)
  return type === 'any' && flags?.only !== true ? schema : either(schema, blanks)
}

function annotated({ flags, examples }: Described, schema: JsonObject): JsonObject {
  const description = flags?.description ?? schema.description
  const standard = flags?.default
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(isPlain(standard) && { default: standard }),
    ...(examples !== undefined && { examples: examples.filter(isPlain) }),
  }
}

/** Functions, references and joi's own marks are no value a reader could send. */
function isPlain(value: unknown): value is Json {
  if (value === undefined || typeof value === 'function') return false
  if (typeof value !== 'object' || value === null) return true
  return !('ref' in value) && !('special' in value)
}
