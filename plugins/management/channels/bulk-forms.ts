/** What is taken of many channels at once: by their ids, or by their tag (management/README.md section 6). */
import joi from 'joi'
import { rowId, visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'
import { fields, line } from './forms.js'

export interface StatusForm {
  readonly status: 1 | 2
}

export interface IdsForm {
  readonly ids: readonly number[]
}

export type IdsStatusForm = IdsForm & StatusForm

export interface IdsTagForm extends IdsForm {
  readonly tag: string
}

export interface TagForm {
  readonly tag: string
}

const idsMax = 10_000
const ids = joi.array().items(rowId).min(1).max(idsMax).unique().required()
const status = joi.valid(1, 2).required()
const tag = line.min(1).max(128).disallow('').required()

function body(keys: joi.PartialSchemaMap): joi.ObjectSchema {
  return joi.object(keys).prefs({ stripUnknown: true }).required()
}

export const statusForm = body({ status })
export const idsForm = body({ ids })
export const idsStatusForm = body({ ids, status })
/** Null or blank takes the tag away. */
export const idsTagForm = body({ ids, tag: line.max(128).empty(null).default('') })
export const tagForm = body({ tag })
export const tagQuery = joi.object({ tag }).prefs({ stripUnknown: true })

/** What is left out, null or blank stays as it is; a blank document is an empty one. */
export const tagChanges = body({
  tag,
  new_tag: line.max(128).empty(null),
  priority: fields.priority.empty(null),
  weight: fields.weight.empty(null),
  model_mapping: fields.model_mapping.empty(null),
  param_override: fields.param_override.empty(null),
  header_override: fields.header_override.empty(null),
  models: fields.models.empty(joi.valid('', null)),
  groups: fields.group.empty(joi.valid('', null)),
})

export const copyQuery = joi
  .object({
    // As it is, a blank in front of it too.
    suffix: joi.string().max(64).pattern(visible, visibleOnly).empty('').default('_copy'),
    reset_balance: joi.boolean().empty('').default(true),
  })
  .prefs({ stripUnknown: true })
