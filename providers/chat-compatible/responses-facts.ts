/** Services that take less of the responses format than its maker. What they do not take is asked as chat. */
import type { Call } from '../../kernel/contract/call.js'
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

/** `models`: those that are served in it. */
export interface ResponsesFact extends ModelFact {
  /** Words for the effort. Absent: all. */
  readonly efforts?: readonly string[]
  /** Whether a tool is called is left to the model. */
  readonly choosesTools?: true
}

const read = '2026-11-27'

/** Tencent */
export const ofHy: ResponsesFact = {
  models: /^hy3/,
  choosesTools: true,
  source: 'cloud.tencent.com/document/product/1823/132252',
  read,
}

export const ofStep: ResponsesFact = {
  models: /^step-3\.7-flash/,
  efforts: ['low', 'medium', 'high'],
  choosesTools: true,
  source: 'platform.stepfun.com/docs/zh/api-reference (responses)',
  read,
}

export const ofMiMo: ResponsesFact = {
  efforts: ['none', 'low', 'medium', 'high'],
  source: 'mimo.mi.com/docs/en-US/api/chat/responses',
  read,
}

/** Whether a request for this model can be asked in the responses format. `call` absent: nothing is known of it. */
export function takesResponses(
  fact: ResponsesFact,
  model: string,
  call: (() => Call) | undefined,
): boolean {
  if (!isAbout(fact, model)) return false
  if (call === undefined) return true
  const { toolChoice, reasoning } = call()
  const isForced = toolChoice !== undefined && toolChoice.kind !== 'auto'
  if (isForced && fact.choosesTools === true) return false
  const { effort } = reasoning ?? {}
  return effort === undefined || fact.efforts === undefined || fact.efforts.includes(effort)
}
