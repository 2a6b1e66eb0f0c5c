/** What the groups area takes. */
import joi from 'joi'
import { visible, visibleOnly } from '../../../kernel/http/form-words.js'

export interface GroupForm {
  readonly name: string
  /** Factor over every price. Required for a new group. */
  readonly ratio?: number
  /** Told to those who may use it. */
  readonly desc?: string
  /** Whether everybody may use it; their own group users may use in any case. */
  readonly usable?: boolean
}

const name = joi
  .string()
  .trim()
  .min(1)
  .max(64)
  .pattern(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp},]*$/u, 'no invisible characters or commas')
  .invalid('__proto__', 'constructor', 'prototype')

export const groupForm = joi
  .object<GroupForm>({
    name: name.required(),
    ratio: joi.number().min(0).max(1_000_000),
    desc: joi.string().trim().allow('').pattern(visible, visibleOnly).max(255),
    usable: joi.boolean(),
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
