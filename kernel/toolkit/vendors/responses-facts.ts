/**
 * Models that refuse on chat completions what they take on responses, by the facts their provider keeps. The client's
 * format has no part in it: a client that uses another format is converted.
 */
import type { Call } from '../../contract/call.js'
import { isAbout, type ModelFact } from './vendor-facts.js'

export interface ResponsesFact extends ModelFact {
  /**
   * `always`: the model is served nowhere else. `tools`: function tools are refused unless the effort is `none`.
   * `tools and effort`: they are refused beside an effort other than `none`; without one the model does not reason.
   */
  readonly when: 'always' | 'tools' | 'tools and effort'
}

/** `call` is read only where the model alone is not enough. Absent: nothing is known of the request. */
export function needsResponses(
  facts: readonly ResponsesFact[],
  model: string,
  call: (() => Call) | undefined,
): boolean {
  const fact = facts.find((one) => isAbout(one, model))
  if (fact === undefined || fact.when === 'always') return fact !== undefined
  if (call === undefined) return false
  const { tools, reasoning } = call()
  if (!tools.some(({ kind }) => kind === 'function') || reasoning?.effort === 'none') return false
  if (fact.when === 'tools') return true
  const { effort, budget, off } = reasoning ?? {}
  return effort !== undefined || (budget !== undefined && off !== true)
}
