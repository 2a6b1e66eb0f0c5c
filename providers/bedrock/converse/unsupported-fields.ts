/** What a Converse request expresses of a call, and what of that it cannot express after all. */
import type { Call } from '../../../kernel/contract/call.js'
import type { Adapter, Expressible } from '../../../kernel/contract/provider.js'
import { hasUnreadableInput, somePart } from '../../../kernel/toolkit/format/index.js'
import { mediaBlock } from './media.js'
import { modelFields, thinksByEffort } from './model-fields.js'
import { holdsTools } from './parts.js'

export const expresses: readonly Expressible[] = [
  'system',
  'tools',
  'toolChoice',
  'toolResult.failed',
  'image',
  'audio',
  'video',
  'file',
  'output.schema',
  'reasoning',
  'limit',
  'sampling.temperature',
  'sampling.topP',
  'sampling.topK',
  'sampling.stop',
  'cache',
]

export const unsupportedFields: Adapter['unsupportedFields'] = (call) => ({
  refuse: [
    ...(call.toolChoice?.kind === 'none' && holdsTools(call) ? ['toolChoice'] : []),
    ...(showsUnshowable(call) ? ['media'] : []),
    ...(callsInForeignWords(call) ? ['toolCall.input'] : []),
  ],
  report: [
    ...(losesTopK(call) ? ['sampling.topK'] : []),
    ...(call.reasoning !== undefined && !thinksByEffort(call.model) ? ['reasoning'] : []),
    ...(call.reasoning?.summary === undefined ? [] : ['reasoning.summary']),
  ],
})

const showsUnshowable = somePart((part) => part.kind === 'media' && mediaBlock(part) === undefined)
const callsInForeignWords = somePart(hasUnreadableInput)

/** Only some makers' models take it. */
function losesTopK(call: Call): boolean {
  if (call.sampling.topK === undefined) return false
  return modelFields({ ...call, reasoning: undefined }) === undefined
}
