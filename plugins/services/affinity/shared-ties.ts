/** Ties and figures of all processes of one address: the next turn of a session may reach another one. */
import type { Json } from '../../../kernel/contract/json.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { RuleStats } from './affinity.js'
import type { Tie } from './ties.js'

export interface SharedTies {
  tell(key: string, tie: Tie, ttlMs: number): void
  forget(key: string): void
  /** Of every process together. */
  stats(own: readonly RuleStats[]): Promise<readonly RuleStats[]>
}

interface SharedDependencies {
  readonly peers: Peers
  put(key: string, tie: Tie, ttlMs: number): void
  forget(key: string): void
  stats(): readonly RuleStats[]
}

const tied = 'affinity tie'
const untied = 'affinity forgotten'
const figures = 'affinity figures'

export function sharedTies({ peers, put, forget, stats }: SharedDependencies): SharedTies {
  peers.on(tied, (message) => {
    const [key, rule, channelId, ttlMs] = message as readonly [string, string, number, number]
    put(key, { rule, channelId }, ttlMs)
  })
  peers.on(untied, (message) => forget(String(message)))
  peers.respond(figures, () => stats() as unknown as Json)
  return {
    tell: (key, { rule, channelId }, ttlMs) => peers.publish(tied, [key, rule, channelId, ttlMs]),
    forget: (key) => peers.publish(untied, key),
    async stats(own) {
      const replies = await peers.ask(figures)
      return replies.reduce(
        (all, { reply }) => added(all, reply as unknown as readonly RuleStats[]),
        own,
      )
    },
  }
}

/** Each counts its own requests, and all have the same ties. */
function added(all: readonly RuleStats[], more: readonly RuleStats[]): readonly RuleStats[] {
  return all.map((one) => {
    const other = more.find(({ rule }) => rule === one.rule)
    if (other === undefined) return one
    return {
      rule: one.rule,
      entries: Math.max(one.entries, other.entries),
      hits: one.hits + other.hits,
      misses: one.misses + other.misses,
      cachedTokens: one.cachedTokens + other.cachedTokens,
    }
  })
}
