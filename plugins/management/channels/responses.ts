/** What the channels area returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { ChannelRecord } from './records.js'

const text = joi.string().allow('')
const id = joi.number().integer().min(1)
const count = joi.number().integer().min(0)
const everSeconds = joi.number().integer().min(0).description('Unix seconds. 0: never.')
const document = text.description('JSON text. Empty: an empty object.')

/** Keys are the places of keys that are switched off, counted from 0 in order of id. */
function byPlace(value: joi.Schema): joi.ObjectSchema {
  return joi.object().pattern(joi.string(), value)
}

/** Keys are types of channels or tags. */
function counts(): joi.ObjectSchema {
  return joi.object().pattern(joi.string().allow(''), count)
}

const keyFacts = responseForm<ChannelRecord['channel_info']>({
  is_multi_key: joi.boolean(),
  multi_key_size: count.description('Keys of a channel that has several; otherwise 0.'),
  multi_key_status_list: byPlace(joi.number().valid(2, 3)).description(
    'By place, counted from 0, of the keys that are switched off. 2: by hand. 3: by the gateway.',
  ),
  multi_key_disabled_reason: byPlace(text).description('By place.'),
  multi_key_disabled_time: byPlace(everSeconds).description('By place, Unix seconds.'),
  multi_key_polling_index: joi
    .number()
    .valid(0)
    .description('Each process has its own place; here it is always 0.'),
  multi_key_mode: joi
    .string()
    .valid('', 'random', 'polling')
    .description('The order keys are used in. Empty: the channel has one key, or none.'),
}).id('ChannelKeyFacts')

export const channel = responseForm<ChannelRecord>({
  id,
  type: joi.number().integer().min(0).description('Number of a type of channels.'),
  key: text.description('Always empty.'),
  other: text.description('The region, the version or the like of types that have one.'),
  openai_organization: text,
  test_model: text.description('Used by tests. Empty: one of its models.'),
  status: joi
    .number()
    .valid(1, 2, 3)
    .description('1: on. 2: switched off by hand. 3: switched off by the gateway.'),
  name: text.example('Anthropic, main account'),
  weight: count.description('Share of the requests among channels of one priority.'),
  created_time: unixSeconds,
  test_time: everSeconds.description('Of the last test, Unix seconds. 0: never.'),
  response_time: count.description('Of the last test, milliseconds. 0: none.'),
  base_url: text.description('Empty: that of the type.'),
  balance: joi.number().description('US dollars.').example(12.5),
  balance_updated_time: everSeconds,
  models: text.description('Names with commas between them.').example('gpt-4o,gpt-4o-mini'),
  group: text.description('Names with commas between them.').example('default'),
  used_quota: quotaUnits,
  model_mapping: document,
  status_code_mapping: document,
  priority: joi.number().integer().description('The highest is tried first.'),
  auto_ban: joi.number().valid(0, 1).description('1: the gateway may switch it off.'),
  other_info: document.description(
    'JSON text: `status_reason` and `status_time` of who switched it. Empty: nobody did.',
  ),
  tag: text,
  setting: document,
  param_override: document,
  header_override: document,
  remark: text,
  channel_info: keyFacts,
  cost_terms: text.description(
    'JSON text: what its upstream charges, as a `factor` of the list price or by `models`. Empty: it is not known.',
  ),
  settings: document.description(
    'JSON text: fields of the type. Secrets stand empty in it. Empty: an empty object.',
  ),
  plugin_missing: joi
    .boolean()
    .description('No plugin serves its type, or the one that does has failed: it is not called.'),
}).id('Channel')

export const channelPage = pageOf(channel)
  .keys({
    type_counts: counts().description(
      'Channels by type and `all`, of those found, whatever type was requested.',
    ),
    tag_counts: counts().description(
      'Channels found of each tag of a page over tags, some of which may not be listed.',
    ),
  })
  .id('ChannelPage')

/** Null: a batch made several. */
export const createdChannel = channel.allow(null)

export const besideCreated = {
  ids: joi.array().items(id).description('Of the new channels, in the order of their keys.'),
}

export const switched = joi.boolean().valid(true)
export const foundCount = count.description('How many channels were found.')
export const editedMany = joi
  .object({
    changed: count,
    refused_count: count,
    refused: joi
      .array()
      .items(joi.object({ id, name: text.description('Empty: it is gone.'), reason: joi.string() }))
      .description('Those that stay as they were, the first 100 of them.'),
  })
  .id('EditedChannels')

export const copied = joi.object({ id: id.description('Of the copy.') })
export const modelsOfTag = text.description('Names with commas between them.')
export const enabledModels = joi.array().items(joi.string()).description('In order of name.')

export const knownModels = joi
  .array()
  .items(joi.object({ id: joi.string(), object: joi.string().valid('model') }).id('KnownModel'))
  .description('In order of name.')

export const reread = joi
  .object({
    success: count.description('Channels that were read.'),
    fails: count.description('Channels that could not be read.'),
  })
  .id('RereadChannels')
