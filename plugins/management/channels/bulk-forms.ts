/** What is taken of many channels at once: by their ids, or by their tag (management/README.md section 6). */
import joi from 'joi'
import {
  listOrText,
  readField,
  rowId,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { ManyChanges } from '../../services/channels/index.js'
import { costFactor } from './fields/cost-terms.js'
import { names } from './fields/names.js'
import { fields, line } from './forms.js'
import { type ChannelFilter, filterKeys } from './search-form.js'

export interface StatusForm {
  readonly status: 1 | 2
}

interface IdsForm {
  readonly ids: readonly number[]
}

export type IdsStatusForm = IdsForm & StatusForm

export interface IdsTagForm extends IdsForm {
  readonly tag: string
}

/** By their ids, or all that a filter finds. */
export type WhichForm =
  | IdsForm
  | {
      readonly filter: ChannelFilter
      /** As many as the person was shown: where others match by now nothing is done. */
      readonly expected?: number
    }

export type ManyForm = WhichForm & { readonly changes: ManyChanges }

export interface TagForm {
  readonly tag: string
}

export const idsMax = 10_000
const ids = joi.array().items(rowId).min(1).max(idsMax).unique().required()
const status = joi.valid(1, 2).required()
const tag = line.min(1).max(128).disallow('').required()

function body(keys: joi.PartialSchemaMap): joi.ObjectSchema {
  return joi.object(keys).prefs({ stripUnknown: true }).required()
}

/** `type` reads the type of a channel. */
function which(type: joi.Schema): joi.PartialSchemaMap {
  return {
    ids: ids.optional(),
    filter: joi.object(filterKeys(type)).prefs({ stripUnknown: true }),
    expected: joi.number().integer().min(1),
  }
}

function whichBody(type: joi.Schema, keys: joi.PartialSchemaMap): joi.ObjectSchema {
  return body({ ...which(type), ...keys })
    .xor('ids', 'filter')
    .without('ids', 'expected')
}

const list = readField(names, listOrText)
const listChange = joi
  .object({ replace: list, add: list, remove: list })
  .or('replace', 'add', 'remove')
  .without('replace', ['add', 'remove'])

export const whichForm = (type: joi.Schema) => whichBody(type, {})
export const manyForm = (type: joi.Schema) =>
  whichBody(type, {
    changes: joi
      .object({
        models: listChange,
        groups: listChange,
        priority: fields.priority,
        weight: fields.weight,
        // Blank takes the tag away.
        tag: fields.tag,
        cost_factor: costFactor,
        status: joi.valid(1, 2),
      })
      .or('models', 'groups', 'priority', 'weight', 'tag', 'cost_factor', 'status')
      .required(),
  })
export const statusForm = body({ status })
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
