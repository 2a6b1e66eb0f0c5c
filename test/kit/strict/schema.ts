/** What vendors take as a schema where they hold the answer to it strictly. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { type Check, type Faults, fault, place } from './engine.js'

/** Each object is closed. `required`: each property is named there too. */
export function closedSchema(required: 'all' | 'any'): Check {
  return (value, at, faults) => {
    if (isObject(value))
      eachSchema(value, at, (schema, where) => closed(schema, where, required, faults))
    else fault(faults, at, 'must be an object')
  }
}

function closed(schema: JsonObject, at: string, required: 'all' | 'any', faults: Faults): void {
  if (schema.type !== 'object' && schema.properties === undefined) return
  if (schema.additionalProperties !== false) {
    fault(faults, place(at, 'additionalProperties'), 'must be false')
  }
  const named = Array.isArray(schema.required) ? schema.required : []
  const missing = Object.keys(isObject(schema.properties) ? schema.properties : {}).filter(
    (name) => !named.includes(name),
  )
  if (required === 'all' && missing.length > 0) {
    fault(faults, place(at, 'required'), `must name ${missing.join(', ')}`)
  }
}

const ofMaps = ['properties', '$defs', 'definitions'] as const
const ofLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const

function eachSchema(
  schema: JsonObject,
  at: string,
  look: (schema: JsonObject, at: string) => void,
): void {
  look(schema, at)
  const inner: [string, Json | undefined][] = [['items', schema.items]]
  for (const name of ofMaps) {
    const held = schema[name]
    for (const [key, one] of Object.entries(isObject(held) ? held : {})) {
      inner.push([`${name}.${key}`, one])
    }
  }
  for (const name of ofLists) {
    const held = schema[name]
    for (const [index, one] of (Array.isArray(held) ? held : []).entries()) {
      inner.push([`${name}[${index}]`, one])
    }
  }
  for (const [name, one] of inner) if (isObject(one)) eachSchema(one, place(at, name), look)
}
