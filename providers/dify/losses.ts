/**
 * What an app cannot be asked. Its model, its tools and the shape of its answers are its maker's choice; how the
 * model is tuned is left out and reported.
 */
import type { Call, Part } from '../../kernel/contract/call.js'
import { fileOf } from './files.js'

type Row = readonly [field: string, when: (call: Call) => boolean]

const refused: readonly Row[] = [
  ['tools', ({ tools, toolChoice }) => tools.length > 0 && toolChoice?.kind !== 'none'],
  ['output', ({ output }) => output !== undefined && output.kind !== 'text'],
  ['modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false],
  ['audio', ({ audio }) => audio !== undefined],
  ['sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1],
  ['sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined],
  ['sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0],
  ['sampling.stop', ({ sampling }) => (sampling.stop ?? []).length > 0],
  ['media', somePart((part) => part.kind === 'media' && fileOf(part).length === 0)],
  ['toolCall', somePart(({ kind }) => kind === 'toolCall')],
  ['toolResult', somePart(({ kind }) => kind === 'toolResult')],
  ['serverTool', somePart(({ kind }) => kind === 'serverTool')],
  [
    'opaque',
    ({ turns }) => turns.some(({ role, parts }) => role !== 'assistant' && parts.some(isOpaque)),
  ],
]

const reported: readonly Row[] = [
  ['limit', ({ limit }) => limit !== undefined],
  ['sampling.temperature', ({ sampling }) => sampling.temperature !== undefined],
  ['sampling.topP', ({ sampling }) => sampling.topP !== undefined],
  ['sampling.topK', ({ sampling }) => sampling.topK !== undefined],
  ['sampling.seed', ({ sampling }) => sampling.seed !== undefined],
  ['sampling.presencePenalty', ({ sampling }) => sampling.presencePenalty !== undefined],
  ['sampling.frequencyPenalty', ({ sampling }) => sampling.frequencyPenalty !== undefined],
  ['reasoning', ({ reasoning }) => reasoning !== undefined],
  ['metadata', ({ metadata }) => metadata !== undefined],
]

/** Fields of the app's own that clients of the chat format may send along. */
const own: ReadonlySet<string> = new Set(['inputs', 'conversation_id'])

/** Leftovers of the formats that ask for another answer; every other one is cosmetic. */
const meaningful: ReadonlySet<string> = new Set([
  'web_search_options',
  'functions',
  'response_format',
  'container',
  'mcp_servers',
  'previous_response_id',
  'conversation',
  'prompt',
  'background',
  'text.format',
  'cachedContent',
])

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

function somePart(matches: (part: Part) => boolean): Row[1] {
  return ({ turns }) => turns.some(({ parts }) => parts.some(matches))
}

function isOpaque({ kind }: Part): boolean {
  return kind === 'opaque'
}
