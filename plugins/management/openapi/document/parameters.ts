/** What an address takes, one by one: the parameters in the path, and the fields of the query. */
import type { Schema } from 'joi'
import { isObject, type Json, type JsonObject } from '../../../../kernel/contract/json.js'
import { jsonSchema, jsonSchemaOfQuery } from './json-schema.js'
import type { PathForm } from './path-form.js'

export function pathParameters(
  { parameters }: PathForm,
  schema: Schema | undefined,
): readonly JsonObject[] {
  const properties = propertiesOf(schema === undefined ? {} : jsonSchema(schema))
  return parameters.map(({ name, wide }) => {
    const { description, ...own } = properties[name] ?? { type: 'string' }
    const words = [description, wide ? 'It may hold slashes.' : undefined]
      .filter((word) => word !== undefined)
      .join(' ')
    return {
      name,
      in: 'path',
      required: true,
      ...(words !== '' && { description: words }),
      schema: own,
    }
  })
}

export function queryParameters(schema: Schema | undefined): readonly JsonObject[] {
  if (schema === undefined) return []
  const whole = jsonSchemaOfQuery(schema)
  const required = Array.isArray(whole.required) ? whole.required : []
  return Object.entries(propertiesOf(whole)).map(([name, property]) => {
    const { description, deprecated, ...own } = property
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      ...(deprecated === true && { deprecated }),
      schema: own,
    }
  })
}

function propertiesOf({ properties }: JsonObject): Readonly<Record<string, JsonObject>> {
  if (!isObject(properties)) return {}
  const reported = Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1] as Json),
  )
  return Object.fromEntries(reported)
}
