/** What the channels area takes of one channel. Only what stands here can be written; the rest is ignored (CHAN-7). */
import joi from 'joi'
import {
  jsonObject,
  listOrText,
  objectOrText,
  plainText,
  readField,
  rowId,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { ChannelChanges, Creation, NewChannel } from '../../services/channels/index.js'
import { address } from './fields/address.js'
import { costTerms } from './fields/cost-terms.js'
import { modelMapping, statusCodeMapping } from './fields/mappings.js'
import { names } from './fields/names.js'
import { setting } from './fields/setting.js'

/** Changes, and members of the record as the admin saw them: where one is another by now nothing is written. */
export interface SeenChanges extends ChannelChanges {
  readonly seen?: Readonly<Record<string, string | number>>
}

const text = joi.string().allow('').trim()
export const line = text.pattern(visible, visibleOnly)
/** Several keys come in lines; what one key may hold is checked where they are separated. */
const key = text.max(8 * 1024 * 1024)
const multiKeyMode = joi.valid('random', 'polling').empty('')

export const fields = {
  name: line.min(1).max(128).disallow(''),
  key,
  // 1 on, 2 switched off, 3 switched off by the gateway.
  status: joi.valid(1, 2, 3),
  base_url: readField(address, plainText),
  models: readField(names, listOrText),
  group: readField(names, listOrText),
  priority: joi.number().integer(),
  weight: joi.number().integer().min(0).max(2_147_483_647),
  model_mapping: readField(modelMapping, objectOrText),
  param_override: readField(jsonObject, objectOrText),
  header_override: readField(jsonObject, objectOrText),
  status_code_mapping: readField(statusCodeMapping, objectOrText),
  setting: readField(setting, objectOrText),
  settings: readField(jsonObject, objectOrText),
  cost_terms: costTerms,
  tag: line.max(128),
  remark: line.max(255),
  test_model: line.max(256),
  auto_ban: joi.valid(0, 1),
  other: text.max(16_384).empty(null),
  openai_organization: line.max(256).empty(null),
}

const newChannel = (type: joi.Schema) =>
  joi.object({
    ...fields,
    type: type.required(),
    name: fields.name.required(),
    key: key.disallow('').required(),
    models: fields.models.required(),
  })

/** `{mode, channel}` or the channel alone, which is one with one key. `type` reads the type of a channel. */
export function creation(type: joi.Schema): joi.Schema {
  const channel = newChannel(type)
  return joi
    .alternatives()
    .conditional(joi.object({ channel: joi.object().required() }).unknown(), {
      // biome-ignore lint/suspicious/noThenProperty: joi's own word.
      then: joi.object({
        mode: joi.valid('single', 'batch', 'multi_to_single').default('single'),
        multi_key_mode: multiKeyMode.default('random'),
        batch_add_set_key_prefix_2_name: joi.boolean().default(false),
        channel,
      }),
      otherwise: channel,
    })
    .custom((value: Creation | NewChannel) => ('channel' in value ? value : alone(value)))
    .prefs({ stripUnknown: true })
    .required()
}

export function channelChanges(type: joi.Schema): joi.Schema {
  return joi
    .object({
      ...fields,
      type,
      id: rowId.required(),
      key_mode: joi.valid('append', 'replace').empty(''),
      multi_key_mode: multiKeyMode,
      seen: joi
        .object()
        .pattern(joi.string().max(64), joi.alternatives(joi.number(), joi.string().allow('')))
        .prefs({ convert: false }),
    })
    .prefs({ stripUnknown: true })
    .required()
}

export const channelId = joi.object({ id: rowId.required() })

function alone(channel: NewChannel): Creation {
  return {
    mode: 'single',
    multi_key_mode: 'random',
    batch_add_set_key_prefix_2_name: false,
    channel,
  }
}
