/** What the tokens area takes. Lists come as arrays or as the family's joined text. */
import { isIP } from 'node:net'
import joi from 'joi'
import type { BudgetPeriod } from '../../../kernel/contract/line/people.js'
import {
  listOrText,
  pagedQuery,
  readField,
  rowId,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'

import { states } from './token-row.js'

export interface TokenForm {
  readonly name?: string
  /** Unix seconds; −1: never. */
  readonly expired_time?: number
  readonly remain_quota?: number
  readonly unlimited_quota?: boolean
  readonly model_limits_enabled?: boolean
  readonly model_limits?: readonly string[]
  readonly allow_ips?: readonly string[]
  readonly group?: string
  readonly cross_group_retry?: boolean
  /** As sent; the routing service reports what is wrong with it. */
  readonly routing?: unknown
  /** 0: no budget, as an empty period. */
  readonly budget_quota?: number
  readonly budget_period?: '' | BudgetPeriod
  /** 0: no limit. */
  readonly rpm_limit?: number
  readonly tpm_limit?: number
  readonly status?: number
}

export interface TokenChanges extends TokenForm {
  readonly id: number
}

export interface Paging {
  readonly p: number
  readonly page_size: number
}

/** A thousand million units of account (management/README.md section 5). */
const quotaMax = 1_000_000_000 * 500_000
const modelsMax = 1_000
const perMinuteMax = 1_000_000_000
const addressesMax = 1_000
/** The end of year 9999. */
const secondsMax = 253_402_300_799

const name = joi.string().trim().max(50).pattern(visible, visibleOnly)

const fields = {
  expired_time: joi.number().integer().min(-1).invalid(0).max(secondsMax),
  remain_quota: joi.number().integer().min(0).max(quotaMax),
  unlimited_quota: joi.boolean(),
  model_limits_enabled: joi.boolean(),
  model_limits: listOf(/,/, modelsMax, modelName),
  allow_ips: listOf(/[\n,]/, addressesMax, address),
  group: joi.string().allow('').pattern(visible, visibleOnly).max(64),
  cross_group_retry: joi.boolean().strict(),
  budget_quota: joi.number().integer().min(0).max(quotaMax).description('Of each period. 0: none.'),
  budget_period: joi
    .string()
    .valid('', 'day', 'week', 'month')
    .description('In UTC, weeks from Monday. Empty: no budget.'),
  rpm_limit: joi
    .number()
    .integer()
    .min(0)
    .max(perMinuteMax)
    .description('Requests a minute. 0: no limit.'),
  tpm_limit: joi
    .number()
    .integer()
    .min(0)
    .max(perMinuteMax)
    .description('Tokens a minute. 0: no limit.'),
  routing: joi
    .any()
    .description(
      'The routing policy: {version: 1, mode: smart|manual, auto_route, groups, retry_on_failure}.',
    ),
}

export const newToken = joi
  .object({ ...fields, name: name.required() })
  .prefs({ stripUnknown: true })
  .required()

export const tokenChanges = joi
  .object({
    ...fields,
    id: rowId.required(),
    name,
    // Expired and exhausted follow from the rest; sent back as they were read, they change nothing.
    status: joi.valid(1, 2, 3, 4),
  })
  .prefs({ stripUnknown: true })
  .required()

export const tokenId = joi.object({ id: rowId.required() })

export const updateQuery = joi
  .object({ status_only: joi.boolean().truthy('1').falsy('0', '').default(false) })
  .prefs({ stripUnknown: true })

export interface UsageSpan {
  readonly days: number
}

export const usageSpan = joi
  .object({ days: joi.number().integer().min(1).max(90).default(30) })
  .prefs({ stripUnknown: true })

export const paging = pagedQuery()

export interface TokenSearch extends Paging {
  /** Part of the name, or the id. */
  readonly keyword: string
  /** The whole key, or its last four characters. */
  readonly token: string
  /** As lists show it: expired and exhausted are states too. */
  readonly status?: number
}

const word = joi.string().trim().allow('').pattern(visible, visibleOnly).max(128).default('')

const status = joi.number().valid(1, 2, 3, 4)

export const tokenSearch = pagedQuery({ keyword: word, token: word, status })

export interface OthersSearch extends TokenSearch {
  readonly user: number
}

export const othersSearch = pagedQuery({
  keyword: word.description('Part of the name, or the id.'),
  token: word.description('The whole key, or its last four characters.'),
  status,
  user: joi
    .number()
    .integer()
    .min(0)
    .max(2_147_483_647)
    .empty('')
    .default(0)
    .description('Only the keys of this user. 0: of everybody.'),
})

export interface SwitchForm {
  readonly status: 1 | 2
}

export const switchForm = joi
  .object({ status: joi.valid(states.on, states.off).required().description('1: on. 2: off.') })
  .prefs({ stripUnknown: true })
  .required()

export interface TokenIds {
  readonly ids: readonly number[]
}

/** At most a hundred at a time. */
export const tokenIds = joi
  .object({ ids: joi.array().items(rowId).min(1).max(100).unique().required() })
  .prefs({ stripUnknown: true })
  .required()

/** Each item once, in order; blank ones are dropped. */
function listOf(separator: RegExp, most: number, check: (item: string) => string): joi.Schema {
  return readField(
    (value) => checkedList(typeof value === 'string' ? value.split(separator) : value, most, check),
    listOrText,
  )
}

function checkedList(
  items: unknown,
  most: number,
  check: (item: string) => string,
): readonly string[] {
  if (!Array.isArray(items)) throw new Error('must be a list or its joined text')
  const checked = items.map((item: unknown) => {
    if (typeof item !== 'string') throw new Error('holds something that is no text')
    return item.trim() === '' ? '' : check(item.trim())
  })
  const once = [...new Set(checked)].filter((item) => item !== '')
  if (once.length > most) throw new Error(`has more than ${most} entries`)
  return once
}

/** At most 256 code points without control or invisible characters, in composed form (X8). */
function modelName(text: string): string {
  const composed = text.normalize('NFC')
  if ([...composed].length > 256) throw new Error('holds a name of more than 256 characters')
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(composed)) {
    throw new Error('holds a name with invisible characters')
  }
  return composed
}

/** An address, or a range as `10.0.0.0/8`. */
function address(text: string): string {
  const [start = '', bits, ...rest] = text.split('/')
  const version = isIP(start)
  const most = version === 4 ? 32 : 128
  const range = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  if (version === 0 || start.includes('%') || !range || rest.length > 0) {
    throw new Error(`holds "${text.slice(0, 64)}", which is no address or range`)
  }
  return text
}
