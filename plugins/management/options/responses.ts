/** What the options area returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { described } from './describe.js'

const key = joi.string().example('QuotaForNewUser')
const value = joi.string().allow('').description('As text. Empty for a secret.')

export const optionValues = joi.array().items(joi.object({ key, value }).id('OptionValue'))

const option = responseForm<ReturnType<typeof described>>({
  key,
  plugin: joi.string().description('Id of the plugin that declares it.'),
  title: joi.string(),
  help: joi.string().optional(),
  type: joi.string().valid('string', 'secret', 'number', 'boolean', 'select', 'json', 'list'),
  options: joi
    .array()
    .items(joi.string().allow(''))
    .optional()
    .description('`select`: what it may be.'),
  min: joi.number().optional(),
  max: joi.number().optional(),
  integer: joi.boolean().optional(),
  max_bytes: joi.number().integer().optional().description('Size of the longest text, bytes.'),
  default: joi.any().optional().description('Any JSON.'),
  when: joi
    .object({ key, is: joi.any().description('Any JSON.') })
    .optional()
    .description('It has an effect only while another option has this value.'),
  value,
  is_set: joi
    .boolean()
    .description('A value is stored and it is not empty: all that is shown of a secret.'),
}).id('Option')

export const optionList = joi.array().items(option)
