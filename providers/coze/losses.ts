/**
 * What a bot cannot be asked. Its model, its tools and the shape of its answers are its maker's choice; how the model
 * is tuned is left out and reported.
 */
import type { Call, Part } from '../../kernel/contract/call.js'
import {
  type Loss,
  type Losses,
  ownFormLosses,
  refuse,
  report,
  somePart,
} from '../../kernel/wire/losses.js'
import { contentOf } from './content.js'

const instructs: ReadonlySet<string> = new Set(['system', 'developer'])

const losses: readonly Loss[] = [
  refuse('tools', ({ tools, toolChoice }) => tools.length > 0 && toolChoice?.kind !== 'none'),
  refuse('output', ({ output }) => output !== undefined && output.kind !== 'text'),
  refuse('modalities', ({ modalities }) => modalities?.some((word) => word !== 'text') ?? false),
  refuse('audio', ({ audio }) => audio !== undefined),
  refuse('sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1),
  refuse('sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined),
  refuse('sampling.logitBias', ({ sampling }) => Object.keys(sampling.logitBias ?? {}).length > 0),
  refuse('sampling.stop', ({ sampling }) => (sampling.stop ?? []).length > 0),
  refuse(
    'media',
    somePart((part) => part.kind === 'media' && contentOf(part).length === 0),
  ),
  refuse(
    'toolCall',
    somePart(({ kind }) => kind === 'toolCall'),
  ),
  refuse(
    'toolResult',
    somePart(({ kind }) => kind === 'toolResult'),
  ),
  refuse(
    'serverTool',
    somePart(({ kind }) => kind === 'serverTool'),
  ),
  refuse('opaque', ({ turns }) =>
    turns.some(({ role, parts }) => role !== 'assistant' && parts.some(isOpaque)),
  ),
  report('turns.system', ({ turns }) => turns.some(({ role }) => instructs.has(role))),
  report('limit', ({ limit }) => limit !== undefined),
  report('sampling.temperature', ({ sampling }) => sampling.temperature !== undefined),
  report('sampling.topP', ({ sampling }) => sampling.topP !== undefined),
  report('sampling.topK', ({ sampling }) => sampling.topK !== undefined),
  report('sampling.seed', ({ sampling }) => sampling.seed !== undefined),
  report('sampling.presencePenalty', ({ sampling }) => sampling.presencePenalty !== undefined),
  report('sampling.frequencyPenalty', ({ sampling }) => sampling.frequencyPenalty !== undefined),
  report('reasoning', ({ reasoning }) => reasoning !== undefined),
  report('metadata', ({ metadata }) => metadata !== undefined),
]

/** Fields of the service's own that clients of the chat format may send along. */
const own: ReadonlySet<string> = new Set(['custom_variables'])

export function cannotExpress(call: Call): Losses {
  return ownFormLosses(losses, own, call)
}

function isOpaque({ kind }: Part): boolean {
  return kind === 'opaque'
}
