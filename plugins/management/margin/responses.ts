/** What the area of margins returns. */
import joi from 'joi'
import {
  quotaUnits,
  responseForm,
  unixSeconds,
  wholeNumber,
} from '../../../kernel/toolkit/management/index.js'
import type {
  billRecord,
  dayRecord,
  overviewRecord,
  rankedRecord,
  rankingRecord,
  sumsRecord,
} from './records.js'

const text = joi.string().allow('')
const sums = {
  requests: wholeNumber.description('Requests that were charged, at nothing as well.'),
  quota: quotaUnits.description('Quota units of charges less refunds, exact.'),
  known_quota: quotaUnits.description('Of `quota`, what was earned where the cost is known.'),
  cost: wholeNumber.description(
    'Billionths of a US dollar, exact: of all calls whose cost is known.',
  ),
  margin: wholeNumber.description(
    'Billionths of a US dollar: what was earned where the cost is known, less the cost. May be below 0.',
  ),
}
const marginSums = responseForm<ReturnType<typeof sumsRecord>>(sums).id('MarginSums')
const marginDay = responseForm<ReturnType<typeof dayRecord>>({
  at: unixSeconds.description('Beginning of the day (UTC), Unix seconds.'),
  ...sums,
}).id('MarginDay')

export const overviewForm = responseForm<ReturnType<typeof overviewRecord>>({
  as_of: unixSeconds.description('Counted up to this moment, Unix seconds. 0: nothing is, yet.'),
  totals: marginSums,
  // Of as many days before; where the last day is not over, theirs ends with the same hour.
  before: marginSums,
  series: joi.array().items(marginDay).description('The oldest first; without what had no usage.'),
}).id('MarginOverview')

const rankedMargin = responseForm<ReturnType<typeof rankedRecord>>({
  id: joi.number().integer().min(0).description('Of a channel or a user. 0: none.'),
  name: text.description('As it is called now. Empty: none, or deleted.'),
  ...sums,
}).id('RankedMargin')

export const rankingForm = responseForm<ReturnType<typeof rankingRecord>>({
  items: joi.array().items(rankedMargin),
  // All that are not listed.
  others: marginSums,
}).id('MarginRanking')

export const billForm = joi
  .array()
  .items(
    responseForm<ReturnType<typeof billRecord>>({
      day: joi.string().description('UTC, YYYY-MM-DD.').example('2026-01-31'),
      model: text.description('As the upstream was asked for it.'),
      cost: wholeNumber.description('Billionths of a US dollar, exact.'),
    }).id('CostDay'),
  )
  .description('By day, then by model.')
