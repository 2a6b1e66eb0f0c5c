/** The shape of what clients may set in requests of a task type, as its manifest declares it. */
import Joi from 'joi'
import type { RequestField, RequestForm } from '../contract/manifest.js'
import { fieldName, takes } from './setting-field.js'

const requestField = Joi.object({
  name: fieldName.required(),
  type: Joi.string().valid('text', 'number', 'boolean', 'select', 'json', 'image').required(),
  title: Joi.string().required(),
  help: Joi.string(),
  default: Joi.any(),
  options: Joi.array().items(Joi.string()).min(1).unique(),
  min: Joi.number(),
  max: Joi.number(),
  integer: Joi.boolean(),
  long: Joi.valid(true),
  many: Joi.number().integer().min(1).max(16),
  source: Joi.valid('upload', 'address'),
  required: Joi.valid(true),
})

export const requestForms = Joi.array()
  .items(
    Joi.object({
      operation: Joi.string().valid('video', 'music', 'midjourney', 'images').required(),
      action: Joi.string().pattern(/^[a-z][a-z0-9_-]{0,31}$/, 'name of an action'),
      fields: Joi.array().items(requestField).min(1).unique('name').required(),
    }),
  )
  .unique((left, right) => left.operation === right.operation && left.action === right.action)

/** What is wrong with a field beyond its shape. Undefined: nothing is. */
export function faultOfRequestForms(forms: readonly RequestForm[] = []): string | undefined {
  for (const [at, { fields }] of forms.entries()) {
    for (const [index, field] of fields.entries()) {
      const fault = faultOfField(field)
      if (fault !== undefined) return `"requestFields[${at}].fields[${index}].${fault}`
    }
  }
  return undefined
}

/** The one type some parts are for. */
const only = {
  options: 'select',
  min: 'number',
  max: 'number',
  integer: 'number',
  long: 'text',
  many: 'image',
  source: 'image',
} as const

function faultOfField(field: RequestField): string | undefined {
  const { type, options, min = -Infinity, max = Infinity } = field
  for (const [part, its] of Object.entries(only)) {
    const isGiven = field[part as keyof typeof only] !== undefined
    if (isGiven && type !== its) return `${part}" is not for the type "${type}"`
  }
  if (type === 'select' && options === undefined) return 'options" must name what can be selected'
  if (min > max) return 'min" is above "max"'
  if (field.default === undefined) return undefined
  if (type === 'image') return 'default" is not for the type "image"'
  const like = { ...field, type: type === 'text' ? 'string' : type } as const
  return takes(like, field.default) ? undefined : 'default" is no value this field takes'
}
