/** What the routes of automatic top-up take. */
import joi from 'joi'
import { oneLine } from '../../../kernel/toolkit/management/index.js'

/** More than anyone holds, and far from what a wallet can. */
const quotaMax = 100_000_000_000_000

const gateway = oneLine.max(64)
const units = joi.number().integer().min(1).max(1_000_000).required()

export interface SettingsForm {
  readonly enabled: boolean
  readonly below: number
  readonly amount: number
  readonly monthly_cap: number
  readonly gateway?: string
}

export const settingsForm = joi
  .object({
    enabled: joi.boolean().required(),
    below: joi
      .number()
      .integer()
      .min(0)
      .max(quotaMax)
      .required()
      .description('The balance below which it is topped up, in quota units.'),
    amount: units.description('Units of account one payment buys.'),
    monthly_cap: units.description('Most units a calendar month (UTC) may buy.'),
    gateway: gateway.description('Absent: the one in use, else that of the last agreement.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface PortalForm {
  readonly gateway: string
}

export const portalForm = joi
  .object({ gateway: gateway.required().description('Name of a gateway the caller agreed with.') })
  .prefs({ stripUnknown: true })
  .required()
