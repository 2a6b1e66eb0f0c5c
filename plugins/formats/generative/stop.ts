/** Reasons for stopping, in the words of this format and in canonical ones. */
import type { Stop } from '../../../kernel/contract/event.js'

const canonical: Readonly<Record<string, Stop>> = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  MODEL_ARMOR: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  MALFORMED_FUNCTION_CALL: 'malformedTool',
  UNEXPECTED_TOOL_CALL: 'malformedTool',
  TOO_MANY_TOOL_CALLS: 'malformedTool',
}

const words: Readonly<Record<Stop, string>> = {
  end: 'STOP',
  stopSequence: 'STOP',
  length: 'MAX_TOKENS',
  tool: 'STOP',
  refusal: 'SAFETY',
  filter: 'SAFETY',
  pause: 'STOP',
  context: 'MAX_TOKENS',
  malformedTool: 'MALFORMED_FUNCTION_CALL',
  other: 'OTHER',
}

/** A call that is to be run ends with the plain word. */
export function readStop(word: string, calledTools: boolean): Stop {
  const reason = Object.hasOwn(canonical, word) ? canonical[word]! : 'other'
  return reason === 'end' && calledTools ? 'tool' : reason
}

/** The upstream's own word where it is one of this format. */
export function writeStop(reason: Stop, word: string): string {
  const known = Object.hasOwn(canonical, word)
  return known && readStop(word, reason === 'tool') === reason ? word : words[reason]
}
