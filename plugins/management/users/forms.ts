/** What the users area takes. */
import joi from 'joi'
import {
  newPassword,
  oneLine,
  pagedQuery,
  rowId,
  userName,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import { filterKeys, quotaMax } from './many-forms.js'

export interface NewUserForm {
  readonly username: string
  readonly password: string
  readonly display_name: string
  readonly role: number
  readonly group: string
}

export interface UserChanges {
  readonly id: number
  readonly username?: string
  readonly display_name?: string
  readonly password?: string
  readonly group?: string
  readonly remark?: string
  /** Root alone changes it. */
  readonly role?: number
}

export type ManageForm =
  | { readonly id: number; readonly action: StateAction }
  | {
      readonly id: number
      readonly action: 'add_quota'
      readonly mode: 'add' | 'subtract' | 'override'
      readonly value: number
      readonly remark: string
    }

export type StateAction = 'disable' | 'enable' | 'delete' | 'promote' | 'demote'

export interface UserSearch {
  readonly p: number
  readonly page_size: number
  readonly sort_by: string
  readonly sort_order: 'asc' | 'desc'
  readonly keyword: string
  readonly group: string
  readonly role: number
  readonly status: number
}

/** A thousand million units of account, the family's ceiling (management/README.md section 5). */
const line = joi.string().allow('').pattern(visible, visibleOnly)

export const newUserForm = joi
  .object({
    username: userName.required(),
    password: newPassword.required(),
    display_name: line.max(64).default(''),
    role: joi.valid(1, 10).default(1),
    group: line.max(64).default('default'),
  })
  .prefs({ stripUnknown: true })
  .required()

export const userChanges = joi
  .object({
    id: rowId.required(),
    username: userName,
    display_name: line.max(64),
    // Forms send a blank password for "as it is".
    password: newPassword.empty(''),
    group: line.max(64),
    remark: line.max(255),
    // The family's forms send a role back as they read it, root's own too.
    role: joi.valid(1, 10, 100),
  })
  .prefs({ stripUnknown: true })
  .required()

export const manageForm = joi
  .object({
    id: rowId.required(),
    action: joi.valid('disable', 'enable', 'delete', 'promote', 'demote', 'add_quota').required(),
    mode: joi.when('action', {
      is: 'add_quota',
      // biome-ignore lint/suspicious/noThenProperty: joi's own word.
      then: joi.valid('add', 'subtract', 'override').required(),
      otherwise: joi.any().strip(),
    }),
    value: joi.when('action', {
      is: 'add_quota',
      // biome-ignore lint/suspicious/noThenProperty: joi's own word.
      then: joi
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
      otherwise: joi.any().strip(),
    }),
    // Money made by hand has a reason (E8).
    remark: joi.when('action', {
      is: 'add_quota',
      // biome-ignore lint/suspicious/noThenProperty: joi's own word.
      then: oneLine.max(255).required(),
      otherwise: joi.any().strip(),
    }),
  })
  .prefs({ stripUnknown: true })
  .required()

export const userId = joi.object({ id: rowId.required() })

export const userAccessToken = joi.object({ id: rowId.required(), token_id: rowId.required() })

export const userBinding = joi.object({
  id: rowId.required(),
  binding_type: joi
    .string()
    .pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'email, or the name of a provider')
    .required(),
})

export const userSearch = pagedQuery({
  sort_by: joi
    .valid('id', 'username', 'quota', 'group', 'created_at', 'last_login_at')
    .empty('')
    .default('id'),
  sort_order: joi.valid('asc', 'desc').empty('').default('desc'),
  ...filterKeys,
})
