/** `response` of a field that clients may set in requests of a task type. */
import joi from 'joi'
import type { RequestField, Translations } from '../../contract/manifest.js'
import { responseForm } from './response-form.js'
import { fieldRules } from './setting-field-form.js'

const marked = joi.boolean().valid(true).optional()

export const requestFieldForm = responseForm<RequestField>({
  ...fieldRules,
  name: joi.string().example('seconds'),
  type: joi.string().valid('text', 'number', 'boolean', 'select', 'json', 'image'),
  long: marked.description('`text`: it has several lines.'),
  many: joi
    .number()
    .integer()
    .optional()
    .description('`image`: how many at most, sent as a list. Absent: one.'),
  source: joi
    .string()
    .valid('upload', 'address')
    .optional()
    .description('`image`: only data URLs are taken, or only addresses. Absent: both.'),
  required: marked.description('A request means nothing without it.'),
}).id('RequestField')

/** `response` of what a manifest states in other languages. */
export const translationsForm: joi.ObjectSchema<Translations> = joi
  .object()
  .pattern(joi.string(), joi.object().pattern(joi.string(), joi.string()))
  .description('By language, then by the English text or the name it stands for.')
  .example({ zh: { Seconds: '秒数' } })
