/** What is taken of many users at once: by their ids, or by the filter of the list. */
import joi from 'joi'
import { rowId, visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'

export interface UserFilter {
  readonly keyword: string
  readonly group: string
  readonly role: number
  readonly status: number
}

export type ManyUsersForm = {
  readonly changes: { readonly group?: string; readonly status?: 1 | 2 }
} & (
  | { readonly ids: readonly number[] }
  | {
      readonly filter: UserFilter
      /** As many as the person was shown: where others match by now nothing is done. */
      readonly expected?: number
    }
)

export const idsMax = 10_000

const line = joi.string().allow('').pattern(visible, visibleOnly)

export const filterKeys = {
  keyword: line.max(128).default(''),
  group: line.max(64).default(''),
  role: joi.number().integer().min(0).empty('').default(0),
  // −1 lists deleted users, 0 all.
  status: joi.number().integer().min(-1).max(2).empty('').default(0),
}

export const manyUsersForm = joi
  .object({
    ids: joi.array().items(rowId).min(1).max(idsMax).unique(),
    filter: joi.object(filterKeys).prefs({ stripUnknown: true }),
    expected: joi.number().integer().min(1),
    changes: joi
      .object({
        group: joi.string().max(64).pattern(visible, visibleOnly),
        status: joi.valid(1, 2),
      })
      .or('group', 'status')
      .required(),
  })
  .xor('ids', 'filter')
  .without('ids', 'expected')
  .prefs({ stripUnknown: true })
  .required()
