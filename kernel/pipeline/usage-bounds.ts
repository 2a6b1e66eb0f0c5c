/**
 * What a report of usage can be at most, by the call that went out: a report beyond it is an error of the upstream and is
 * charged at the bound (decision 0036). The bounds are wide on purpose; honest usage never meets them.
 */
import type { Usage } from '../contract/event.js'
import type { Overridden } from '../contract/line/record.js'
import { bytesOf } from '../toolkit/body/body.js'
import { limits } from '../toolkit/limits/limits.js'
import { pipelineLimits } from './limits.js'

/** What the bounds are read from. */
export type Outgoing = Pick<Overridden, 'limits' | 'wire' | 'work' | 'upstreamFormat' | 'estimate'>

export type Counts = { -readonly [Count in keyof Usage]: Usage[Count] }

export const inputCounts = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'inputAudio',
  'inputImage',
] as const
const mediaCounts = ['outputAudio', 'outputImage'] as const

/** Lowers what cannot be to what can be, in place. */
export function bound(usage: Counts, estimatedTokens: number, outgoing: Outgoing): void {
  boundTools(usage, outgoing)
  const turns = 1 + Math.min(toolCalls(usage), pipelineLimits.toolTurnsMax)
  if (totalInput(usage) > limits.addedInputTokensMax) boundInput(usage, inputMax(outgoing, turns))
  const written = usage.output ?? 0
  if (written > pipelineLimits.framingTokens) {
    usage.output = Math.min(written, outputMax(usage, estimatedTokens, outgoing) * turns)
  }
  for (const count of mediaCounts) {
    const value = usage[count]
    if (value !== undefined) usage[count] = Math.min(value, limits.outputTokensMax * turns)
  }
  if (usage.reasoning !== undefined) {
    usage.reasoning = Math.min(usage.reasoning, usage.output ?? 0)
  }
}

function outputMax(
  usage: Counts,
  estimatedTokens: number,
  { limits: requestLimits }: Outgoing,
): number {
  const { maxOutput, choices = 1, reasoningApart = false } = requestLimits
  const perChoice = maxOutput === undefined || maxOutput === 0 ? limits.outputTokensMax : maxOutput
  const apart = reasoningApart ? Math.min(usage.reasoning ?? 0, limits.outputTokensMax) : 0
  const limit = Math.min(perChoice, limits.tokensMax) * Math.max(1, choices)
  return Math.max(
    limit + apart + pipelineLimits.framingTokens,
    estimatedTokens * pipelineLimits.reportedTokensTimes,
  )
}

/** A token is a byte at least, so a prompt that stands in the body is no larger than it. */
function inputMax(outgoing: Outgoing, turns: number): number {
  const { wire, estimate } = outgoing
  const bytes = sizeOf(wire)
  const known = bytes + totalInput(estimate) + limits.addedInputTokensMax
  return turns === 1 && isWhole(outgoing) ? known : bytes + limits.inputTokensMax * turns
}

/** The excess is taken from the largest counts, so that whatever is plausible stays as it is. */
function boundInput(usage: Counts, max: number): void {
  let excess = totalInput(usage) - max
  while (excess > 0) {
    const largest = inputCounts.reduce((one, other) =>
      (usage[other] ?? 0) > (usage[one] ?? 0) ? other : one,
    )
    const taken = Math.min(excess, usage[largest] ?? 0)
    usage[largest] = (usage[largest] ?? 0) - taken
    excess -= taken
  }
}

function totalInput(usage: Usage): number {
  let total = 0
  for (const count of inputCounts) total += usage[count] ?? 0
  return total
}

function boundTools(usage: Counts, { estimate }: Outgoing): void {
  const { serverTools, quantity } = usage
  if (serverTools !== undefined && Object.values(serverTools).some((calls) => calls > callsMax)) {
    const bounded = Object.entries(serverTools).map(([tool, calls]) => [
      tool,
      Math.min(calls, callsMax),
    ])
    usage.serverTools = Object.fromEntries(bounded)
  }
  if (quantity !== undefined && quantity > piecesMax) {
    usage.quantity = Math.max(piecesMax, estimate.quantity ?? 0)
  }
}

const callsMax = limits.serverToolCallsMax
const piecesMax = limits.piecesMax

function toolCalls({ serverTools }: Usage): number {
  if (serverTools === undefined) return 0
  return Object.values(serverTools).reduce((sum, calls) => sum + calls, 0)
}

function sizeOf(wire: Outgoing['wire']): number {
  if (wire.kind === 'json') return Buffer.byteLength(bytesOf(wire))
  if (wire.kind === 'none') return 0
  return wire.files.reduce(
    (sum, { bytes }) => sum + bytes.length,
    JSON.stringify(wire.fields).length,
  )
}

/** Everything the model reads stands in the body: no files, addresses or earlier answers, no tools the upstream runs. */
function isWhole({ wire, work, upstreamFormat }: Outgoing): boolean {
  if (wire.kind !== 'json') return false
  // A provider with a form of its own may put knowledge, prompts and tools of its own before the model.
  if (work === undefined) return upstreamFormat !== undefined && !refers.test(`${bytesOf(wire)}`)
  // The query is read again with each document.
  return work.name !== 'rerank'
}

const refers =
  /image|audio|video|file|document|"[\w]*(?:url|uri)"|previous_response|conversation|"prompt"|cached_?content|item_reference|container|search|retriev|web|url_?context|code_?(?:interpreter|execution)|computer|mcp|connector|plugin|maps/i
