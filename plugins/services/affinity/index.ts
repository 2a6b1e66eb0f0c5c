/** Affinity: keeps the rules in step with the options, ties requests to channels by them, and counts. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Affinity, AffinityMatch, AffinityQuery, RuleStats } from './affinity.js'
import { rulesOption } from './members.js'
import { Patterns } from './patterns.js'
import { type ListedRule, RuleList } from './rule-list.js'
import { agentOf, applies, digestOf, keyIn } from './rule-match.js'
import { readRules } from './rules-text.js'
import { sharedTies } from './shared-ties.js'
import { Ties } from './ties.js'

export type * from './affinity.js'

const clearRule = 'rule '

export default function create({
  settings,
  services,
  clock,
  log,
}: Kit<'options' | 'changes' | 'peers'>): Affinity & Life {
  const { options, changes, peers } = services
  const patterns = new Patterns()
  const ties = new Ties(clock, settings.number('maxEntries'))
  const rules = new RuleList()
  const shared = sharedTies({
    peers,
    put(key, tie, ttlMs) {
      if (rules.get(tie.rule) !== undefined) ties.put(key, tie, ttlMs)
    },
    forget: (key) => ties.delete(key),
    stats,
  })
  let switchOnSuccess = true
  let defaultTtlSeconds = 0

  options.check(rulesOption, (text) => void readRules(text))

  changes.on('affinity', (ids) => {
    for (const id of ids) clear(id.startsWith(clearRule) ? id.slice(clearRule.length) : undefined)
  })

  function takeOver(): void {
    switchOnSuccess = settings.boolean('switchOnSuccess')
    defaultTtlSeconds = settings.number('defaultTtlSeconds')
    ties.resize(settings.number('maxEntries'))
    rules.read(settings, log)
    ties.clear((name) => !rules.has(name))
  }

  function match(query: AffinityQuery): AffinityMatch | undefined {
    if (rules.active.length === 0) return undefined
    const agent = rules.agentsMatter ? agentOf(query) : ''
    for (const entry of rules.active) {
      const { rule } = entry
      if (!applies(rule, query, agent, patterns)) continue
      const key = keyIn(rule, query, patterns)
      if (key !== undefined) return matched(entry, digestOf(rule, query, key))
    }
    return undefined
  }

  function matched({ rule, counts, era }: ListedRule, key: string): AffinityMatch {
    const channelId = ties.channel(key)
    if (channelId === undefined) {
      counts.misses++
      return { rule: rule.name, key, skipRetry: false, era: era.number }
    }
    counts.hits++
    return { rule: rule.name, key, channelId, skipRetry: rule.skipRetry, era: era.number }
  }

  function clear(rule?: string): number {
    for (const { rule: listed, era } of rules.all()) {
      if (rule === undefined || listed.name === rule) era.number += 1
    }
    return ties.clear((name) => rule === undefined || name === rule)
  }

  function stats(): readonly RuleStats[] {
    const entries = ties.countByRule()
    return [...rules.all()].map(({ rule: { name }, counts }) => ({
      rule: name,
      entries: entries.get(name) ?? 0,
      ...counts,
    }))
  }

  return {
    match,
    clear,
    remember(match, { channelId, cachedTokens }) {
      const found = rules.get(match.rule)
      if (found === undefined) return
      found.counts.cachedTokens += cachedTokens
      if (match.era !== found.era.number) return
      const tied = ties.channel(match.key)
      if (!switchOnSuccess && tied !== undefined && tied !== channelId) return
      const ttlSeconds = found.rule.ttlSeconds ?? defaultTtlSeconds
      const tie = { rule: match.rule, channelId }
      const ttlMs = ttlSeconds * 1000
      if (ties.put(match.key, tie, ttlMs)) shared.tell(match.key, tie, ttlMs)
    },
    forget(match, channelId) {
      // Another request may have tied the key to a channel that works by now.
      if (ties.channel(match.key) !== channelId) return
      ties.delete(match.key)
      shared.forget(match.key)
    },
    stats: () => shared.stats(stats()),
    start() {
      takeOver()
      settings.onChange(takeOver)
    },
  }
}
