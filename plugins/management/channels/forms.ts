/** What the channels area takes. Only what stands here can be written; the rest of a record is ignored (CHAN-7). */
import joi from 'joi'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { pagedQuery } from '../../../kernel/http/paging.js'
import { jsonObject } from './json-text.js'
import { modelMapping, statusCodeMapping } from './mappings.js'
import { names } from './names.js'

export interface ChannelForm {
  readonly type?: number
  readonly name?: string
  /** Blank: as it is. */
  readonly key?: string
  readonly status?: number
  readonly base_url?: string
  readonly models?: readonly string[]
  readonly group?: readonly string[]
  readonly priority?: number
  readonly weight?: number
  readonly model_mapping?: JsonObject
  readonly param_override?: JsonObject
  readonly status_code_mapping?: JsonObject
  readonly setting?: JsonObject
  readonly settings?: JsonObject
  readonly tag?: string
  readonly remark?: string
  readonly test_model?: string
  readonly auto_ban?: number
}

export interface NewChannel extends ChannelForm {
  readonly type: number
  readonly name: string
  readonly key: string
  readonly models: readonly string[]
}

export interface ChannelChanges extends ChannelForm {
  readonly id: number
}

export interface ChannelSearch {
  readonly p: number
  readonly page_size: number
  readonly sort_by: string
  readonly sort_order: 'asc' | 'desc'
  readonly type?: number
  readonly status: 'enabled' | 'disabled' | 'all'
  readonly keyword: string
  readonly group: string
  readonly model: string
}

const id = joi.number().integer().min(1).max(2_147_483_647)
const withoutControls = /^\P{Cc}*$/u
const text = joi.string().allow('').trim()
const line = text.pattern(withoutControls, 'no control characters')
/** A key that is a JSON document, such as a service account, may come with its line breaks and is kept in one line. */
const key = text.max(65_536).custom(oneLine).pattern(withoutControls, 'no control characters')

const fields = {
  type: joi.number().integer().min(0).max(2_147_483_647),
  name: line.min(1).max(128).disallow(''),
  key,
  // 1 on, 2 switched off, 3 switched off by the gateway.
  status: joi.valid(1, 2, 3),
  base_url: read(address),
  models: read(names),
  group: read(names),
  priority: joi.number().integer(),
  weight: joi.number().integer().min(0).max(2_147_483_647),
  model_mapping: read(modelMapping),
  param_override: read(jsonObject),
  status_code_mapping: read(statusCodeMapping),
  setting: read(setting),
  settings: read(jsonObject),
  tag: line.max(128),
  remark: line.max(255),
  test_model: line.max(256),
  auto_ban: joi.valid(0, 1),
  // Of the family, not served here: better refused than dropped in silence.
  header_override: blank(),
  other: blank(),
  openai_organization: blank(),
}

const newChannel = joi.object({
  ...fields,
  type: fields.type.required(),
  name: fields.name.required(),
  key: key.disallow('').required(),
  models: fields.models.required(),
})

/** `{mode: 'single', channel}` or the channel alone; either way the channel comes out. */
export const creation = joi
  .alternatives()
  .conditional(joi.object({ channel: joi.object().required() }).unknown(), {
    // biome-ignore lint/suspicious/noThenProperty: joi's own word.
    then: joi.object({ mode: joi.valid('single').default('single'), channel: newChannel }),
    otherwise: newChannel,
  })
  .custom((value: { readonly channel?: NewChannel }) => value.channel ?? value)
  .prefs({ stripUnknown: true })
  .required()

export const channelChanges = joi
  .object({ ...fields, id: id.required() })
  .prefs({ stripUnknown: true })
  .required()

export const channelId = joi.object({ id: id.required() })

export const channelSearch = pagedQuery({
  sort_by: joi.valid('id', 'name', 'priority').empty('').default('id'),
  sort_order: joi.valid('asc', 'desc').empty('').default('desc'),
  type: joi.number().integer().min(0).empty(''),
  status: joi.valid('enabled', 'disabled', 'all').empty('').default('all'),
  keyword: line.max(128).default(''),
  group: line.max(256).default(''),
  model: line.max(256).default(''),
})

/** A field whose reader throws what is wrong with it. Null is nothing's value. */
function read(reader: (value: unknown) => unknown): joi.Schema {
  return joi.any().custom((value: unknown, { message }) => {
    try {
      return reader(value)
    } catch (error) {
      const fault = error instanceof Error ? error.message : ''
      return message({ custom: '{{#label}} {{#fault}}' }, { fault })
    }
  })
}

function oneLine(written: string): string {
  try {
    return written.startsWith('{') ? JSON.stringify(JSON.parse(written)) : written
  } catch {
    return written
  }
}

function blank(): joi.Schema {
  return joi
    .valid('', null, '{}')
    .strip()
    .messages({ 'any.only': '{{#label}} is not supported by this gateway' })
}

/** Address of the upstream: http or https, without credentials; "" for the provider's own. */
function address(value: unknown): string {
  if (typeof value !== 'string') throw new Error('must be an address')
  const text = value.trim()
  // A word in its place stands for addresses only the provider knows, such as those of a plan.
  if (text === '' || /^[a-z]+(?:-[a-z]+)+$/.test(text)) return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error('must be an http or https address')
  }
  if (url.username !== '' || url.password !== '') throw new Error('must not hold credentials')
  if (text.includes('#')) throw new Error('must not hold a fragment')
  return text
}

/** The gateway's own switches of a channel. */
function setting(value: unknown): JsonObject {
  const known = jsonObject(value)
  const word = known.on_client_gone
  if (word !== undefined && word !== 'drain' && word !== 'abort') {
    throw new Error('holds an on_client_gone that is neither "drain" nor "abort"')
  }
  return known
}
