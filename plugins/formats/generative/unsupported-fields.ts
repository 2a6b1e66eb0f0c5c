/**
 * What a generative request cannot express, as data. `refuse` changes the meaning, so another channel is tried or the client
 * gets an error; `report` is cosmetic and named in a response header. Decisions worth knowing: audio out is refused, since
 * neither voices nor the requested container exist here; calls side by side cannot be switched off and that is reported, as
 * the client may run them one by one; a tool's `strict` is tuning.
 */
import type { Call, Turn } from '../../../kernel/contract/call.js'
import type { Issuer } from '../../../kernel/contract/names.js'
import {
  hasUnreadableInput,
  holdsForeignOpaque,
  isAnswer,
  partsOf,
  refuse,
  report,
  somePart,
  type UnsupportedField,
  type UnsupportedFields,
  unsupportedFieldsOf,
} from '../../../kernel/toolkit/format/index.js'
import { isInstruction, needsFiller, toolNames } from './encode-contents.js'
import { isKeptThought, resultName } from './encode-part.js'
import { isOwn } from './leftovers.js'
import { writeMedia } from './media.js'
import { planThinking } from './thinking.js'

/** The most the service takes of each. */
const stopWordsMax = 5
const choicesMax = 8

const modalities: ReadonlySet<string> = new Set(['text', 'image', 'audio'])

export const unsupported: readonly UnsupportedField[] = [
  refuse('sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > choicesMax),
  refuse('sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0),
  refuse('sampling.stop', ({ sampling }) => cannotStop(sampling.stop ?? [])),
  refuse('modalities', (call) => call.modalities?.some((word) => !modalities.has(word)) ?? false),
  refuse('audio', ({ audio }) => audio !== undefined),
  refuse(
    'media.id',
    somePart((part) => part.kind === 'media' && writeMedia(part) === undefined),
  ),
  refuse('toolCall.input', somePart(hasUnreadableInput)),
  refuse('toolResult.name', ({ turns }) => hasNamelessResult(turns)),
  refuse('opaque', ({ turns }) =>
    turns.some((turn) => !isAnswer(turn) && holdsForeignOpaque(turn, 'generative')),
  ),
  report(
    'parallelTools',
    ({ parallelTools, tools }) => parallelTools === false && tools.length > 0,
  ),
  report('tools.strict', ({ tools }) =>
    tools.some((tool) => tool.kind === 'function' && tool.strict === true),
  ),
  report('cache', holdsCacheMark),
  report('user', ({ user }) => user !== undefined),
  report('metadata', ({ metadata }) => Object.keys(metadata ?? {}).length > 0),
  report('output.name', ({ output }) => output?.kind === 'schema' && output.name !== undefined),
  report('reasoning.off', (call) => thinkingField(call) === 'reasoning.off'),
  report('reasoning.budget', (call) => thinkingField(call) === 'reasoning.budget'),
  report('reasoning.effort', (call) => thinkingField(call) === 'reasoning.effort'),
  // Thoughts come with the answer wherever the model thinks.
  report(
    'reasoning.summary',
    ({ reasoning }) => reasoning?.summary !== undefined && reasoning.off === true,
  ),
  report(
    'reasoning.history',
    somePart((part) => part.kind === 'reasoning' && !isKeptThought(part)),
  ),
  report('turns.system', ({ turns }) => hasLateInstruction(turns)),
  report('turns.first', ({ turns }) => needsFiller(turns)),
  report('turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined)),
  report(
    'refusal',
    somePart((part) => part.kind === 'refusal'),
  ),
  // State an answer carries for its issuer alone; what stands in other turns was meant to be read.
  report('opaque', ({ turns }) =>
    turns.some((turn) => isAnswer(turn) && holdsForeignOpaque(turn, 'generative')),
  ),
  report(
    'media.detail',
    somePart((part) => part.kind === 'media' && (part.detail ?? 'auto') !== 'auto'),
  ),
  report(
    'media.name',
    somePart((part) => part.kind === 'media' && part.name !== undefined && !isOwn(part)),
  ),
  // What an upstream's own tool found is in the words of the answer it was found for.
  report(
    'serverTool',
    somePart((part) => part.kind === 'serverTool' && isForeign(part.of)),
  ),
  report(
    'citations',
    somePart((part) => part.kind === 'text' && (part.citations ?? []).length > 0),
  ),
]

export function unsupportedFields(call: Call): UnsupportedFields {
  return unsupportedFieldsOf('generative', unsupported, call)
}

function cannotStop(words: readonly string[]): boolean {
  return words.length > stopWordsMax || words.includes('')
}

/** A configuration of a client of this format goes back as it came. */
function thinkingField(call: Call): string | undefined {
  const own = call.only?.generative ?? {}
  return 'generationConfig.thinkingConfig' in own ? undefined : planThinking(call).lost
}

function holdsCacheMark({ turns, tools }: Call): boolean {
  if (tools.some((tool) => tool.kind === 'function' && tool.cache !== undefined)) return true
  for (const { cache } of partsOf(turns)) if (cache !== undefined) return true
  return false
}

function hasNamelessResult(turns: readonly Turn[]): boolean {
  const names = toolNames(turns)
  for (const part of partsOf(turns)) {
    if (part.kind === 'toolResult' && resultName(part, names) === undefined) return true
  }
  return false
}

function isForeign(of: Issuer): boolean {
  return of !== 'generative'
}

function hasLateInstruction(turns: readonly Turn[]): boolean {
  const firstSpoken = turns.findIndex((turn) => !isInstruction(turn))
  return firstSpoken !== -1 && turns.slice(firstSpoken).some(isInstruction)
}
