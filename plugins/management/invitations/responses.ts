/** What the area of invitations returns. */
import joi from 'joi'
import { quotaUnits } from '../../../kernel/toolkit/management/index.js'

export const invitationCode = joi.string().description('Goes into the address of an invitation.')

export const transferred = joi.object({
  quota: quotaUnits.description('What the wallet holds now, in quota units.'),
  aff_quota: quotaUnits.description('Rewards that are left, in quota units.'),
})
