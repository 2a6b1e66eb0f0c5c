/** What this area takes. */
import joi from 'joi'
import type { JsonObject } from '../../../kernel/contract/json.js'
import {
  jsonObject,
  objectOrText,
  readField,
  rowId,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'

export interface TestQuery {
  readonly model: string
  readonly endpoint_type: string
  readonly stream: boolean
  readonly key_index?: number
}

export interface FullTestForm {
  /** Empty: the channel's own choice. */
  readonly model: string
  readonly embedding_model: string
  /** Absent: all. */
  readonly only?: readonly string[]
  readonly key_index?: number
}

/** A channel nobody has saved yet. */
export interface DraftChannel {
  readonly base_url: string
  readonly type: number
  readonly key: string
  readonly settings: JsonObject
}

export interface ApplyForm {
  readonly id: number
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

const line = joi.string().allow('').trim().pattern(visible, visibleOnly)

export const channelId = joi.object({ id: rowId.required() })

export const testQuery = joi
  .object({
    model: line.max(256).default(''),
    endpoint_type: line.max(64).default(''),
    stream: joi.boolean().truthy('1').falsy('0').empty('').default(false),
    key_index: joi.number().integer().min(0).max(100_000).empty(''),
  })
  .prefs({ stripUnknown: true })

export const fullTestForm = (names: readonly string[]) =>
  joi
    .object({
      model: line.max(256).default(''),
      embedding_model: line.max(256).default(''),
      only: joi
        .array()
        .items(joi.string().valid(...names))
        .min(1)
        .unique(),
      key_index: joi.number().integer().min(0).max(100_000),
    })
    .prefs({ stripUnknown: true })
    .required()

export const draftChannel = (type: joi.Schema) =>
  joi
    .object({
      base_url: line.max(2048).custom(address).default(''),
      type: type.required(),
      key: joi.string().trim().max(65_536).custom(firstKey).required(),
      settings: readField(jsonObject, objectOrText).default({}),
    })
    .prefs({ stripUnknown: true })
    .required()

export const detectForm = joi
  .object({ id: rowId.required() })
  .prefs({ stripUnknown: true })
  .required()

const names = joi.array().items(joi.string().min(1).max(1024)).max(5000).unique().default([])

export const applyForm = joi
  .object({ id: rowId.required(), add: names, remove: names })
  .rename('add_models', 'add', { ignoreUndefined: true, override: true })
  .rename('remove_models', 'remove', { ignoreUndefined: true, override: true })
  .prefs({ stripUnknown: true })
  .required()

/** Of several keys, one a line, the first will do; a JSON document, such as a service account, is one key. */
function firstKey(written: string): string {
  if (/^[{[]/.test(written)) return written
  return written.split('\n')[0]!.trim()
}

/** Http or https without credentials, an alias the provider knows, or empty for the provider's own. */
function address(text: string, { message }: joi.CustomHelpers): unknown {
  if (text === '' || /^[a-z]+(?:-[a-z]+)+$/.test(text)) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return message({ custom: '{{#label}} must be an http or https address' })
  }
  if (url.username !== '' || url.password !== '') {
    return message({ custom: '{{#label}} must not hold credentials' })
  }
  return text
}
