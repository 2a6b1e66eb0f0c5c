/** How much a model is to think: most take yes or no, some a level, and all take a level for yes. */
import type { Reasoning } from '../../../kernel/contract/call.js'
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'

type Effort = NonNullable<Reasoning['effort']>

interface EffortFact extends Fact {
  readonly efforts: Readonly<Record<Effort, false | 'low' | 'medium' | 'high'>>
}

const levels: EffortFact = {
  efforts: {
    none: false,
    minimal: 'low',
    low: 'low',
    medium: 'medium',
    high: 'high',
    xhigh: 'high',
    max: 'high',
  },
  source: 'github.com/ollama/ollama/blob/main/docs/openapi.yaml (ChatRequest.think)',
  read: '2026-11-27',
}

/** Undefined: nothing is said of it. */
export function thinkOf(reasoning: Reasoning | undefined): boolean | string | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budget, on, off } = reasoning
  if (off === true) return false
  if (effort !== undefined) return levels.efforts[effort]
  return budget !== undefined || on === true ? true : undefined
}

/** What of it the server has no word for. */
export function lostThinking(reasoning: Reasoning | undefined): readonly string[] {
  const { effort, budget, summary } = reasoning ?? {}
  const isNear = effort !== undefined && effort !== 'none' && levels.efforts[effort] !== effort
  return [
    ...(isNear ? ['reasoning.effort'] : []),
    ...(budget === undefined ? [] : ['reasoning.budget']),
    ...(summary === undefined ? [] : ['reasoning.summary']),
  ]
}
