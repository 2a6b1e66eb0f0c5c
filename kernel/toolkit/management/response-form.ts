/** What `response` of a management route is made of: objects held to the type they describe, and common fields. */
import joi from 'joi'
import type { Json } from '../../contract/json.js'
import type { Whole } from './envelope.js'

/**
 * The schema that a field of this type takes; `null` is stated with `allow(null)`, a key that may be missing with `optional()`.
 * What may be any JSON takes any schema.
 */
type FieldSchema<Value> = Json extends Value
  ? joi.Schema
  : [NonNullable<Value>] extends [string]
    ? joi.StringSchema
    : [NonNullable<Value>] extends [number]
      ? joi.NumberSchema
      : [NonNullable<Value>] extends [boolean]
        ? joi.BooleanSchema
        : [NonNullable<Value>] extends [readonly unknown[]]
          ? joi.ArraySchema
          : [NonNullable<Value>] extends [object]
            ? joi.ObjectSchema
            : joi.AlternativesSchema

export type ResponseFields<Value> = {
  readonly [Key in keyof Value]-?: FieldSchema<Value[Key]>
}

/** A field that is forgotten, unknown or of another kind than in the type is a type error. */
export function responseForm<Value extends object>(
  fields: ResponseFields<Value>,
): joi.ObjectSchema<Value> {
  return joi.object<Value>(fields)
}

/** A whole number of any size, as `exact` makes it. */
export const wholeNumber: joi.AlternativesSchema<Whole> = joi
  .alternatives(joi.number().integer(), joi.string().pattern(/^-?\d+$/))
  .description('A number while it is exact as one, otherwise its digits.')

export const quotaUnits: joi.AlternativesSchema<Whole> = wholeNumber.description(
  'Quota units: a number while it is exact as one, otherwise its digits.',
)

export const unixSeconds = joi.number().integer().description('Unix seconds.')
