/**
 * What only the models of one maker take and the common form has no field for, as their pages in the user guide name it
 * (2026-11): reasoning by an effort, and the number of candidates per token.
 */
import type { Call } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { defined, unlessEmpty } from './parts.js'

export function modelFields(call: Call): JsonObject | undefined {
  const { model, sampling } = call
  const effort = effortOf(call)
  if (model.includes('amazon.nova')) {
    return unlessEmpty(
      defined({
        inferenceConfig: sampling.topK === undefined ? undefined : { topK: sampling.topK },
        reasoningConfig: isNova2(model) ? novaReasoning(effort) : undefined,
      }),
    )
  }
  if (model.includes('openai.gpt-oss')) {
    return effort === undefined || effort === 'off' ? undefined : { reasoning_effort: effort }
  }
  return model.includes('mistral.') ? unlessEmpty(defined({ top_k: sampling.topK })) : undefined
}

/** Others think, or do not, as their maker has it. */
export function thinksByEffort(model: string): boolean {
  return isNova2(model) || model.includes('openai.gpt-oss')
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

function isNova2(model: string): boolean {
  return /amazon\.nova-(?:2|[3-9])/.test(model)
}

/** The highest step is refused beside a limit or sampling parameters, which a client may set; the one below is not. */
function novaReasoning(effort: Effort | undefined): JsonObject | undefined {
  if (effort === undefined) return undefined
  if (effort === 'off') return { type: 'disabled' }
  return { type: 'enabled', maxReasoningEffort: effort === 'high' ? 'medium' : effort }
}
