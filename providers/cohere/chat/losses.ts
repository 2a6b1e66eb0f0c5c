/**
 * What a request of this service cannot say, by field of the canonical call: what changes its meaning, and what does
 * not.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import { ownWords, partsOf } from './parts.js'

type Test = (call: Call) => boolean
type Row = readonly [field: string, when: Test]

const refused: readonly Row[] = [
  ['sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1],
  ['sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined],
  ['sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0],
  ['modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false],
  ['audio', ({ audio }) => audio !== undefined],
  ['tools', ({ tools }) => tools.some(({ kind }) => kind === 'server')],
  ['toolChoice', namesUnknownTool],
  ['media', ({ turns }) => turns.some(showsUnshowable)],
  ['serverTool', somePart(({ kind }) => kind === 'serverTool')],
  ['opaque', ({ turns }) => turns.some(asksInOpaqueWords)],
]

const reported: readonly Row[] = [
  ['parallelTools', ({ parallelTools }) => parallelTools === false],
  ['reasoning.effort', ({ reasoning }) => hasSteps(reasoning?.effort)],
  ['reasoning.summary', ({ reasoning }) => reasoning?.summary !== undefined],
  ['user', ({ user }) => user !== undefined],
  ['metadata', ({ metadata }) => metadata !== undefined],
  ['turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined)],
  ['toolResult.failed', somePart((part) => part.kind === 'toolResult' && part.failed === true)],
  ['cache', somePart(({ cache }) => cache !== undefined)],
]

/** Leftovers of the formats that ask for another answer; every other one is cosmetic. */
const meaningful: ReadonlySet<string> = new Set([
  'web_search_options',
  'functions',
  'function_call',
  'tool_choice',
  'response_format',
  'container',
  'mcp_servers',
  'thread',
  'previous_response_id',
  'conversation',
  'prompt',
  'background',
  'text.format',
  'moderation',
  'cachedContent',
])

const own: ReadonlySet<string> = new Set(ownWords)

export function cannotExpress(call: Call) {
  const left = Object.entries(call.only ?? {}).flatMap(([format, fields]) =>
    Object.keys(fields ?? {}).filter((field) => format !== 'chat' || !own.has(field)),
  )
  return {
    refuse: [...named(refused, call), ...left.filter((field) => meaningful.has(field))],
    report: [...named(reported, call), ...left.filter((field) => !meaningful.has(field))],
  }
}

function named(rows: readonly Row[], call: Call): string[] {
  return rows.filter(([, when]) => when(call)).map(([field]) => field)
}

function somePart(matches: (part: Part) => boolean): Test {
  return ({ turns }) => {
    for (const part of partsOf(turns)) if (matches(part)) return true
    return false
  }
}

/** Only the one tool is offered then; without it the model would be free. */
function namesUnknownTool({ toolChoice, tools }: Call): boolean {
  return toolChoice?.kind === 'named' && !tools.some(({ name }) => name === toolChoice.name)
}

function hasSteps(effort: string | undefined): boolean {
  return effort !== undefined && effort !== 'none'
}

/** Images are shown by users only, by their bytes or their address. */
function showsUnshowable({ role, parts }: Turn): boolean {
  return parts.some((part) => {
    if (part.kind === 'toolResult') return part.parts.some(({ kind }) => kind === 'media')
    if (part.kind !== 'media') return false
    return role !== 'user' || part.type !== 'image' || 'id' in part.source
  })
}

/** What an answer carries for its issuer alone may go; what others put there was meant to be read. */
function asksInOpaqueWords({ role, parts }: Turn): boolean {
  return role !== 'assistant' && parts.some(({ kind }) => kind === 'opaque')
}
