/** What a request of `/api/chat` expresses of a call, and what of that it cannot express after all. */
import type { Call, Turn } from '../../../kernel/contract/call.js'
import { isObject } from '../../../kernel/contract/json.js'
import type { Adapter, Expressible } from '../../../kernel/contract/provider.js'
import { hasUnreadableInput, somePart } from '../../../kernel/toolkit/format/index.js'
import { droppedOptions, isContextSize } from './options.js'
import { isGiven } from './requested.js'
import { lostThinking } from './thinking.js'

export const expresses: readonly Expressible[] = [
  'system',
  'tools',
  'toolChoice',
  'image',
  'output.json',
  'output.schema',
  'reasoning',
  'reasoning.history',
  'limit',
  'sampling.temperature',
  'sampling.topP',
  'sampling.topK',
  'sampling.seed',
  'sampling.presencePenalty',
  'sampling.frequencyPenalty',
  'sampling.stop',
]

export const unsupportedFields: Adapter['unsupportedFields'] = (call) => ({
  refuse: [
    ...(forcesTool(call) ? ['toolChoice'] : []),
    ...(call.turns.some(showsUnshowable) ? ['media'] : []),
    ...(callsInForeignWords(call) ? ['toolCall.input'] : []),
    ...malformed(call),
  ],
  report: [
    ...droppedOptions(call).map((name) => `options.${name}`),
    ...lostThinking(call.reasoning),
  ],
})

const callsInForeignWords = somePart(hasUnreadableInput)

/** The server has no word for it, and a model that is free may answer without the tool. */
function forcesTool({ toolChoice }: Call): boolean {
  return toolChoice?.kind === 'required' || toolChoice?.kind === 'named'
}

/** Images are shown by their bytes, and not by the tools of a client or by the model. */
function showsUnshowable({ role, parts }: Turn): boolean {
  return parts.some((part) => {
    if (part.kind === 'toolResult') return part.parts.some(({ kind }) => kind === 'media')
    return part.kind === 'media' && (role === 'assistant' || !('base64' in part.source))
  })
}

function malformed({ only }: Call): readonly string[] {
  const { options, num_ctx: size } = only?.chat ?? {}
  if (!isContextSize(size)) return ['num_ctx']
  if (!isGiven(options)) return []
  return isObject(options) && isContextSize(options.num_ctx) ? [] : ['options']
}
