/** Values made of others as JSON Schema: objects, lists and alternatives. */
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { branchesOf } from './conditions.js'
import type { Described, DescribedDependency, DescribedPattern, Make } from './described.js'
import { bounds, plainSource } from './rules.js'

export function objectSchema(part: Described, make: Make): JsonObject {
  const { keys = {}, patterns = [], dependencies = [] } = part
  const taken = Object.entries(keys).filter(([, key]) => isTaken(key))
  const properties = Object.fromEntries(taken.map(([name, key]) => [name, make(key)]))
  const required = taken.filter(([, { flags }]) => flags?.presence === 'required')
  return {
    ...bounds({ type: 'object', rules: part.rules }),
    ...(taken.length > 0 && { properties: { ...properties, ...olderNames(part, properties) } }),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    ...(patterns.length > 0 && keyed(patterns, make)),
    ...(dependencies.length > 0 && { allOf: dependencies.map(dependency) }),
  }
}

/** What is dropped or refused is nothing to send. */
function isTaken({ flags }: Described): boolean {
  return flags?.result !== 'strip' && flags?.presence !== 'forbidden'
}

function olderNames(
  { renames = [] }: Described,
  properties: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const reported = renames.flatMap(({ from, to }) => {
    const target = properties[String(to)]
    if (typeof from !== 'string' || target === undefined) return []
    const { default: _, ...rest } = target
    return [[from, { ...rest, deprecated: true, description: `Older name of ${String(to)}.` }]]
  })
  return Object.fromEntries(reported)
}

/** Keys nobody knows beforehand. */
function keyed(patterns: readonly DescribedPattern[], make: Make): JsonObject {
  const byPattern: Record<string, JsonObject> = {}
  let others: JsonObject = {}
  for (const { regex, schema, rule } of patterns) {
    const source = regex === undefined ? undefined : plainSource(regex)
    if (source !== undefined) byPattern[source] = make(rule)
    else if (schema !== undefined) others = { additionalProperties: make(rule) }
  }
  return { ...others, ...(Object.keys(byPattern).length > 0 && { patternProperties: byPattern }) }
}

function dependency({ rel, key, peers }: DescribedDependency): JsonObject {
  const each = peers.map((peer) => ({ required: [peer] }))
  switch (rel) {
    case 'or':
      return { anyOf: each }
    case 'xor':
      return { oneOf: each }
    case 'oxor':
      return { oneOf: [...each, { not: { anyOf: each } }] }
    case 'and':
      return { anyOf: [{ required: peers }, { not: { anyOf: each } }] }
    case 'nand':
      return { not: { required: peers } }
    case 'with':
      return { dependentRequired: { [String(key)]: peers } }
    default:
      // `without`: the field forbids each of the others.
      return { not: { allOf: [{ required: [String(key)] }, { anyOf: each }] } }
  }
}

export function arraySchema({ rules, items = [], ordered = [], flags }: Described, make: Make) {
  const kinds = items.filter((item) => item.flags?.presence !== 'forbidden').map(make)
  const list: JsonObject = {
    ...bounds({ type: 'array', rules }),
    ...(ordered.length > 0 && { prefixItems: ordered.map(make) }),
    ...(kinds.length > 0 && { items: anyOf(kinds) }),
  }
  return flags?.single === true ? { anyOf: [list, anyOf(kinds)] } : list
}

export function alternativesSchema({ matches = [], flags }: Described, make: Make): JsonObject {
  const all = matches.flatMap((match) =>
    match.schema === undefined ? branchesOf(match, make) : [make(match.schema)],
  )
  if (flags?.match === 'one') return { oneOf: all }
  return flags?.match === 'all' ? { allOf: all } : anyOf(all)
}

function anyOf(schemas: readonly JsonObject[]): JsonObject {
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: schemas }
}
