/** What the affinity area returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'

const count = joi.number().integer().min(0)

export interface AffinityRuleRecord {
  readonly rule: string
  readonly entries: number
  readonly hits: number
  readonly misses: number
  readonly cached_tokens: number
}

const affinityRule = responseForm<AffinityRuleRecord>({
  rule: joi.string(),
  entries: count.description('Ties alive now.'),
  hits: count.description('Matched requests with a remembered channel.'),
  misses: count.description('Matched requests without one.'),
  cached_tokens: count.description('Sum over the responses of matched requests.'),
}).id('AffinityRule')

export const affinityStats = joi
  .object({ entries: count, rules: joi.array().items(affinityRule) })
  .id('AffinityStats')

export const clearedCount = count.description('How many ties this process had.')
