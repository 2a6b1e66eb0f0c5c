/** The shape of a setting declared in a manifest, for the plugin's own and for those of each channel. */
import Joi from 'joi'
import { isObject } from '../contract/json.js'
import type { SettingField } from '../contract/manifest.js'

/** Read as members of objects, where a name that every object has would be found though nobody set it. */
export const inherited: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

export const fieldName = Joi.string()
  .pattern(/^[A-Za-z][A-Za-z0-9_-]*$/, 'name')
  .invalid(...inherited)
  .messages({ 'any.invalid': '{{#label}} is a name that every object has; choose another' })

/** Goes into the policy of pages as it stands, so it is one https origin and nothing else. */
const origins = Joi.array()
  .items(Joi.string().pattern(/^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/, 'https origin'))
  .min(1)
  .unique()

export const settingField = Joi.object({
  name: fieldName.required(),
  type: Joi.string()
    .valid('string', 'secret', 'number', 'boolean', 'select', 'json', 'list')
    .required(),
  title: Joi.string().required(),
  help: Joi.string(),
  option: Joi.string(),
  default: Joi.any(),
  options: Joi.array().items(Joi.string().allow('')).min(1).unique(),
  min: Joi.number(),
  max: Joi.number(),
  integer: Joi.boolean(),
  maxBytes: Joi.number().integer().min(1),
  image: Joi.valid(true),
  forms: Joi.valid(true),
  pages: Joi.object({ script: origins, frame: origins }).min(1),
  when: Joi.object({ field: fieldName.required(), is: Joi.any().required() }),
})

/** What is wrong with a field beyond its shape, as `<part>" …`; undefined: nothing is. */
export function faultOfField(
  field: SettingField,
  fields: readonly SettingField[],
): string | undefined {
  const { type, when } = field
  for (const part of ['min', 'max', 'integer'] as const) {
    if (field[part] !== undefined && type !== 'number')
      return `${part}" is not for the type "${type}"`
  }
  if (field.image && type !== 'string') return `image" is not for the type "${type}"`
  if (field.forms && type !== 'string') return `forms" is not for the type "${type}"`
  if (field.pages && type !== 'boolean') return `pages" is not for the type "${type}"`
  if (field.options && type !== 'select') return `options" is not for the type "${type}"`
  if (!field.options && type === 'select') return 'options" must name what can be selected'
  if ((field.min ?? -Infinity) > (field.max ?? Infinity)) return 'min" is above "max"'
  if (when && !fields.some((other) => other.name === when.field && other !== field)) {
    return `when.field" names "${when.field}", which is no other field here`
  }
  if (field.default === undefined) return undefined
  if (type === 'secret') return 'default" is not for the type "secret"'
  return takes(field, field.default) ? undefined : 'default" is no value this field takes'
}

type ValueField = Pick<SettingField, 'type' | 'options' | 'min' | 'max' | 'integer'>

export function takes(field: ValueField, value: unknown): boolean {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' && inRange(field, value)
    case 'select':
      return typeof value === 'string' && (field.options ?? []).includes(value)
    case 'list':
      return Array.isArray(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'json':
      return isObject(value)
    default:
      return typeof value === 'string'
  }
}

function inRange(field: ValueField, value: number): boolean {
  if (field.integer === true && !Number.isInteger(value)) return false
  return value >= (field.min ?? -Infinity) && value <= (field.max ?? Infinity)
}
