/**
 * What a responses request cannot express, as data. `refuse` changes the meaning, so another channel is tried or the client
 * gets an error; `report` is cosmetic and named in a response header. Decisions worth knowing: an answer that runs on behind
 * a stop word is another answer, so stop words are refused, as is a bias over tokens; penalties, the seed and top_k are
 * tuning and reported; a thinking budget becomes a word for effort; marks for the cache change the bill and not the answer.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import {
  holdsForeignOpaque,
  isAnswer,
  nestedParts,
  partsOf,
  refuse,
  report,
  somePart,
  type UnsupportedField,
  type UnsupportedFields,
  unsupportedFieldsOf,
} from '../../../kernel/toolkit/format/index.js'
import { writeAnnotation } from './citations.js'
import { mediaContent } from './encode-content.js'
import { encodeEffort, outputTokensMin } from './encode-request.js'

export const unsupported: readonly UnsupportedField[] = [
  refuse('sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1),
  refuse('sampling.stop', ({ sampling }) => (sampling.stop ?? []).length > 0),
  refuse('sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0),
  refuse('modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false),
  refuse('audio', ({ audio }) => audio !== undefined),
  refuse('media.image', someMedia('image')),
  refuse('media.audio', ({ turns }) => turns.some(hasForeignAudio)),
  refuse('media.video', someMedia('video')),
  refuse('media.file', someMedia('file')),
  refuse('opaque', ({ turns }) =>
    turns.some((turn) => !isAnswer(turn) && holdsForeignOpaque(turn, 'responses')),
  ),
  report('sampling.topK', ({ sampling }) => sampling.topK !== undefined),
  report('sampling.seed', ({ sampling }) => sampling.seed !== undefined),
  report('sampling.presencePenalty', ({ sampling }) => (sampling.presencePenalty ?? 0) !== 0),
  report('sampling.frequencyPenalty', ({ sampling }) => (sampling.frequencyPenalty ?? 0) !== 0),
  report('limit', ({ limit, only }) => {
    return only?.responses === undefined && limit !== undefined && limit.tokens < outputTokensMin
  }),
  report('reasoning.effort', (call) => isOtherEffort(call)),
  report('reasoning.budget', ({ reasoning }) => reasoning?.budget !== undefined),
  report('reasoning.off', ({ reasoning }) => reasoning?.off === true && !reasoning.effort),
  report('reasoning.history', somePart(isForeignReasoning)),
  report('turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined)),
  // The words of an answer are text; images and audio of earlier turns have no place among them.
  report('media', ({ turns }) => turns.some((turn) => isAnswer(turn) && holdsMedia(turn))),
  report(
    'toolResult.failed',
    somePart((part) => part.kind === 'toolResult' && part.failed === true),
  ),
  // State an answer carries for its issuer alone; what stands in other turns was meant to be read.
  report('opaque', ({ turns }) =>
    turns.some((turn) => isAnswer(turn) && holdsForeignOpaque(turn, 'responses')),
  ),
  // What an upstream's own tool found is in the words of the answer it was found for.
  report(
    'serverTool',
    somePart((part) => part.kind === 'serverTool' && isForeign(part.of)),
  ),
  report('citations', somePart(hasForeignCitations)),
  report('cache', (call) => hasCacheMarks(call)),
]

export function unsupportedFields(call: Call): UnsupportedFields {
  return unsupportedFieldsOf('responses', unsupported, call)
}

function isOtherEffort(call: Call): boolean {
  const requested = call.reasoning?.effort
  return requested !== undefined && encodeEffort(call) !== requested
}

/** Media of this type that the model was meant to see and cannot be shown. */
function someMedia(type: 'image' | 'file' | 'video'): UnsupportedField['when'] {
  return ({ turns }) =>
    turns.some((turn) => {
      if (isAnswer(turn)) return false
      for (const part of nestedParts(turn.parts)) {
        if (part.kind === 'media' && part.type === type && !mediaContent(part)) return true
      }
      return false
    })
}

/** Audio has a place in a user turn; the output of a tool has none for it. */
function hasForeignAudio(turn: Turn): boolean {
  if (isAnswer(turn)) return false
  return turn.parts.some((part) =>
    part.kind === 'toolResult'
      ? part.parts.some((inner) => inner.kind === 'media' && inner.type === 'audio')
      : part.kind === 'media' && part.type === 'audio' && mediaContent(part) === undefined,
  )
}

function isForeign(of: Issuer): boolean {
  return of !== 'responses'
}

function holdsMedia({ parts }: Turn): boolean {
  return parts.some(({ kind }) => kind === 'media')
}

function isForeignReasoning({ kind, seal, only }: Part): boolean {
  if (kind !== 'reasoning') return false
  return seal === undefined ? only?.responses === undefined : isForeign(seal.by)
}

function hasForeignCitations(part: Part): boolean {
  return part.kind === 'text' && (part.citations ?? []).some((one) => !writeAnnotation(one))
}

function hasCacheMarks({ turns, tools }: Call): boolean {
  for (const part of partsOf(turns)) if (part.cache !== undefined) return true
  return tools.some((tool) => tool.kind === 'function' && tool.cache !== undefined)
}
