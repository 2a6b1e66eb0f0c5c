/**
 * What a Converse request cannot say, by field of the canonical call. `refuse` changes the meaning, so another channel is
 * tried or the client is told; `report` is tuning and naming, which is left out.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import { mediaBlock } from './media.js'
import { holdsTools, parseInput, partsOf } from './parts.js'

type Test = (call: Call) => boolean
type Loss = readonly [field: string, when: Test]

const refused: readonly Loss[] = [
  ['sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1],
  ['sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined],
  ['sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0],
  ['modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false],
  ['audio', ({ audio }) => audio !== undefined],
  ['output', ({ output }) => output?.kind === 'json'],
  ['tools', ({ tools }) => tools.some(({ kind }) => kind === 'server')],
  ['toolChoice', (call) => call.toolChoice?.kind === 'none' && holdsTools(call)],
  ['media', somePart((part) => part.kind === 'media' && mediaBlock(part) === undefined)],
  ['toolCall.input', somePart(hasForeignInput)],
  ['serverTool', somePart(({ kind }) => kind === 'serverTool')],
  ['opaque', ({ turns }) => turns.some((turn) => !isAnswer(turn) && holdsOpaque(turn))],
]

const reported: readonly Loss[] = [
  ['sampling.seed', ({ sampling }) => sampling.seed !== undefined],
  ['sampling.presencePenalty', ({ sampling }) => (sampling.presencePenalty ?? 0) !== 0],
  ['sampling.frequencyPenalty', ({ sampling }) => (sampling.frequencyPenalty ?? 0) !== 0],
  ['parallelTools', ({ parallelTools, tools }) => parallelTools === false && tools.length > 0],
  ['reasoning.summary', ({ reasoning }) => reasoning?.summary !== undefined],
  ['reasoning.history', somePart(({ kind }) => kind === 'reasoning')],
  ['user', ({ user }) => user !== undefined],
  ['metadata', ({ metadata }) => Object.keys(metadata ?? {}).length > 0],
  ['turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined)],
  ['media.detail', somePart((part) => part.kind === 'media' && (part.detail ?? 'auto') !== 'auto')],
  ['opaque', ({ turns }) => turns.some((turn) => isAnswer(turn) && holdsOpaque(turn))],
]

/** Leftovers of the formats that ask for another answer; every other one is cosmetic. */
const refusedLeftovers: ReadonlySet<string> = new Set([
  'web_search_options',
  'tool_choice',
  'response_format',
  'functions',
  'function_call',
  'container',
  'mcp_servers',
  'previous_response_id',
  'conversation',
  'prompt',
  'background',
  'cachedContent',
])

export function cannotExpress(call: Call): {
  readonly refuse: readonly string[]
  readonly report: readonly string[]
} {
  const left = Object.values(call.only ?? {}).flatMap((own) => Object.keys(own ?? {}))
  return {
    refuse: [...named(refused, call), ...left.filter((key) => refusedLeftovers.has(key))],
    report: [...named(reported, call), ...left.filter((key) => !refusedLeftovers.has(key))],
  }
}

function named(losses: readonly Loss[], call: Call): string[] {
  return losses.filter(([, when]) => when(call)).map(([field]) => field)
}

function somePart(matches: (part: Part) => boolean): Test {
  return ({ turns }) => {
    for (const part of partsOf(turns)) if (matches(part)) return true
    return false
  }
}

function hasForeignInput(part: Part): boolean {
  return part.kind === 'toolCall' && parseInput(part.input) === undefined
}

function isAnswer({ role }: Turn): boolean {
  return role === 'assistant'
}

/** What an answer carries for its issuer alone may go; what others put there was meant to be read. */
function holdsOpaque({ parts }: Turn): boolean {
  return parts.some(({ kind }) => kind === 'opaque')
}
