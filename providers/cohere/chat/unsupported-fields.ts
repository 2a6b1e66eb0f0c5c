/** What a request of this service expresses of a call, and what of that it cannot express after all. */
import type { Call, Turn } from '../../../kernel/contract/call.js'
import type { Adapter, Expressible } from '../../../kernel/contract/provider.js'

export const expresses: readonly Expressible[] = [
  'system',
  'tools',
  'toolChoice',
  'image',
  'media.detail',
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
    ...(namesUnknownTool(call) ? ['toolChoice'] : []),
    ...(call.turns.some(showsUnshowable) ? ['media'] : []),
  ],
  report: [
    ...(hasSteps(call) ? ['reasoning.effort'] : []),
    ...(call.reasoning?.summary === undefined ? [] : ['reasoning.summary']),
  ],
})

/** Only the one tool is offered then; without it the model would be free. */
function namesUnknownTool({ toolChoice, tools }: Call): boolean {
  return toolChoice?.kind === 'named' && !tools.some(({ name }) => name === toolChoice.name)
}

/** It knows a budget, but no efforts. */
function hasSteps({ reasoning }: Call): boolean {
  return reasoning?.effort !== undefined && reasoning.effort !== 'none'
}

/** Images are shown by users only, by their bytes or their address. */
function showsUnshowable({ role, parts }: Turn): boolean {
  return parts.some((part) => {
    if (part.kind === 'toolResult') return part.parts.some(({ kind }) => kind === 'media')
    return part.kind === 'media' && (role !== 'user' || 'id' in part.source)
  })
}
