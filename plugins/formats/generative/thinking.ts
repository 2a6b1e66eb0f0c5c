/**
 * Reasoning as a thinking configuration. The service takes a level or a budget, never both; a budget goes out as it is,
 * an effort as a level where the model knows levels and as the budget its own compatibility layer makes of it elsewhere
 * (ai.google.dev/gemini-api/docs/openai: 1,024, 8,192 and 24,576 tokens for low, medium and high).
 */
import type { Call, Reasoning } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, present, textOf, unlessEmpty } from './fields.js'
import { isThirdGeneration } from './generation.js'

type Effort = NonNullable<Reasoning['effort']>

/** Only these three are known to every model of the third generation. */
const levels: Readonly<Record<Effort, string>> = {
  none: 'LOW',
  minimal: 'LOW',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** The model decides by itself. */
const dynamicBudget = -1

/** The most every model takes. */
const budgetMax = 24_576

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: budgetMax,
  xhigh: budgetMax,
  max: budgetMax,
}

/** Words a client of this format may use as a level. */
const efforts: readonly Effort[] = ['minimal', 'low', 'medium', 'high']

export interface ThinkingPlan {
  /** Absent: not mentioned. */
  readonly config?: JsonObject
  /** Canonical field that could not be kept as requested. */
  readonly lost?: 'reasoning.off' | 'reasoning.budget' | 'reasoning.effort'
}

/** Thoughts are requested whenever reasoning is: the client's format shows them. */
export function planThinking({
  reasoning,
  model,
}: Pick<Call, 'reasoning' | 'model'>): ThinkingPlan {
  if (reasoning === undefined) return {}
  const { effort, budget, on, off } = reasoning
  const byLevel = isThirdGeneration(model)
  if (off === true || effort === 'none') {
    // Models of the third generation always think; a little is the least they do.
    if (byLevel) return { config: { thinkingLevel: levels.none }, lost: 'reasoning.off' }
    return { config: { thinkingBudget: 0 } }
  }
  if (budget !== undefined) {
    const config = { thinkingBudget: Math.min(budget, budgetMax), includeThoughts: true }
    return budget > budgetMax ? { config, lost: 'reasoning.budget' } : { config }
  }
  if (effort === undefined) {
    // Older models may be left alone with how much they think; newer ones always are.
    const measure = on === true && !byLevel ? { thinkingBudget: dynamicBudget } : {}
    return { config: { ...measure, includeThoughts: true } }
  }
  const config = byLevel
    ? { thinkingLevel: levels[effort], includeThoughts: true }
    : { thinkingBudget: budgets[effort], includeThoughts: true }
  const kept = byLevel ? efforts.includes(effort) && effort !== 'minimal' : true
  return kept ? { config } : { config, lost: 'reasoning.effort' }
}

export function readThinking(config: JsonObject): Reasoning | undefined {
  const budget = numberOf(config.thinkingBudget)
  const level = textOf(config.thinkingLevel)?.toLowerCase()
  return unlessEmpty(
    present<Reasoning>({
      effort: efforts.find((known) => known === level),
      budget: budget !== undefined && budget > 0 ? budget : undefined,
      on: isLeftOpen(config) ? true : undefined,
      shown: config.includeThoughts === true ? true : undefined,
      off: budget === 0 ? true : undefined,
    }),
  )
}

/** Thoughts are requested, or any number of them, and no amount is given. */
function isLeftOpen({ thinkingBudget, thinkingLevel, includeThoughts }: JsonObject): boolean {
  if (thinkingBudget === dynamicBudget) return true
  return includeThoughts === true && thinkingBudget === undefined && thinkingLevel === undefined
}

/** Whether the configuration comes back the same from what was read of it. */
export function isPlainThinking(config: JsonObject, model: string): boolean {
  const { config: written = {} } = planThinking({ reasoning: readThinking(config), model })
  const keys = Object.keys(config)
  return (
    keys.length === Object.keys(written).length && keys.every((key) => written[key] === config[key])
  )
}
