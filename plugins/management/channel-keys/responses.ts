/** What the area of channels' keys returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { keyListing } from './listing.js'

type KeyPage = Awaited<ReturnType<typeof keyListing>>

const count = joi.number().integer().min(0)

const channelKey = responseForm<KeyPage['keys'][number]>({
  id: joi.number().integer().min(1),
  index: count.description(
    'Place among the keys of the channel, counted from 0; it changes where a key before it is deleted.',
  ),
  status: joi
    .number()
    .valid(1, 2, 3)
    .description('1: on. 2: switched off by hand. 3: switched off by the gateway.'),
  disabled_time: count.description('Unix seconds. 0: it is on.'),
  reason: joi.string().allow('').description('Why it is switched off.'),
  key_preview: joi
    .string()
    .allow('')
    .description(
      'Its beginning and, of 24 characters or more, its last four. Empty: it cannot be read.',
    )
    .example('sk-proj-ab...9xQ2'),
}).id('ChannelKey')

const keyPage = responseForm<KeyPage>({
  keys: joi.array().items(channelKey),
  total: count.description('Keys of the status that was requested.'),
  page: joi.number().integer().min(1),
  page_size: count,
  total_pages: count,
  enabled_count: count,
  manual_disabled_count: count,
  auto_disabled_count: count,
}).id('ChannelKeyPage')

export const keysOrCount = joi
  .alternatives(keyPage, count)
  .description('`get_key_status`: a page of keys. All others: how many keys were changed.')

export const revealed = joi.object({
  key: joi.string().allow('').description('Of several, one a line. Empty: it has none.'),
})
