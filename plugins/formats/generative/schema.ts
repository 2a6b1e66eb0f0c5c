/**
 * The format's older way to write a schema, a subset of OpenAPI 3.0, as JSON Schema. It is only read: what goes out
 * stands in `parametersJsonSchema` and `responseJsonSchema`, which take JSON Schema as it is, so nothing has to be
 * cut out of other formats' schemas (ai.google.dev/api/caching#FunctionDeclaration: "mutually exclusive with
 * `parameters`"; ai.google.dev/api/generate-content#GenerationConfig: "while the full JSON Schema may be sent, not all
 * features are supported").
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { camel } from './names.js'

/** Counts are 64-bit integers, which this format's JSON writes as strings. */
const counts: ReadonlySet<string> = new Set([
  'maxItems',
  'minItems',
  'maxLength',
  'minLength',
  'maxProperties',
  'minProperties',
])

/**
 * A schema out of the two fields that may hold one. Gemini CLI 0.61.0 writes the older spelling into the newer field, and
 * the service reads it.
 */
export function readSchema(
  newer: Json | undefined,
  older: Json | undefined,
): JsonObject | undefined {
  const schema = isObject(newer) ? newer : older
  if (!isObject(schema)) return undefined
  return schema === older || isOlder(schema) ? jsonSchema(schema) : schema
}

/** Types in capitals are no JSON Schema. */
function isOlder({ type }: JsonObject): boolean {
  return typeof type === 'string' && /^[A-Z]+$/.test(type)
}

function jsonSchema(schema: JsonObject): JsonObject {
  const { type, nullable, ...rest } = camel(schema)
  const entries = Object.entries(rest).map(([key, value]) => [key, converted(key, value)])
  const types = typeOf(type, nullable === true)
  return { ...(types !== undefined && { type: types }), ...Object.fromEntries(entries) }
}

function typeOf(type: Json | undefined, nullable: boolean): Json | undefined {
  if (typeof type !== 'string' || type === 'TYPE_UNSPECIFIED') return undefined
  const name = type.toLowerCase()
  return nullable && name !== 'null' ? [name, 'null'] : name
}

function converted(key: string, value: Json | undefined): Json | undefined {
  if (key === 'properties' && isObject(value)) {
    const entries = Object.entries(value).map(([name, item]) => [name, inner(item)])
    return Object.fromEntries(entries)
  }
  if (key === 'items' || key === 'additionalProperties') return inner(value)
  if ((key === 'anyOf' || key === 'prefixItems') && Array.isArray(value)) return value.map(innerOf)
  if (counts.has(key) && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  return value
}

function inner(value: Json | undefined): Json | undefined {
  return isObject(value) ? jsonSchema(value) : value
}

function innerOf(value: Json): Json {
  return isObject(value) ? jsonSchema(value) : value
}
