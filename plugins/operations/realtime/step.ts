/** What the next answer may cost before the hold is looked at again. */
import type { Usage } from '../../../kernel/contract/event.js'

export interface StepOptions {
  /** Answers are spoken, with their words beside. */
  readonly spoken: boolean
  /** Limit the session sets to an answer. Absent: none. */
  readonly maxOutput?: number
  /** Usage of the answer before. Absent: this is the first. */
  readonly last?: Usage
}

/** Output one step pays for; a longer answer is covered as it is written. Spoken: some 50 seconds. */
const stepTokens = 1_024
/** Words beside so much speech. */
const wordTokens = 256
/** Speech of a minute and a short text: what comes in between two answers. */
const nextInput: Usage = { input: 256, inputAudio: 600 }

export function stepOf({ spoken, maxOutput, last }: StepOptions): Usage {
  const output = Math.min(maxOutput ?? stepTokens, stepTokens)
  const words = Math.min(wordTokens, output)
  const written = spoken ? { output: words, outputAudio: output } : { output }
  return { ...promptAfter(last), ...written, quantity: 1 }
}

/** The conversation is sent again with every answer; what was sent last is new in it. */
function promptAfter(last: Usage | undefined): Usage {
  if (last === undefined) return nextInput
  return {
    input: (last.input ?? 0) + (last.output ?? 0) + nextInput.input!,
    inputAudio: (last.inputAudio ?? 0) + (last.outputAudio ?? 0) + nextInput.inputAudio!,
    inputImage: last.inputImage ?? 0,
    cacheRead: last.cacheRead ?? 0,
  }
}
