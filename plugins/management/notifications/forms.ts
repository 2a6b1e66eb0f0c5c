/** What the routes of notices take. The fields of each way come from the manifest of its notifier. */
import joi from 'joi'
import type { Manifest, SettingField } from '../../../kernel/contract/manifest.js'
import {
  oneLine,
  pagedQuery,
  rowId,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { accountSettings } from '../../../kernel/toolkit/service/index.js'

export interface Paging {
  readonly p: number
  readonly page_size: number
  readonly state?: 'waiting' | 'delivered' | 'failed'
  readonly user_id?: number
}

/** The largest number of quota a balance is compared with. */
const quotaMax = 1_000_000_000_000_000
const textBytesDefault = 4096

/** Null takes a member away; every other value is checked by its field. */
export function settingForm(notifiers: readonly Manifest[]): joi.ObjectSchema {
  const names = notifiers.map(({ id }) => id.slice('notifier.'.length))
  const own: Readonly<Record<(typeof accountSettings)[number], joi.Schema>> = {
    notify_type: joi.valid(...names),
    quota_warning_threshold: joi.number().greater(0).max(quotaMax).allow(null),
    accept_unset_model_ratio_model: joi.boolean().strict(),
    sign_in_notices: joi.boolean().strict(),
    record_ip_log: joi.boolean().strict(),
    upstream_model_update_notify_enabled: joi.boolean().strict(),
    language: oneLine.pattern(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}$/, 'language tag'),
  }
  const fields = notifiers.flatMap(({ userSettings }) => userSettings)
  return joi
    .object({
      ...Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)])),
      ...own,
    })
    .prefs({ stripUnknown: true })
    .required()
}

function valueSchema({
  type,
  options = [],
  min,
  max,
  integer,
  maxBytes,
}: SettingField): joi.Schema {
  if (type === 'boolean') return joi.boolean().strict().allow(null)
  if (type === 'select') return joi.valid(...options, null)
  if (type === 'number') {
    let number = joi.number()
    if (integer) number = number.integer()
    if (min !== undefined) number = number.min(min)
    if (max !== undefined) number = number.max(max)
    return number.allow(null)
  }
  const text = joi
    .string()
    .trim()
    .max(maxBytes ?? textBytesDefault, 'utf8')
  return text.allow('', null).pattern(visible, visibleOnly)
}

const state = joi.valid('waiting', 'delivered', 'failed')
/** Zero means "any" in forms of the family. */
const userId = rowId.empty(joi.valid('', 0, '0'))

export const noticesQuery = pagedQuery()
export const outboxQuery = pagedQuery({ state, user_id: userId })

export const noticeId = joi.object({
  id: joi
    .string()
    .pattern(/^\d{1,19}$/, 'number')
    .required(),
})
