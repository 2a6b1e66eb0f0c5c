/** What the catalogue returns. */
import joi from 'joi'
import { aboutForm, responseForm } from '../../../kernel/toolkit/management/index.js'
import type { catalogueModel, detailRecord, hourRecord, speedRecord } from './catalogue.js'
import { pricedFields } from './responses.js'

const text = joi.string().allow('')

const catalogueFields = {
  ...pricedFields,
  vendor: text.description('Who makes it. Empty: unknown.'),
  vendor_mark: text.description('Id of the vendor in the table of known models. Empty: none.'),
  ...aboutForm,
}

export const catalogueModels = joi
  .array()
  .items(responseForm<ReturnType<typeof catalogueModel>>(catalogueFields).id('CatalogueModel'))
  .description('In order of name.')

const share = joi.number().min(0).max(1).allow(null)
const speedFields = {
  tokens_per_second: joi.number().allow(null).description('Null: nothing was timed.'),
  first_token_ms: joi
    .number()
    .integer()
    .allow(null)
    .description('Of streams, half began sooner. Null: there were none.'),
  availability: share.description('Share of requests that succeeded. Null: unknown.'),
}

export const modelSpeeds = joi
  .array()
  .items(
    responseForm<ReturnType<typeof speedRecord> & { readonly model_name: string }>({
      model_name: joi.string(),
      ...speedFields,
    }).id('ModelSpeed'),
  )
  .description('Of the last 24 hours; without models nobody called.')

export const catalogueDetail = responseForm<ReturnType<typeof detailRecord>>({
  ...catalogueFields,
  ...speedFields,
  set_by_operator: joi
    .array()
    .items(joi.string())
    .description('Facts that the operator set; the others are of the source.'),
  source: text.description('Document of the vendor. Empty: the model is not known.'),
  source_date: text.description('As of when the document says so: YYYY-MM-DD.'),
  hours: joi
    .array()
    .items(
      responseForm<ReturnType<typeof hourRecord>>({
        at: joi.number().integer().description('Beginning of the hour, Unix seconds.'),
        availability: share,
      }),
    )
    .description('The last 24, the oldest first. Empty: nobody called it.'),
}).id('CatalogueDetail')
