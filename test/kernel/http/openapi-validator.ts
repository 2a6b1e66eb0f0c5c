/** Judges values by JSON Schema, as far as the OpenAPI document uses it. A keyword unknown here is an error of the test. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

type Check = (wanted: Json, value: unknown, schema: JsonObject) => boolean

export function fits(schema: Json | undefined, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) throw new Error(`this is no schema: ${JSON.stringify(schema)}`)
  return Object.entries(schema).every(([keyword, wanted]) => {
    if (wanted === undefined || words.has(keyword)) return true
    const check = checks[keyword]
    if (check === undefined) throw new Error(`the keyword "${keyword}" is not known here`)
    return check(wanted, value, schema)
  })
}

/** They tell the reader something and check nothing. */
const words: ReadonlySet<string> = new Set(
  'description default examples deprecated title format'.split(' '),
)

const number = (check: (value: number, wanted: number) => boolean): Check => {
  return (wanted, value) => typeof value !== 'number' || check(value, Number(wanted))
}
const text = (check: (value: string, wanted: Json) => boolean): Check => {
  return (wanted, value) => typeof value !== 'string' || check(value, wanted)
}
const list = (check: (value: readonly unknown[], wanted: Json) => boolean): Check => {
  return (wanted, value) => !Array.isArray(value) || check(value, wanted)
}
const object = (
  check: (value: JsonObject, wanted: JsonObject, schema: JsonObject) => boolean,
): Check => {
  return (wanted, value, schema) => !isObject(value) || check(value, wanted as JsonObject, schema)
}
const all = (wanted: Json): readonly Json[] => wanted as readonly Json[]

const checks: Readonly<Record<string, Check>> = {
  type: (wanted, value) => [wanted].flat().some((type) => isOf(String(type), value)),
  enum: (wanted, value) => all(wanted).some((one) => isDeepStrictEqual(one, value)),
  const: (wanted, value) => isDeepStrictEqual(wanted, value),
  not: (wanted, value) => !fits(wanted, value),
  anyOf: (wanted, value) => all(wanted).some((one) => fits(one, value)),
  allOf: (wanted, value) => all(wanted).every((one) => fits(one, value)),
  oneOf: (wanted, value) => all(wanted).filter((one) => fits(one, value)).length === 1,
  minimum: number((value, wanted) => value >= wanted),
  maximum: number((value, wanted) => value <= wanted),
  exclusiveMinimum: number((value, wanted) => value > wanted),
  exclusiveMaximum: number((value, wanted) => value < wanted),
  multipleOf: number((value, wanted) => value % wanted === 0),
  minLength: text((value, wanted) => [...value].length >= Number(wanted)),
  maxLength: text((value, wanted) => [...value].length <= Number(wanted)),
  pattern: text((value, wanted) => new RegExp(String(wanted), 'u').test(value)),
  minItems: list((value, wanted) => value.length >= Number(wanted)),
  maxItems: list((value, wanted) => value.length <= Number(wanted)),
  uniqueItems: list(
    (value) => new Set(value.map((one) => JSON.stringify(one))).size === value.length,
  ),
  items: list((value, wanted) => value.every((one) => fits(wanted, one))),
  prefixItems: list((value, wanted) =>
    all(wanted).every((one, at) => at >= value.length || fits(one, value[at])),
  ),
  required: object((value, wanted) => Object.values(wanted).every((name) => String(name) in value)),
  minProperties: object((value, wanted) => Object.keys(value).length >= Number(wanted)),
  maxProperties: object((value, wanted) => Object.keys(value).length <= Number(wanted)),
  properties: object((value, wanted) =>
    Object.entries(wanted).every(([name, one]) => !(name in value) || fits(one, value[name])),
  ),
  patternProperties: object((value, wanted) =>
    Object.entries(wanted).every(([pattern, one]) =>
      Object.keys(value).every(
        (name) => !new RegExp(pattern, 'u').test(name) || fits(one, value[name]),
      ),
    ),
  ),
  additionalProperties: object((value, wanted, { properties = {} }) =>
    Object.keys(value).every((name) => name in (properties as object) || fits(wanted, value[name])),
  ),
  dependentRequired: object((value, wanted) =>
    Object.entries(wanted).every(
      ([name, peers]) => !(name in value) || all(peers ?? []).every((one) => String(one) in value),
    ),
  ),
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
