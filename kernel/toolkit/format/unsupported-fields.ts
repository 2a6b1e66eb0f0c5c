/**
 * What a format cannot express of a call: its own table of unsupported fields, and the fields that only another format has. `refuse`
 * changes the meaning, so another channel is tried or the client gets an error; `report` is cosmetic and named in a header.
 */
import type { Call, Part, Turn } from '../../contract/call.js'
import type { FormatName } from '../../contract/names.js'
import { unsupportedHostedTools } from './hosted-tools.js'
import { hasEquivalent } from './kindred-fields.js'

export interface UnsupportedField {
  /** Field of the canonical call. */
  readonly field: string
  readonly kind: 'refuse' | 'report'
  readonly when: (call: Call) => boolean
}

export interface UnsupportedFields {
  readonly refuse: readonly string[]
  readonly report: readonly string[]
}

export function refuse(field: string, when: UnsupportedField['when']): UnsupportedField {
  return { field, kind: 'refuse', when }
}

export function report(field: string, when: UnsupportedField['when']): UnsupportedField {
  return { field, kind: 'report', when }
}

/** Some part of the call matches, those within tool results included. */
export function somePart(matches: (part: Part) => boolean): UnsupportedField['when'] {
  return ({ turns }) => {
    for (const part of partsOf(turns)) if (matches(part)) return true
    return false
  }
}

export function* partsOf(turns: readonly Turn[]): Generator<Part> {
  for (const { parts } of turns) yield* nestedParts(parts)
}

export function* nestedParts(parts: readonly Part[]): Generator<Part> {
  for (const part of parts) {
    yield part
    if (part.kind === 'toolResult') yield* nestedParts(part.parts)
  }
}

/** What `format` loses of the call, by its table and by what other formats left in `only`. */
export function unsupportedFieldsOf(
  format: FormatName,
  table: readonly UnsupportedField[],
  call: Call,
): UnsupportedFields {
  const left = leftovers(format, call)
  const hosted = unsupportedHostedTools(format, call)
  const lost = table.filter(({ when }) => when(call))
  const named = (kind: UnsupportedField['kind']) =>
    lost.filter((field) => field.kind === kind).map(({ field }) => field)
  return {
    refuse: [
      ...hosted.refuse,
      ...named('refuse'),
      ...(isForcedWithoutTools(call) ? ['toolChoice'] : []),
      ...left.filter((field) => meaningful.has(field)),
    ],
    report: [
      ...hosted.report,
      ...named('report'),
      ...left.filter((field) => !meaningful.has(field)),
    ],
  }
}

/** A tool is to be used and none is there: every service refuses that, and to leave it out would be another request. */
export function isForcedWithoutTools({ toolChoice, tools }: Call): boolean {
  return tools.length === 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'named')
}

/**
 * Fields only another format has, or any format where none is named, as the client wrote them; below the top level with
 * the place where they stood.
 */
export function leftovers(
  format: FormatName | undefined,
  call: Call,
  isOwn: IsOwn = (owner) => owner === format,
): readonly string[] {
  const { turns, tools } = call
  const foreign = (left: Call['only']) =>
    foreignFields(left, (owner, field) => isOwn(owner, field, false))
  const functions = tools.filter(({ kind }) => kind === 'function')
  const fields = [
    ...topFields(format, call, isOwn),
    ...turns.flatMap((turn) => foreign(turn.only)).map((field) => `turns.${field}`),
    ...[...partsOf(turns)].flatMap((part) => foreign(part.only)).map((field) => `parts.${field}`),
    ...functions.flatMap((tool) => foreign(tool.only)).map((field) => `tools.${field}`),
  ]
  return [...new Set(fields)].filter((field) => !carried.has(field))
}

/** At the top level, where kindred formats may hold the same in another field. */
function topFields(format: FormatName | undefined, call: Call, isOwn: IsOwn): string[] {
  const isKept = (owner: string, field: string) =>
    isOwn(owner, field, true) ||
    (format !== undefined && hasEquivalent(format, owner as FormatName, field, call))
  return foreignFields(call.only, isKept)
}

function foreignFields(
  only: Call['only'],
  isKept: (owner: string, field: string) => boolean,
): string[] {
  return Object.entries(only ?? {}).flatMap(([owner, fields]) =>
    Object.keys(fields ?? {}).filter((field) => !isKept(owner, field)),
  )
}

/** Whether a field is known where it is going; `isTop`: it stands at the top level of the call. */
type IsOwn = (owner: string, field: string, isTop: boolean) => boolean

/**
 * Leftovers whose meaning the canonical call has as well: they stand beside it so that their format finds its own
 * spelling again. The ids and states of items are places within their own format.
 */
export const carried: ReadonlySet<string> = new Set([
  // responses
  'tools',
  'allowed_tools',
  'declarations',
  'tools.type',
  'tools.name',
  'tools.namespace',
  'parts.item',
  'parts.id',
  'parts.status',
  'turns.id',
  'turns.role',
  'turns.status',
  // generative
  'parts.response',
])

/** Fields of one format that ask for something else than the same answer; every other one is cosmetic. */
export const meaningful: ReadonlySet<string> = new Set([
  // chat
  'web_search_options',
  'response_format',
  'functions',
  'function_call',
  // chat and responses: what no canonical choice of tools stands for
  'tool_choice',
  // messages
  'container',
  'mcp_servers',
  'thread',
  // responses
  'previous_response_id',
  'conversation',
  'prompt',
  'background',
  'text.format',
  'moderation',
  // generative
  'cachedContent',
  'modelArmorConfig',
  'toolConfig.functionCallingConfig.allowedFunctionNames',
  'generationConfig.responseMimeType',
  'generationConfig.responseSchema',
  'generationConfig.responseJsonSchema',
  'generationConfig.speechConfig',
  'parts.videoMetadata',
])
