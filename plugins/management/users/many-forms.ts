/** What is taken of many users at once: by their ids, or by the filter of the list. */
import joi from 'joi'
import { oneLine, rowId, visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'

export interface UserFilter {
  readonly keyword: string
  readonly group: string
  readonly role: number
  readonly status: number
}

/** Whom it is about. */
export type WhoForm =
  | { readonly ids: readonly number[] }
  | {
      readonly filter: UserFilter
      /** As many as the person was shown: where others match by now nothing is done. */
      readonly expected?: number
    }

export type ManyUsersForm = WhoForm & {
  readonly changes: { readonly group?: string; readonly status?: 1 | 2 }
}

export type RemoveManyForm = WhoForm

export type MoveManyForm = WhoForm & {
  readonly mode: 'add' | 'subtract' | 'override'
  readonly value: number
  readonly remark: string
}

export const idsMax = 10_000

export const quotaMax = 1_000_000_000 * 500_000

const line = joi.string().allow('').pattern(visible, visibleOnly)

export const filterKeys = {
  keyword: line.max(128).default(''),
  group: line.max(64).default(''),
  role: joi.number().integer().min(0).empty('').default(0),
  // −1 lists deleted users, 0 all.
  status: joi.number().integer().min(-1).max(2).empty('').default(0),
}

const whoKeys = {
  ids: joi.array().items(rowId).min(1).max(idsMax).unique(),
  filter: joi.object(filterKeys).prefs({ stripUnknown: true }),
  expected: joi.number().integer().min(1),
}

function whoForm(keys: joi.SchemaMap): joi.ObjectSchema {
  return joi
    .object({ ...whoKeys, ...keys })
    .xor('ids', 'filter')
    .without('ids', 'expected')
    .prefs({ stripUnknown: true })
    .required()
}

export const manyUsersForm = whoForm({
  changes: joi
    .object({
      group: joi.string().max(64).pattern(visible, visibleOnly),
      status: joi.valid(1, 2),
    })
    .or('group', 'status')
    .required(),
})

/** What is deleted stays so: a filter never goes without the number of people it was shown with. */
export const removeManyForm = whoForm({}).with('filter', 'expected')

export const moveManyForm = whoForm({
  mode: joi.valid('add', 'subtract', 'override').required(),
  value: joi
    .number()
    .integer()
    .max(quotaMax)
    .when('mode', {
      is: 'override',
      // biome-ignore lint/suspicious/noThenProperty: joi's own word.
      then: joi.number().min(-quotaMax),
      otherwise: joi.number().min(1),
    })
    .required(),
  remark: oneLine.max(255).required(),
}).with('filter', 'expected')
