/** What the area of charts returns. */
import joi from 'joi'
import { quotaUnits, responseForm, wholeNumber } from '../../../kernel/toolkit/management/index.js'
import type { chartRecord } from './chart-record.js'

const usageSum = responseForm<ReturnType<typeof chartRecord>>({
  id: joi.number().integer().min(1).description('Place in this response.'),
  user_id: joi.number().integer().min(0).description('0: the sum is of everybody, or of the rest.'),
  username: joi.string().allow('').description('Empty: the sum is of everybody, or of the rest.'),
  model_name: joi
    .string()
    .allow('')
    .description('Empty: the sum is of all models, or of the rest.'),
  created_at: joi
    .number()
    .integer()
    .description(
      'Beginning of the hour, the day, the week (Monday) or the span in UTC, Unix seconds.',
    ),
  token_used: wholeNumber.description('Tokens of prompts and completions.'),
  count: joi.number().integer().description('Requests.'),
  quota: quotaUnits,
}).id('UsageSum')

export const usageSums = joi.array().items(usageSum).description('The oldest first.')
