/** What the options area returns. */
import joi from 'joi'
import { fieldRules, responseForm } from '../../../kernel/toolkit/management/index.js'
import type { described } from './describe.js'

const key = joi.string().example('QuotaForNewUser')
const value = joi.string().allow('').description('As text. Empty for a secret.')

export const optionValues = joi.array().items(joi.object({ key, value }).id('OptionValue'))

const option = responseForm<ReturnType<typeof described>>({
  ...fieldRules,
  key,
  plugin: joi.string().description('Id of the plugin that declares it.'),
  max_bytes: joi.number().integer().optional().description('Size of the longest text, bytes.'),
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
