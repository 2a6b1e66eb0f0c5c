/** The rules in force: in their order, each with what was counted for it, which it keeps as long as its name stays. */
import type { Log, Settings } from '../../../kernel/contract/kit.js'
import type { Rule } from './rule.js'
import { readRules } from './rules-text.js'

export interface ListedRule {
  readonly rule: Rule
  readonly counts: { hits: number; misses: number; cachedTokens: number }
  /** Rises with each clearing. */
  readonly era: { number: number }
}

export class RuleList {
  private listed: ReadonlyMap<string, ListedRule> = new Map()
  /** Those that take part. */
  active: readonly ListedRule[] = []
  /** Some of those look at who sent the request. */
  agentsMatter = false

  /** Takes over what the options hold now. Rules that cannot be read are logged, and the last stay in force. */
  read(settings: Settings, log: Log): void {
    try {
      this.replace(readRules(settings.string('rules')))
    } catch (error) {
      log.error({ err: error }, 'the stored affinity rules cannot be read; the last stay in force')
    }
    const all = settings.boolean('enabled') ? [...this.listed.values()] : []
    this.active = all.filter(({ rule }) => rule.enabled)
    this.agentsMatter = this.active.some(({ rule }) => rule.userAgents.length > 0)
  }

  has(name: string): boolean {
    return this.listed.has(name)
  }

  get(name: string): ListedRule | undefined {
    return this.listed.get(name)
  }

  all(): Iterable<ListedRule> {
    return this.listed.values()
  }

  private replace(rules: readonly Rule[]): void {
    const earlier = this.listed
    this.listed = new Map(
      rules.map((rule) => {
        const { counts, era } = earlier.get(rule.name) ?? fresh()
        return [rule.name, { rule, counts, era }]
      }),
    )
  }
}

function fresh(): Pick<ListedRule, 'counts' | 'era'> {
  return { counts: { hits: 0, misses: 0, cachedTokens: 0 }, era: { number: 0 } }
}
