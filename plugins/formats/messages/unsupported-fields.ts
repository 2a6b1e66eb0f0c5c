/**
 * What a messages request cannot express, as data. `refuse` changes the meaning, so another channel is tried or the client
 * gets an error; `report` is cosmetic and named in a response header. Decisions worth knowing:
 * a temperature above 1 is refused, since any value in its place is another request, and a bias over tokens or a blank
 * stop word likewise; penalties and the seed are tuning and reported; JSON without a schema is requested by an instruction in words.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import {
  hasUnreadableInput,
  holdsForeignOpaque,
  isAnswer,
  refuse,
  report,
  somePart,
  strictSchema,
  type UnsupportedField,
  type UnsupportedFields,
  unsupportedFieldsOf,
} from '../../../kernel/toolkit/format/index.js'
import { isOwnCitation, writeSource } from './encode-content.js'
import { isInstruction, needsFiller } from './encode-turns.js'
import { isOwnReasoning, planThinking } from './thinking.js'

export const unsupported: readonly UnsupportedField[] = [
  refuse('sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1),
  refuse('sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined),
  refuse('sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0),
  refuse('sampling.temperature', (call) => (call.sampling.temperature ?? 0) > 1 && !thinks(call)),
  refuse('sampling.stop', ({ sampling }) => sampling.stop?.some(isBlank) ?? false),
  refuse('modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false),
  refuse('audio', ({ audio }) => audio !== undefined),
  refuse(
    'media.audio',
    somePart((part) => part.kind === 'media' && part.type === 'audio'),
  ),
  refuse(
    'media.video',
    somePart((part) => part.kind === 'media' && part.type === 'video'),
  ),
  refuse('media.file', somePart(isForeignFile)),
  refuse('toolCall.input', somePart(hasUnreadableInput)),
  refuse('opaque', ({ turns }) =>
    turns.some((turn) => !isAnswer(turn) && holdsForeignOpaque(turn, 'messages')),
  ),
  report('sampling.temperature', (call) => call.sampling.temperature !== undefined && thinks(call)),
  report('sampling.topP', (call) => call.sampling.topP !== undefined && thinks(call)),
  report('sampling.topK', (call) => call.sampling.topK !== undefined && thinks(call)),
  report('sampling.seed', ({ sampling }) => sampling.seed !== undefined),
  report('sampling.presencePenalty', ({ sampling }) => (sampling.presencePenalty ?? 0) !== 0),
  report('sampling.frequencyPenalty', ({ sampling }) => (sampling.frequencyPenalty ?? 0) !== 0),
  report('metadata', ({ metadata }) => Object.keys(metadata ?? {}).length > 0),
  // Asked for in words, which hold a model to it less than the upstream's own mode would.
  report('output', ({ output }) => output?.kind === 'json'),
  report('output.schema', changesSchema),
  report('tools.schema', ({ tools }) => tools.some(changesToolSchema)),
  report('output.name', ({ output }) => output?.kind === 'schema' && output.name !== undefined),
  report('reasoning', (call) => planThinking(call).lost === 'reasoning'),
  report('reasoning.budget', (call) => planThinking(call).lost === 'reasoning.budget'),
  // Where it thinks, its thoughts come with the answer.
  report(
    'reasoning.summary',
    (call) => call.reasoning?.summary !== undefined && !planThinking(call).on,
  ),
  report('turns.system', ({ turns }) => hasLateInstruction(turns)),
  report('turns.first', ({ turns }) => needsFiller(turns)),
  report('turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined)),
  report(
    'reasoning.history',
    somePart((part) => part.kind === 'reasoning' && !isOwnReasoning(part)),
  ),
  report(
    'refusal',
    somePart((part) => part.kind === 'refusal'),
  ),
  // State an answer carries for its issuer alone; what stands in other turns was meant to be read.
  report('opaque', ({ turns }) =>
    turns.some((turn) => isAnswer(turn) && holdsForeignOpaque(turn, 'messages')),
  ),
  report(
    'media.detail',
    somePart((part) => 'detail' in part && (part.detail ?? 'auto') !== 'auto'),
  ),
  // What an upstream's own tool found is in the words of the answer it was found for.
  report(
    'serverTool',
    somePart((part) => part.kind === 'serverTool' && isForeign(part.of)),
  ),
  report('citations', somePart(hasForeignCitations)),
]

export function unsupportedFields(call: Call): UnsupportedFields {
  return unsupportedFieldsOf('messages', unsupported, call)
}

/** Objects are closed and limits become words. */
function changesSchema({ output }: Call): boolean {
  if (output?.kind !== 'schema' || output.schema === undefined) return false
  return strictSchema(output.schema) !== output.schema
}

function changesToolSchema(tool: Call['tools'][number]): boolean {
  if (tool.kind !== 'function' || tool.strict !== true || tool.schema === undefined) return false
  return strictSchema(tool.schema) !== tool.schema
}

function thinks(call: Call): boolean {
  return planThinking(call).on
}

function isBlank(word: string): boolean {
  return word.trim() === ''
}

function isForeign(of: Issuer): boolean {
  return of !== 'messages'
}

function isForeignFile(part: Part): boolean {
  if (part.kind !== 'media' || (part.type !== 'file' && part.type !== 'image')) return false
  return writeSource(part) === undefined
}

function hasForeignCitations(part: Part): boolean {
  return part.kind === 'text' && (part.citations ?? []).some((citation) => !isOwnCitation(citation))
}

function hasLateInstruction(turns: readonly Turn[]): boolean {
  const firstSpoken = turns.findIndex((turn) => !isInstruction(turn))
  return firstSpoken !== -1 && turns.slice(firstSpoken).some(isInstruction)
}
