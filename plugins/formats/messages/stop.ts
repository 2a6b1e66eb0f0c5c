/** Reasons for stopping, in the words of the messages format and in canonical ones. */
import type { Stop } from '../../../kernel/contract/event.js'

const canonical: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  stop_sequence: 'stopSequence',
  max_tokens: 'length',
  tool_use: 'tool',
  refusal: 'refusal',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context',
}

const words: Readonly<Record<Stop, string>> = {
  end: 'end_turn',
  stopSequence: 'stop_sequence',
  length: 'max_tokens',
  tool: 'tool_use',
  refusal: 'refusal',
  filter: 'refusal',
  pause: 'pause_turn',
  context: 'model_context_window_exceeded',
  malformedTool: 'end_turn',
  other: 'end_turn',
}

export function readStop(word: string): Stop {
  return Object.hasOwn(canonical, word) ? canonical[word]! : 'other'
}

export function writeStop(reason: Stop): string {
  return words[reason]
}
