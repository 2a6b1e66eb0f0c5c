/**
 * What only the models of one maker take and the common form has no field for, as their pages in the user guide name it
 * (2026-11): reasoning by an effort, and the number of candidates per token.
 */
import type { Call } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { unlessEmpty } from '../../../kernel/toolkit/json/index.js'
import type { Family } from './family.js'

export function modelFields(call: Call, family: Family): JsonObject | undefined {
  return unlessEmpty({ ...candidates(call, family), ...reasoning(call, family) })
}

function candidates({ sampling: { topK } }: Call, family: Family): JsonObject {
  if (topK === undefined || family.topK === undefined) return {}
  return family.topK === 'top_k' ? { top_k: topK } : { inferenceConfig: { topK } }
}

function reasoning(call: Call, family: Family): JsonObject {
  const effort = effortOf(call)
  if (effort === undefined) return {}
  if (family.effort === 'nova') return { reasoningConfig: novaReasoning(effort) }
  return family.effort === 'gpt-oss' && effort !== 'off' ? { reasoning_effort: effort } : {}
}

type Effort = 'off' | 'low' | 'medium' | 'high'

/** The three steps these models know. */
function effortOf({ reasoning }: Call): Effort | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budget, off } = reasoning
  if (off === true || effort === 'none') return 'off'
  if (effort !== undefined) return steps[effort]
  if (budget === undefined) return undefined
  return budget < 2048 ? 'low' : budget < 8192 ? 'medium' : 'high'
}

const steps = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

/** The highest step is refused beside a limit or sampling parameters, which a client may set; the one below is not. */
function novaReasoning(effort: Effort): JsonObject {
  if (effort === 'off') return { type: 'disabled' }
  return { type: 'enabled', maxReasoningEffort: effort === 'high' ? 'medium' : effort }
}
