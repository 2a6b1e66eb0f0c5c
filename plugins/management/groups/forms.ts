/** What the groups area takes. */
import joi from 'joi'
import { visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'

export interface GroupForm {
  readonly name: string
  /** Factor over every price. Required for a new group. */
  readonly ratio?: number
  /** Shown to those who may use it. */
  readonly desc?: string
  /** Whether everybody may use it; their own group users may use in any case. */
  readonly usable?: boolean
  /** By group of the caller: ratios that stand before the group's own. All of them; those left out go. */
  readonly special_ratios?: Readonly<Record<string, number>>
  /** Groups its users may use beside those everybody may, and those they may not. */
  readonly also_usable?: readonly string[]
  readonly not_usable?: readonly string[]
  /** True: there must be none of this name yet; false: there must be one; absent: either. */
  readonly is_new?: boolean
}

const groupsMax = 1_000

const name = joi
  .string()
  .trim()
  .min(1)
  .max(64)
  .pattern(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp},]*$/u, 'no invisible characters or commas')
  .invalid('__proto__', 'constructor', 'prototype')

const ratio = joi.number().min(0).max(1_000_000)
const names = joi.array().items(name).max(groupsMax).unique()

export const groupForm = joi
  .object<GroupForm>({
    name: name.required(),
    ratio,
    desc: joi.string().trim().allow('').pattern(visible, visibleOnly).max(255),
    usable: joi.boolean(),
    special_ratios: joi.object().pattern(name, ratio).max(groupsMax),
    also_usable: names,
    not_usable: names,
    is_new: joi.boolean(),
  })
  .prefs({ stripUnknown: true })
  .required()

export const groupName = joi.object({ name: name.required() })

export interface ModelsQuery {
  readonly group: string
}

export const modelsQuery = joi
  .object<ModelsQuery>({ group: joi.string().trim().allow('').max(64).default('') })
  .prefs({ stripUnknown: true })
