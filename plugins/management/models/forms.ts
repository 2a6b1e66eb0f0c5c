/** What the models area takes. */
import joi from 'joi'
import {
  type Capability,
  capabilities,
  jsonOrText,
  type ModelAbout,
  manyLines,
  modalities,
  modelKinds,
  oneLine,
  pagedQuery,
  readField,
  rowId,
} from '../../../kernel/toolkit/management/index.js'
import { endpointsText } from './endpoints-text.js'

/** Null takes away what was set, and the table of known models speaks again. */
export type AboutForm = { readonly [field in keyof ModelAbout]: ModelAbout[field] | null }

export interface ModelForm extends AboutForm {
  readonly model_name?: string
  readonly name_rule?: number
  readonly description?: string
  readonly icon?: string
  readonly tags?: string
  /** 0: none. */
  readonly vendor_id?: number
  readonly endpoints?: string
  readonly status?: number
  readonly sync_official?: number
}

export interface NewModel extends ModelForm {
  readonly model_name: string
}

export interface ModelChanges extends ModelForm {
  readonly id: number
}

export interface ModelSearch {
  readonly p: number
  readonly page_size: number
  readonly keyword: string
  /** Id or name. */
  readonly vendor: string
}

export interface UpdateQuery {
  readonly status_only: boolean
}

/** At most 256 code points, nothing that cannot be seen (X8). */
const modelName = joi
  .string()
  .trim()
  .normalize('NFC')
  .pattern(
    /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,256}$/u,
    '1 to 256 characters, none of them invisible',
  )

const tokens = joi.number().integer().min(1).max(1_000_000_000).allow(null)
const kindsOfData = joi
  .array()
  .items(joi.valid(...modalities))
  .unique()
  .min(1)
  .allow(null)

/** Left out stays. */
const about = {
  kind: joi.valid(...modelKinds).allow(null),
  context_length: tokens,
  max_output: tokens,
  input_modalities: kindsOfData,
  output_modalities: kindsOfData,
  capabilities: joi
    .object(
      Object.fromEntries(capabilities.map((name) => [name, joi.boolean()])) as Record<
        Capability,
        joi.BooleanSchema
      >,
    )
    .allow(null)
    .description('True: it has it. False: it has not. Left out: not set.'),
}

const fields = {
  ...about,
  model_name: modelName,
  // 0 the whole name, 1 its beginning, 2 any part of it, 3 its end.
  name_rule: joi.valid(0, 1, 2, 3),
  description: manyLines.max(4096),
  icon: oneLine.allow('').max(512),
  tags: oneLine.allow('').max(1024),
  vendor_id: joi.number().integer().min(0).max(2_147_483_647),
  endpoints: readField(endpointsText, jsonOrText),
  // 1 on; 0 and 2 off.
  status: joi.valid(0, 1, 2),
  sync_official: joi.valid(0, 1),
}

export const newModel = joi
  .object({ ...fields, model_name: modelName.required() })
  .prefs({ stripUnknown: true })
  .required()

export const modelChanges = joi
  .object({ ...fields, id: rowId.required() })
  .prefs({ stripUnknown: true })
  .required()

export const modelId = joi.object({ id: rowId.required() })

export const updateQuery = joi
  .object({ status_only: joi.boolean().truthy('1').falsy('0', '').default(false) })
  .prefs({ stripUnknown: true })

export const modelSearch = pagedQuery({
  keyword: oneLine.allow('').max(256).default(''),
  vendor: oneLine.allow('').max(128).default(''),
})
