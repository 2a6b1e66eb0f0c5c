/** The affinity cache as root sees it: what it did by rule, and a way to empty it (management/README.md section 7). */
import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { AffinityClearing, RuleStats } from '../../services/affinity/index.js'
import { type AffinityRuleRecord, affinityStats, clearedCount } from './responses.js'

interface Clearing {
  /** Absent: all. */
  readonly rule?: string
}

const clearing = joi.object<Clearing>({ rule: joi.string().max(128).empty('') })

export default function create({ services }: Kit<'affinity' | 'database' | 'changes'>): Management {
  const { affinity, database, changes } = services
  return {
    routes: {
      stats: {
        response: affinityStats,
        async handle() {
          const rules = await affinity.stats()
          const entries = rules.reduce((sum, rule) => sum + rule.entries, 0)
          return { entries, rules: rules.map(shown) }
        },
      },
      clear: {
        query: clearing,
        response: clearedCount,
        async handle({ query: { rule } }: ManagementRequest<Clearing>) {
          const known =
            rule === undefined || (await affinity.stats()).some((one) => one.rule === rule)
          if (!known) {
            throw new Refusal('gone_missing', { what: 'affinity rule', param: 'rule' })
          }
          // First here: counting comes before the note makes every process clear, this one included.
          const cleared = affinity.clear(rule)
          const id: AffinityClearing = rule === undefined ? 'all' : `rule ${rule}`
          await database.knex.transaction((trx) => changes.note(trx, 'affinity', id))
          await changes.settled()
          return cleared
        },
      },
    },
  }
}

function shown({ rule, entries, hits, misses, cachedTokens }: RuleStats): AffinityRuleRecord {
  return { rule, entries, hits, misses, cached_tokens: cachedTokens }
}
