/** `response` of a field that a manifest declares: of a plugin's own settings, of channels, of users. */
import joi from 'joi'
import type { SettingField } from '../../contract/manifest.js'
import { responseForm } from './response-form.js'

const origins = joi.array().items(joi.string()).optional()

/** What is alike in every description of a field, under the names a manifest has for it. */
export const fieldRules = {
  type: joi.string().valid('string', 'secret', 'number', 'boolean', 'select', 'json', 'list'),
  title: joi.string(),
  help: joi.string().optional(),
  default: joi.any().optional().description('Any JSON.'),
  options: joi
    .array()
    .items(joi.string().allow(''))
    .optional()
    .description('`select`: what it may be.'),
  min: joi.number().optional(),
  max: joi.number().optional(),
  integer: joi.boolean().optional(),
}

export const settingFieldForm = responseForm<SettingField>({
  ...fieldRules,
  name: joi.string().example('threshold'),
  option: joi.string().optional().description('The option it is stored under, where it has one.'),
  maxBytes: joi.number().integer().optional().description('Size of the longest text, bytes.'),
  image: joi
    .boolean()
    .valid(true)
    .optional()
    .description('Its value is the address of a picture that pages show.'),
  forms: joi
    .boolean()
    .valid(true)
    .optional()
    .description('Its value is an address that pages post forms to.'),
  pages: joi
    .object({ script: origins, frame: origins })
    .optional()
    .description('Origins that pages may load from while it is on.'),
  when: joi
    .object({ field: joi.string(), is: joi.any().description('Any JSON.') })
    .optional()
    .description('It is shown only while another field has this value.'),
}).id('SettingField')
