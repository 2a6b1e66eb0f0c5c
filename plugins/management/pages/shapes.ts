/** The lists of the console, each of entries of one shape. Fields a shape does not name stay as they are. */
import joi from 'joi'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'

const line = joi.string().allow('').max(500).pattern(visible, visibleOnly)
const address = joi
  .string()
  .uri({ scheme: ['http', 'https'] })
  .max(500)
const id = joi.number().integer().min(0)
const kinds = ['default', 'ongoing', 'success', 'warning', 'error']
/** A word, never a value of CSS. */
const color = joi
  .string()
  .allow('')
  .pattern(/^[a-z-]{0,32}$/, 'a word')

export const shapes: Readonly<Record<string, joi.ArraySchema>> = {
  'console_setting.api_info': entries(50, {
    id,
    url: address.required(),
    route: line.required(),
    description: line.required(),
    color,
  }),
  'console_setting.announcements': entries(100, {
    id,
    content: joi.string().max(5000).required(),
    publishDate: joi.string().isoDate().required(),
    type: joi.string().valid(...kinds),
    extra: joi.string().allow('').max(1000),
  }),
  'console_setting.faq': entries(100, {
    id,
    question: line.invalid('').required(),
    answer: joi.string().max(5000).required(),
  }),
  'console_setting.uptime_kuma_groups': entries(50, {
    id,
    categoryName: line.invalid('').required(),
    url: address.required(),
    slug: joi
      .string()
      .pattern(/^[A-Za-z0-9_-]{1,100}$/, 'letters, digits, - and _')
      .required(),
    description: line,
  }),
}

function entries(max: number, fields: joi.PartialSchemaMap): joi.ArraySchema {
  return joi.array().items(joi.object(fields).unknown(true)).max(max)
}

export function checkShape(key: string, shape: joi.Schema, text: string): void {
  const { error } = shape.validate(JSON.parse(text), { errors: { wrap: { label: false } } })
  if (error !== undefined) {
    throw new Refusal('invalid_field', { reason: `${key}: ${error.message}.`, param: key })
  }
}
