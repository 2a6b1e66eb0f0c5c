/** What the area of analytics returns. */
import joi from 'joi'
import {
  quotaUnits,
  responseForm,
  unixSeconds,
  wholeNumber,
} from '../../../kernel/toolkit/management/index.js'
import type { ErrorCount } from '../../services/usage-log/index.js'
import type {
  figuresRecord,
  overviewRecord,
  rankedRecord,
  rankingRecord,
  stepRecord,
  sumsRecord,
} from './records.js'

const text = joi.string().allow('')
const ms = joi.number().integer().min(0)
const sums = {
  requests: wholeNumber.description('Requests that were charged, at nothing as well.'),
  errors: wholeNumber.description('Requests that failed.'),
  quota: quotaUnits.description('Quota units of charges less refunds, exact.'),
  input_tokens: wholeNumber.description('Those read from and written to caches included.'),
  cache_read_tokens: wholeNumber.description('Of the input, what was read from a cache.'),
  cache_write_tokens: wholeNumber.description('Of the input, what was written to a cache.'),
  output_tokens: wholeNumber,
}
const percentiles = joi
  .object({ p50: ms, p95: ms, p99: ms })
  .description('Milliseconds, off by a tenth at most.')
const figures = {
  ...sums,
  tokens_per_second: joi
    .number()
    .allow(null)
    .description('Output tokens by the time it took to generate them. Null: nothing was timed.'),
  latency: percentiles.allow(null).description('Of whole requests. Null: nothing was timed.'),
  first_token: percentiles.allow(null).description('Of streams. Null: there were none.'),
}
const usageSums = responseForm<ReturnType<typeof sumsRecord>>(sums).id('UsageCounts')
const usageFigures = responseForm<ReturnType<typeof figuresRecord>>(figures).id('UsageFigures')
const usageStep = responseForm<ReturnType<typeof stepRecord>>({
  at: unixSeconds.description('Beginning of the hour or day (UTC), Unix seconds.'),
  ...figures,
}).id('UsageStep')

const name = joi
  .object({
    name: text.description('As it is called now. Empty: there is none of this id.'),
    is_deleted: joi.boolean(),
  })
  .allow(null)
  .id('UsageScopeName')

export const overviewForm = responseForm<ReturnType<typeof overviewRecord>>({
  as_of: unixSeconds.description('Counted up to this moment, Unix seconds. 0: nothing is, yet.'),
  is_whole: joi.boolean().description('False: older usage is still being counted.'),
  step: joi.string().valid('hour', 'day'),
  totals: usageFigures,
  // Of as many days before; where the last day is not over, theirs ends with the same hour.
  before: usageFigures,
  series: joi.array().items(usageStep).description('The oldest first; without what had no usage.'),
  names: joi
    .object({ channel: name, token: name, user: name })
    .description(
      'Of what was asked for by its id, and of the owner of an API key. Null: not asked for.',
    ),
}).id('UsageOverview')

const rankedUsage = responseForm<ReturnType<typeof rankedRecord>>({
  id: joi.number().integer().min(0).description('Of a channel, an API key or a user. 0: none.'),
  name: text.description('As it is called now. Empty: none, or deleted.'),
  user_id: joi
    .number()
    .integer()
    .min(0)
    .description('Of an API key or user, or of one user asked for.'),
  username: text,
  ...figures,
}).id('RankedUsage')

export const rankingForm = responseForm<ReturnType<typeof rankingRecord>>({
  items: joi.array().items(rankedUsage).description('The greatest first.'),
  others: usageSums.description('All that are not listed.'),
}).id('UsageRanking')

export const channelModelsForm = joi
  .object({
    rows: joi
      .number()
      .integer()
      .min(0)
      .max(5_000)
      .description('Rows of the log that were counted, at most the newest 5,000.'),
    models: joi
      .array()
      .items(
        joi
          .object({ model: text, requests: ms, errors: ms, quota: quotaUnits, tokens: wholeNumber })
          .id('ModelUse'),
      )
      .max(50)
      .description('The most used first.'),
  })
  .id('ChannelModels')

export const errorsForm = joi
  .array()
  .items(
    responseForm<ErrorCount>({
      code: text.description('The error code of the response. Empty: it had none.'),
      status: joi.number().integer().min(0).description('HTTP status. 0: none.'),
      errors: wholeNumber,
    }).id('UsageErrors'),
  )
  .max(50)
  .description('The most frequent first.')
