/** What the area of the usage log returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
  wholeNumber,
} from '../../../kernel/toolkit/management/index.js'
import type { LogRecord } from '../../services/usage-log/index.js'

const text = joi.string().allow('')
const id = joi.number().integer().min(0)
const count = joi.number().integer().min(0)

export const logRow = responseForm<LogRecord>({
  id: wholeNumber.description(
    'Of this row alone: a request may have several. The newer of two is not always the larger.',
  ),
  user_id: id,
  created_at: unixSeconds,
  type: joi
    .number()
    .valid(1, 2, 3, 4, 5, 6)
    .description('1: top-up. 2: charge. 3: management. 4: system. 5: error. 6: refund.'),
  content: text,
  username: text,
  token_id: id.description('0: none.'),
  token_name: text,
  model_name: text,
  quota: quotaUnits,
  prompt_tokens: count,
  completion_tokens: count,
  use_time: count.description('Seconds, rounded up.'),
  is_stream: joi.boolean(),
  channel: id.description('0: none, or not shown to the owner of the request.'),
  channel_name: text,
  group: text,
  ip: text,
  request_id: text,
  other: joi.string().description('JSON text: inputs of the price and further facts.'),
}).id('LogRow')

export const logPage = pageOf(logRow).keys({
  total: count.description('Counted up to 10,000; more show as 10,000.'),
  next: text.description('For `before`: where the rows after these begin. Empty: there are none.'),
})
export const logRows = joi.array().items(logRow).max(100).description('The newest first.')

export const logSums = joi
  .object({
    quota: quotaUnits.description('Quota units of charges less refunds, exact.'),
    rpm: count.description('Charges of the last minute.'),
    tpm: count.description('Tokens of the last minute.'),
  })
  .id('LogSums')

export const modelNames = joi.array().items(text).max(20).description('The last used first.')
export const removedRows = count.description('How many rows were deleted.')
