/** What the chat format cannot express of a call, by the canonical field's name (the table of unsupported fields of this format). */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import {
  carried,
  hasEquivalent,
  isForcedWithoutTools,
  meaningful,
  unsupportedHostedTools,
} from '../../../kernel/toolkit/format/index.js'
import { encodeEffort, stopWordsMax } from './encode-request.js'

interface UnsupportedSets {
  /** Changes what is requested. */
  readonly refuse: Set<string>
  /** Does not. */
  readonly report: Set<string>
}

export function unsupportedFields(call: Call) {
  const hosted = unsupportedHostedTools('chat', call)
  const unsupported: UnsupportedSets = {
    refuse: new Set(hosted.refuse),
    report: new Set(hosted.report),
  }
  if (call.sampling.topK !== undefined) unsupported.report.add('sampling.topK')
  if (call.reasoning?.summary !== undefined) unsupported.report.add('reasoning.summary')
  if (call.reasoning?.off === true && call.reasoning.effort === undefined) {
    unsupported.report.add('reasoning.off')
  }
  if (isForcedWithoutTools(call)) unsupported.refuse.add('toolChoice')
  if ((call.sampling.stop?.length ?? 0) > stopWordsMax) unsupported.report.add('sampling.stop')
  if (isOtherEffort(call)) unsupported.report.add('reasoning.effort')
  foreign(call.only, '', unsupported, call)
  for (const tool of call.tools) {
    if (tool.kind === 'server') continue
    if (tool.cache !== undefined) unsupported.report.add('cache')
    foreign(tool.only, 'tools.', unsupported)
  }
  for (const turn of call.turns) unsupportedOfTurn(turn, unsupported)
  return { refuse: [...unsupported.refuse], report: [...unsupported.report] }
}

function isOtherEffort(call: Call): boolean {
  const requested = call.reasoning?.effort
  return requested !== undefined && encodeEffort(call) !== requested
}

/** At the top level the call shows which fields have an equivalent. */
function foreign(
  only: Call['only'],
  level: string,
  { refuse, report }: UnsupportedSets,
  call?: Call,
): void {
  for (const [format, left] of Object.entries(only ?? {}) as [FormatName, JsonObject][]) {
    if (format === 'chat') continue
    for (const field of Object.keys(left)) {
      if (carried.has(`${level}${field}`)) continue
      if (call !== undefined && hasEquivalent('chat', format, field, call)) continue
      const unsupported = meaningful.has(`${level}${field}`) ? refuse : report
      unsupported.add(`${level}${field}`)
    }
  }
}

function unsupportedOfTurn(turn: Turn, unsupported: UnsupportedSets): void {
  foreign(turn.only, 'turns.', unsupported)
  for (const part of turn.parts) unsupportedOfPart(part, turn, unsupported)
}

function unsupportedOfPart(part: Part, turn: Turn, unsupported: UnsupportedSets): void {
  if (part.cache !== undefined) unsupported.report.add('cache')
  foreign(part.only, 'parts.', unsupported)
  switch (part.kind) {
    case 'text':
      if (part.citations !== undefined) unsupported.report.add('citations')
      break
    case 'media':
      unsupportedOfMedia(part, turn, unsupported)
      break
    case 'toolResult':
      if (part.failed === true) unsupported.report.add('toolResult.failed')
      for (const inner of part.parts)
        unsupportedOfPart(inner, { ...turn, role: 'user' }, unsupported)
      break
    case 'serverTool':
      unsupported.report.add('serverTool')
      break
    case 'opaque':
      // State an assistant's turn carries for its issuer alone; what a user's turn holds was meant to be read.
      if (part.of !== 'chat')
        (turn.role === 'assistant' ? unsupported.report : unsupported.refuse).add('opaque')
      break
    default:
  }
}

function unsupportedOfMedia(
  part: Extract<Part, { kind: 'media' }>,
  turn: Turn,
  unsupported: UnsupportedSets,
): void {
  const { type, source } = part
  const named = 'id' in source
  if (named && source.of !== 'chat') unsupported.refuse.add('media.id')
  else if (named && (type === 'image' || type === 'video')) unsupported.refuse.add('media.id')
  else if ('url' in source && (type === 'file' || type === 'audio'))
    unsupported.refuse.add('media.url')
  else if (turn.role === 'assistant' && !named) unsupported.report.add('media')
}
