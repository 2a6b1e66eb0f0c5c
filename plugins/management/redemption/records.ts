/** Redemption codes in the words of the management API. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { RedemptionCode } from '../../services/redemption/index.js'

const shownDigits = 4

/** The family has one status for what is on; its time states whether it has expired. */
const statuses = { on: 1, expired: 1, off: 2, used: 3 } as const

export type CodeRecord = ReturnType<typeof codeRecord>

/** A code is money to whoever has it: `isWhole` is for root alone. */
export function codeRecord(code: RedemptionCode, isWhole: boolean) {
  return {
    id: code.id,
    user_id: code.creatorId,
    batch: code.batch,
    key: isWhole ? code.code : `${code.code.slice(0, shownDigits)}…`,
    name: code.name,
    quota: code.quota,
    status: statuses[code.state],
    state: code.state,
    uses: code.uses,
    uses_max: code.usesMax,
    created_time: seconds(code.createdAt),
    redeemed_time: seconds(code.redeemedAt),
    expired_time: seconds(code.expiresAt),
    used_user_id: code.redeemedBy ?? 0,
  }
}

function seconds(moment: Date | undefined): number {
  return moment === undefined ? 0 : Math.floor(moment.getTime() / 1000)
}

export const codeForm = responseForm<CodeRecord>({
  id: joi.number().integer(),
  user_id: joi.number().integer().description('Who made it.'),
  batch: joi.string().description('The same for codes that were made together.'),
  key: joi.string().description('The code; to admins its first digits.'),
  name: joi.string(),
  quota: quotaUnits.description('Credited by each use, in quota units.'),
  status: joi.number().valid(1, 2, 3).description('1: on, 2: off, 3: used up.'),
  state: joi.string().valid('on', 'off', 'used', 'expired'),
  uses: joi.number().integer().min(0),
  uses_max: joi.number().integer().min(1),
  created_time: unixSeconds,
  redeemed_time: joi.number().integer().description('Unix seconds of the last use. 0: none.'),
  expired_time: joi.number().integer().description('Unix seconds. 0: never.'),
  used_user_id: joi.number().integer().description('Who used it last. 0: nobody.'),
}).id('RedemptionCode')

export const codePage = pageOf(codeForm)
export const madeCodes = joi.array().items(joi.string()).description('The codes.')
export const redeemedQuota = quotaUnits.description('Credited, in quota units.')
export const removedCount = joi.number().integer().min(0).description('How many were deleted.')
