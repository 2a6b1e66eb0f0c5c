/** What billing reads from an outgoing completion: how much may be written, and what is to be read. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { Limits } from '../../../kernel/contract/format.js'
import {
  areTokens,
  countOf,
  estimateTokensIn,
  jsonOf,
} from '../../../kernel/toolkit/operation/index.js'

/** Every prompt is answered by itself; of `best_of` answers all are paid for and `n` are shown. */
export function limits(wire: Body): Limits {
  const { n, best_of, max_tokens } = jsonOf(wire)
  const perPrompt = Math.max(countOf(n) ?? 1, countOf(best_of) ?? 1)
  const choices = perPrompt * prompts(wire)
  const maxOutput = countOf(max_tokens)
  return maxOutput === undefined ? { choices } : { choices, maxOutput }
}

export function estimate(wire: Body): Usage {
  const { prompt, suffix } = jsonOf(wire)
  return { input: estimateTokensIn(prompt) + estimateTokensIn(suffix) }
}

/** Tokens of an answer that only repeat the prompt. */
export function echoedTokens(wire: Body): number {
  const { echo, prompt, n } = jsonOf(wire)
  return echo === true ? estimateTokensIn(prompt) * (countOf(n) ?? 1) : 0
}

function prompts(wire: Body): number {
  const { prompt = null } = jsonOf(wire)
  return Array.isArray(prompt) && !areTokens(prompt) ? prompt.length : 1
}
