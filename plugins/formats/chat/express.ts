/** What the chat format cannot say of a call, by the canonical field's name (the loss table of this format). */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import {
  carried,
  hostedLosses,
  isForcedWithoutTools,
  isSaidOtherwise,
  meaningful,
} from '../../../kernel/toolkit/format/index.js'
import { encodeEffort, stopWordsMax } from './encode-request.js'

interface Losses {
  /** Changes what is asked. */
  readonly refuse: Set<string>
  /** Does not. */
  readonly report: Set<string>
}

export function cannotExpress(call: Call) {
  const hosted = hostedLosses('chat', call)
  const losses: Losses = { refuse: new Set(hosted.refuse), report: new Set(hosted.report) }
  if (call.sampling.topK !== undefined) losses.report.add('sampling.topK')
  if (call.reasoning?.summary !== undefined) losses.report.add('reasoning.summary')
  if (call.reasoning?.off === true && call.reasoning.effort === undefined) {
    losses.report.add('reasoning.off')
  }
  if (isForcedWithoutTools(call)) losses.refuse.add('toolChoice')
  if ((call.sampling.stop?.length ?? 0) > stopWordsMax) losses.report.add('sampling.stop')
  if (isOtherEffort(call)) losses.report.add('reasoning.effort')
  foreign(call.only, '', losses, call)
  for (const tool of call.tools) {
    if (tool.kind === 'server') continue
    if (tool.cache !== undefined) losses.report.add('cache')
    foreign(tool.only, 'tools.', losses)
  }
  for (const turn of call.turns) turnLosses(turn, losses)
  return { refuse: [...losses.refuse], report: [...losses.report] }
}

function isOtherEffort(call: Call): boolean {
  const asked = call.reasoning?.effort
  return asked !== undefined && encodeEffort(call) !== asked
}

/** At the top level the call tells which fields are said in other words. */
function foreign(only: Call['only'], level: string, { refuse, report }: Losses, call?: Call): void {
  for (const [format, left] of Object.entries(only ?? {}) as [FormatName, JsonObject][]) {
    if (format === 'chat') continue
    for (const field of Object.keys(left)) {
      if (carried.has(`${level}${field}`)) continue
      if (call !== undefined && isSaidOtherwise('chat', format, field, call)) continue
      const losses = meaningful.has(`${level}${field}`) ? refuse : report
      losses.add(`${level}${field}`)
    }
  }
}

function turnLosses(turn: Turn, losses: Losses): void {
  foreign(turn.only, 'turns.', losses)
  for (const part of turn.parts) partLosses(part, turn, losses)
}

function partLosses(part: Part, turn: Turn, losses: Losses): void {
  if (part.cache !== undefined) losses.report.add('cache')
  foreign(part.only, 'parts.', losses)
  switch (part.kind) {
    case 'text':
      if (part.citations !== undefined) losses.report.add('citations')
      break
    case 'media':
      mediaLosses(part, turn, losses)
      break
    case 'toolResult':
      if (part.failed === true) losses.report.add('toolResult.failed')
      for (const inner of part.parts) partLosses(inner, { ...turn, role: 'user' }, losses)
      break
    case 'serverTool':
      losses.report.add('serverTool')
      break
    case 'opaque':
      // State an assistant's turn carries for its issuer alone; what a user's turn holds was meant to be read.
      if (part.of !== 'chat')
        (turn.role === 'assistant' ? losses.report : losses.refuse).add('opaque')
      break
    default:
  }
}

function mediaLosses(part: Extract<Part, { kind: 'media' }>, turn: Turn, losses: Losses): void {
  const { type, source } = part
  const named = 'id' in source
  if (named && source.of !== 'chat') losses.refuse.add('media.id')
  else if (named && (type === 'image' || type === 'video')) losses.refuse.add('media.id')
  else if ('url' in source && (type === 'file' || type === 'audio')) losses.refuse.add('media.url')
  else if (turn.role === 'assistant' && !named) losses.report.add('media')
}
