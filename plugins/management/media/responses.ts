/** What the area of media returns, and what it is sent. */
import joi from 'joi'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  requestFieldForm,
  responseForm,
  translationsForm,
} from '../../../kernel/toolkit/management/index.js'
import type { Quoted } from './quote.js'

const group = joi.string().trim().allow('').max(64).default('')

export interface ModelsQuery {
  readonly group: string
}

export const modelsQuery = joi.object<ModelsQuery>({ group }).prefs({ stripUnknown: true })

export interface PriceForm {
  readonly model: string
  readonly group: string
  readonly fields: JsonObject
}

export const priceForm = joi
  .object<PriceForm>({
    model: joi.string().max(255).required(),
    group,
    fields: joi.object().unknown(true).default({}),
  })
  .prefs({ stripUnknown: { objects: false } })
  .required()

export interface MediaModel {
  readonly model: string
  readonly operation: string
  /** Place in `forms`. */
  readonly form: number
}

export const mediaModels = joi
  .object({
    models: joi.array().items(
      responseForm<MediaModel>({
        model: joi.string(),
        operation: joi.string().valid('video', 'music', 'midjourney', 'images'),
        form: joi.number().integer().min(0).description('Place of its form in `forms`, from 0.'),
      }).id('MediaModel'),
    ),
    forms: joi
      .array()
      .items(joi.array().items(requestFieldForm))
      .description('Fields of requests; models of one kind share a form.'),
    translations: joi
      .array()
      .items(translationsForm)
      .description('Of the form at the same place: its titles and helps in other languages.'),
  })
  .id('MediaModels')

export const quoted = responseForm<Quoted>({
  quota: joi
    .number()
    .integer()
    .min(0)
    .allow(null)
    .description('Quota units. Null: it is known only when the answer is there.'),
  counts: joi
    .object()
    .pattern(joi.string(), joi.number().min(0))
    .description('What would be made, by unit.'),
  dimensions: joi
    .object()
    .pattern(joi.string(), joi.string().allow(''))
    .description('What the price depends on beside.'),
}).id('MediaQuote')
