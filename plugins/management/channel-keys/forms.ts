/** What is taken of the keys of a channel (management/README.md section 6). */

import joi from 'joi'
import { rowId } from '../../../kernel/toolkit/management/index.js'
import type { KeyChange } from '../../services/channels/index.js'

export type KeyForm =
  | {
      readonly channel_id: number
      readonly action: 'get_key_status'
      readonly page: number
      readonly page_size: number
      readonly status?: number
    }
  | KeyChange

const pageSizeMax = 100

export const keyForm = joi
  .object({
    channel_id: rowId.required(),
    action: joi
      .valid(
        'get_key_status',
        'disable_key',
        'enable_key',
        'delete_key',
        'enable_all_keys',
        'disable_all_keys',
        'delete_disabled_keys',
      )
      .required(),
    key_id: rowId.empty(null),
    key_index: joi
      .number()
      .integer()
      .min(0)
      .empty(null)
      .when('action', {
        is: joi.valid('disable_key', 'enable_key', 'delete_key'),
        // biome-ignore lint/suspicious/noThenProperty: joi's own word.
        then: joi.when('key_id', { is: joi.exist(), otherwise: joi.required() }),
      }),
    page: joi.number().integer().min(0).max(1_000_000).empty(null).default(1),
    page_size: joi
      .number()
      .integer()
      .min(0)
      .empty(joi.valid(0, null))
      .default(50)
      .custom((size: number) => Math.min(size, pageSizeMax)),
    status: joi.valid(1, 2, 3).empty(joi.valid(0, '', null)),
  })
  .prefs({ stripUnknown: true })
  .required()

export const channelId = joi.object({ id: rowId.required() })
