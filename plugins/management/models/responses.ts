/** What the models area returns. */
import joi from 'joi'
import {
  aboutForm,
  pageOf,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { Matched } from './matched.js'
import type { knownRecord, modelRecord } from './model-row.js'

const text = joi.string().allow('')
const texts = joi.array().items(joi.string())
const id = joi.number().integer().min(0)
const count = joi.number().integer().min(0)

const boundChannel = responseForm<Matched['channels'][number]>({
  id,
  name: text,
  type: joi.number().integer().min(0),
})

const knownModel = responseForm<ReturnType<typeof knownRecord>>({
  vendor: joi.string(),
  ...aboutForm,
  source: joi.string().description('Document of the vendor.'),
  date: joi.string().example('2026-11-28'),
})
  .id('TableModel')
  .allow(null)
  .description('What the table of known models has of this name. Null: nothing.')

export const modelEntry = responseForm<ReturnType<typeof modelRecord>>({
  id,
  model_name: joi.string().example('claude-'),
  name_rule: joi
    .number()
    .valid(0, 1, 2, 3)
    .description('What is compared. 0: the whole name. 1: its beginning. 2: any part. 3: its end.'),
  description: text,
  icon: text,
  tags: text.description('With commas between them.'),
  vendor_id: id.description('0: none.'),
  vendor_name: text,
  endpoints: text.description(
    'JSON text: a list of types, or an object of type and address. Empty: derived from the name.',
  ),
  ...aboutForm,
  known: knownModel,
  status: joi.number().valid(0, 1, 2).description('1: on. 0 and 2: off.'),
  sync_official: joi.number().valid(0, 1),
  created_time: unixSeconds,
  updated_time: unixSeconds,
  bound_channels: joi
    .array()
    .items(boundChannel)
    .max(100)
    .description('The first channels that serve it.'),
  bound_count: count.description('How many channels serve it.'),
  enable_groups: texts.description('Groups it is served in.'),
  quota_types: joi
    .array()
    .items(joi.number().valid(0, 1))
    .description('0: charged by tokens. 1: by call.'),
  matched_models: texts.description('Names that channels serve and the entry describes.'),
  matched_count: count,
}).id('ModelEntry')

export const modelPage = pageOf(modelEntry)
  .keys({
    vendor_counts: joi
      .object()
      .pattern(joi.string(), count)
      .description('Entries by id of the vendor; `0`: those without one, and `all`.'),
  })
  .id('ModelPage')

export const missingModels = texts.description('In order of name.')
export const unknownModels = texts.description('Names, in order.')
