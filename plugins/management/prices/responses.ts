/** What the prices area returns. */
import joi from 'joi'
import { pageOf, responseForm, translationsForm } from '../../../kernel/toolkit/management/index.js'
import type { WrittenCard } from '../../services/pricing/index.js'
import type { ExampleRow, ExampleSteps } from './example-row.js'
import type { changeRow, PriceRow } from './price-rows.js'
import type { PricedModel, PricedVendor } from './pricing-page.js'
import type { RatioConfig } from './ratio-config.js'
import type { UnitsFound, UnitsOfType } from './units.js'

const text = joi.string().allow('')
const texts = joi.array().items(joi.string())
const figure = joi.number().min(0)

/** Keys are names of groups, models or types of endpoints. */
function byName(value: joi.Schema): joi.ObjectSchema {
  return joi.object().pattern(joi.string(), value)
}

const decimal = joi.string().description('Decimal text.').example('0.07')

const rateCard = responseForm<WrittenCard>({
  unit: joi.string().description('What is counted: second, piece, task, or another.'),
  price: decimal.optional(),
  rates: joi
    .array()
    .items(joi.object({ when: byName(joi.string()), price: decimal }))
    .optional()
    .description('The first that fits is the price; * is any value.'),
  minimum: decimal.optional(),
  step: decimal.optional(),
})

/** Null: none is written. A name is for one schema alone, so the page of models has the same without one. */
const writtenCard = rateCard.id('RateCard').allow(null)

const written = figure.allow(null).description('Null: the figure is not written.')

const priceRow = responseForm<PriceRow>({
  model: joi.string(),
  mode: joi
    .string()
    .valid('price', 'card', 'ratio', 'free', 'none')
    .description('`none`: some figures are written, but neither price, rate card nor ratio.'),
  model_price: written,
  model_ratio: written,
  completion_ratio: written,
  cache_ratio: written,
  create_cache_ratio: written,
  image_ratio: written,
  audio_ratio: written,
  audio_completion_ratio: written,
  rate_card: writtenCard,
  served: joi.boolean().description('Some enabled channel serves it.'),
}).id('PriceRow')

export const pricePage = pageOf(priceRow)
export const missingPrices = texts.description('Names of models.')

/** Null: nothing was, or will be, written of the model. One schema for both, since joi takes a name for one schema alone. */
const rowIfWritten = priceRow.allow(null)

const priceChange = responseForm<ReturnType<typeof changeRow>>({
  model: joi.string(),
  before: rowIfWritten,
  after: rowIfWritten,
}).id('PriceChange')

export const priceChanges = joi
  .object({
    saved: joi.boolean().description('False: it is a preview.'),
    seen: joi
      .string()
      .description('Stands for the prices before the change, to be sent back when they are saved.'),
    rows: joi.array().items(priceChange),
  })
  .id('PriceChanges')

const steps = responseForm<ExampleSteps>({
  quantity: decimal,
  minimum: decimal.allow(null),
  after_minimum: decimal,
  step: decimal.allow(null),
  units: decimal.description('Units billed.'),
  rate: joi.number().integer().min(1).description('The row of the card, from 1.'),
  price: decimal.description('US dollars per unit.'),
  group_ratio: decimal,
}).id('CardSteps')

export const cardExample = responseForm<ExampleRow>({
  priced: joi.boolean().description('False: the card has no price of this task.'),
  unpriced: joi
    .object({ dimension: joi.string(), message: joi.string() })
    .allow(null)
    .description('What the card has no price of, and what a client would receive.'),
  steps: steps.allow(null),
  sum: decimal.description('Quota before it is rounded.'),
  quota: joi.number().integer().description('What is charged.'),
  hold: joi.number().integer().description('What is set aside before.'),
}).id('CardExample')

const unitsOfType = responseForm<UnitsOfType>({
  plugin: joi.string().example('task.kling'),
  title: joi.string(),
  units: texts,
  dimensions: texts,
  translations: translationsForm,
}).id('UnitsOfTaskType')

export const unitsFound = responseForm<UnitsFound>({
  serves: joi
    .boolean()
    .description(
      'Enabled channels of these task types serve the model. False: of none, and all are listed.',
    ),
  task_types: joi.array().items(unitsOfType),
}).id('UnitsFound')

export const pricedFields = {
  model_name: joi.string(),
  description: text,
  icon: text,
  tags: text.description('With commas between them.'),
  vendor_id: joi.number().integer().min(0).description('0: none.'),
  quota_type: joi
    .number()
    .valid(0, 1)
    .description('0: by tokens. 1: a fixed price per call, or a rate card.'),
  model_ratio: figure.description('1 is two US dollars per million tokens.').example(1.25),
  model_price: figure.description('US dollars per call. With a rate card: the least a task costs.'),
  rate_card: rateCard.optional().description('What a media task costs.'),
  owner_by: text.description('Name of the vendor.'),
  completion_ratio: figure,
  cache_ratio: figure.optional(),
  create_cache_ratio: figure.optional(),
  image_ratio: figure.optional(),
  audio_ratio: figure.optional(),
  audio_completion_ratio: figure.optional(),
  enable_groups: texts.description('Groups of the caller that serve it.'),
  supported_endpoint_types: texts,
}
const pricedModel = responseForm<PricedModel>(pricedFields).id('PricedModel')

export const pricedModels = joi.array().items(pricedModel).description('In order of name.')

const pricedVendor = responseForm<PricedVendor>({
  id: joi.number().integer(),
  name: joi.string(),
  description: text,
  icon: text,
}).id('PricedVendor')

export const besidePrices = {
  vendors: joi.array().items(pricedVendor).description('Of the models in this response.'),
  group_ratio: byName(figure).description('Factor over every price, by group.'),
  usable_group: byName(text).description('Descriptions by group.'),
  supported_endpoint: byName(
    joi.object({ path: joi.string().example('/v1/chat/completions'), method: joi.string() }),
  ).description('By type of the endpoint.'),
  auto_groups: texts.description('Groups that auto routes of the caller try.'),
}

const figures = byName(figure).description('By model.')

export const ratioConfig = responseForm<RatioConfig>({
  model_ratio: figures,
  completion_ratio: figures,
  cache_ratio: figures,
  create_cache_ratio: figures,
  model_price: figures.description('US dollars per call, by model.'),
}).id('RatioConfig')
