/** What the area of system information returns. */
import joi from 'joi'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'

export interface InstanceRecord {
  readonly node_name: string
  readonly status: string
  readonly stale_after_seconds: number
  readonly started_at: number
  readonly last_seen_at: number
  readonly age_seconds: number
  readonly info: JsonObject
}

const instance = responseForm<InstanceRecord>({
  node_name: joi.string(),
  status: joi.string().valid('online', 'stale'),
  stale_after_seconds: joi.number().integer(),
  started_at: unixSeconds,
  last_seen_at: unixSeconds,
  age_seconds: joi
    .number()
    .integer()
    .min(0)
    .description('Since it was last seen, by the clock of the process that responds.'),
  info: joi.object().unknown().description('What the process reports of itself.'),
}).id('Instance')

export const instanceList = joi.array().items(instance)
export const deletedCount = joi.object({ deleted_count: joi.number().integer().min(0) })
