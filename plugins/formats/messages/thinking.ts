/**
 * Reasoning as a thinking budget, and the output limit that must leave room for it. Where the upstream would refuse
 * to think (a forced tool, a begun answer, a tool round whose own thinking is gone), reasoning is off for the turn.
 */
import type { Call, Part, Reasoning } from '../../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'

/** Output limit of a call that sets none: this format requires one, and holds are computed from it. */
export const outputDefault = 8192

/** Thinking tokens an effort is worth; low, medium and high are the family's figures. */
const effortBudgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
}

/** The upstream's own floor. */
const budgetMin = 1024
/** Share of the output limit thinking may take when it would not leave room for an answer. */
const budgetShare = 0.8
/** Room for the answer beside a budget above the default limit. */
const answerTokens = 4096

export interface ThinkingPlan {
  readonly maxTokens: number
  /** Absent: not mentioned. */
  readonly thinking?: JsonObject
  /** Thinking is on, so the upstream takes no sampling parameters. */
  readonly on: boolean
  /** Canonical field that could not be kept as requested. */
  readonly lost?: 'reasoning' | 'reasoning.budget'
}

export function planThinking(call: Call): ThinkingPlan {
  const { reasoning, limit } = call
  const maxTokens = limit?.tokens ?? outputDefault
  if (isAsWritten(call)) return { maxTokens, thinking: plainThinking(reasoning), on: false }
  if (reasoning === undefined) return { maxTokens, on: false }
  if (reasoning.off === true || reasoning.effort === 'none') {
    return { maxTokens, thinking: plainThinking({ off: true }), on: false }
  }
  const wanted = wantedBudget(reasoning)
  if (wanted === undefined) return { maxTokens, on: false }
  return refusesThinking(call)
    ? { maxTokens, on: false, lost: 'reasoning' }
    : withBudget(wanted, limit?.tokens)
}

/** A client of this format used values the call does not have; they go back as they came. */
function isAsWritten({ only }: Call): boolean {
  const own = only?.messages
  if (own?.thinking !== undefined) return true
  return isObject(own?.output_config) && own.output_config.effort !== undefined
}

function plainThinking({ budget, off }: Reasoning = {}): JsonObject | undefined {
  if (off === true) return { type: 'disabled' }
  return budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget }
}

/** How much is left to the model is the middle effort; the provider turns it into the model's own measure. */
function wantedBudget({ budget, effort, on }: Reasoning): number | undefined {
  const word = effort ?? (on === true ? 'medium' : undefined)
  return budget ?? (word === undefined ? undefined : effortBudgets[word])
}

function withBudget(wanted: number, limit: number | undefined): ThinkingPlan {
  const maxTokens = limit ?? Math.max(outputDefault, wanted + answerTokens)
  const fitting = wanted < maxTokens ? wanted : Math.floor(maxTokens * budgetShare)
  const budget = Math.max(fitting, budgetMin)
  if (budget >= maxTokens) return { maxTokens, on: false, lost: 'reasoning' }
  return {
    maxTokens,
    thinking: plainThinking({ budget }),
    on: true,
    ...(budget === wanted ? {} : { lost: 'reasoning.budget' as const }),
  }
}

function refusesThinking({ toolChoice, turns }: Call): boolean {
  if (toolChoice?.kind === 'required' || toolChoice?.kind === 'named') return true
  const spoken = turns.filter(({ role }) => role !== 'system' && role !== 'developer')
  const lastAnswer = spoken.findLastIndex(({ role }) => role === 'assistant')
  if (lastAnswer === -1) return false
  const after = spoken.slice(lastAnswer + 1)
  if (after.length === 0) return true
  const inToolRound = after.some(({ parts }) => parts.some(({ kind }) => kind === 'toolResult'))
  return inToolRound && !spoken[lastAnswer]!.parts.some(isOwnReasoning)
}

export function isOwnReasoning({ kind, seal }: Part): boolean {
  return kind === 'reasoning' && seal?.by === 'messages'
}
