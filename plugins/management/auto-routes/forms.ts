/** What the auto routes area takes. */
import joi from 'joi'
import { oneLine, pagedQuery } from '../../../kernel/toolkit/management/index.js'

export interface AutoRouteForm {
  readonly key: string
  readonly display_name?: string
  readonly groups?: readonly string[]
  readonly user_groups?: readonly string[]
  readonly enabled?: boolean
  readonly is_default?: boolean
  readonly sort_order?: number
}

export interface NewAutoRoute extends AutoRouteForm {
  readonly groups: readonly string[]
}

export interface Paging {
  readonly p: number
  readonly page_size: number
}

const key = joi
  .string()
  .max(64)
  .pattern(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'letters, digits, dots, dashes and underscores')

const groupNames = joi.array().items(oneLine.max(64)).max(64).unique()

const fields = {
  key: key.required(),
  display_name: oneLine.max(128),
  groups: groupNames.min(1),
  user_groups: groupNames,
  enabled: joi.boolean(),
  is_default: joi.boolean(),
  sort_order: joi.number().integer().min(-1_000_000).max(1_000_000),
}

export const newAutoRoute = joi
  .object({ ...fields, groups: fields.groups.required() })
  .prefs({ stripUnknown: true })
  .required()

export const autoRouteChanges = joi.object(fields).prefs({ stripUnknown: true }).required()

export const autoRouteKey = joi.object({ key: key.required() })

export const paging = pagedQuery()
