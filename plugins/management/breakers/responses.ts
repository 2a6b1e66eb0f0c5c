/** What the breakers area returns. */
import joi from 'joi'
import { pageOf, responseForm } from '../../../kernel/toolkit/management/index.js'
import type { BreakerStatus } from '../../services/health/index.js'
import type { ChannelHealth } from './health-of.js'

const count = joi.number().integer().min(0)

/** A breaker, in the family's spelling. */
export interface BreakerRecord
  extends Pick<BreakerStatus, 'model' | 'state' | 'failures' | 'outcomes' | 'reason'> {
  readonly channel_id: number
  readonly channel_name: string
  readonly key_id: number
  readonly retry_at: number
}

const breaker = responseForm<BreakerRecord>({
  channel_id: joi.number().integer(),
  channel_name: joi.string().allow('').description('Empty: the channel is gone.'),
  key_id: joi.number().integer(),
  model: joi.string().allow('').description('Empty: every model of the key.'),
  state: joi.string().valid('open', 'half-open', 'parked'),
  failures: count.description('Failures among the outcomes.'),
  outcomes: count.description('Outcomes remembered.'),
  retry_at: joi
    .number()
    .integer()
    .description('Unix seconds from which the next attempt is let through.'),
  reason: joi.string().allow('').description('The last failure.'),
}).id('Breaker')

export const breakerPage = pageOf(breaker)

const channelHealth = responseForm<ChannelHealth>({
  channel_id: joi.number().integer(),
  latencies: joi
    .array()
    .items(joi.number().integer())
    .description('Milliseconds to the first content of the last responses, oldest first.'),
  open: count,
  half_open: count,
  parked: count,
  retry_at: joi
    .number()
    .integer()
    .description('Unix seconds from which the first of them is tried again. 0: none is open.'),
  reason: joi.string().allow('').description('Why that one is open.'),
  fault: joi
    .string()
    .allow('')
    .description('What the provider finds wrong with the stored settings. Empty: nothing.'),
  last_known: joi
    .object({
      at: joi.number().integer().description('Unix seconds.'),
      well: joi.boolean(),
      latency: count.description('Milliseconds of the last success. 0: there was none.'),
      reason: joi.string().allow('').description('Why it failed. Empty: it did not.'),
    })
    .allow(null)
    .description(
      'What was last known, by any process and before any restart; a minute old at most. Null: nothing.',
    ),
}).id('ChannelHealth')

export const channelHealthList = joi.array().items(channelHealth)

export const breakersReset = joi.object({
  reset: count.description(
    'How many a process of this address had at most; those elsewhere reset theirs too.',
  ),
})
