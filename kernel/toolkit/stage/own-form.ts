/**
 * What an upstream with a form of its own loses of a call: all that its adapter does not declare, and what it
 * names besides. An adapter that declares nothing is safe: the call is refused or reported, and nothing is lost unseen (FMT-9).
 */
import type { Call, Part } from '../../contract/call.js'
import type { Issuer } from '../../contract/names.js'
import type { Adapter, Expressible } from '../../contract/provider.js'
import { unsupportedHostedTools } from '../format/hosted-tools.js'
import { holdsForeignOpaque, isAnswer } from '../format/part-checks.js'
import {
  isForcedWithoutTools,
  leftovers,
  meaningful,
  partsOf,
  refuse,
  report,
  somePart,
  type UnsupportedField,
  type UnsupportedFields,
} from '../format/unsupported-fields.js'
import { ownCall } from './own-call.js'

export function ownFormUnsupportedFields(adapter: OwnForm, call: Call): UnsupportedFields {
  const { expresses = [], ownFields = [], unsupportedFields, issuer } = adapter
  const expressed = new Set<string>(expresses)
  const requested = withoutIdle(call, expressed)
  const lost = table.filter(([word, { when }]) => !expressed.has(word) && when(requested))
  const named = (kind: UnsupportedField['kind']) =>
    lost.filter(([, loss]) => loss.kind === kind).map(([, { field }]) => field)
  const { refuse, report } = unsupportedFields?.(ownCall(call, adapter)) ?? nothing
  const hosted = expressed.has('serverTools') ? nothing : unsupportedHostedTools(undefined, call)
  const isOwn = (owner: string, field: string, isTop: boolean) =>
    owner === issuer || (isTop && owner === 'chat' && ownFields.includes(field))
  const left = leftovers(undefined, call, isOwn)
  return {
    refuse: once([
      ...hosted.refuse,
      ...named('refuse'),
      ...(holdsOpaque(call, issuer, false) ? ['opaque'] : []),
      ...(isForcedWithoutTools(call) ? ['toolChoice'] : []),
      ...refuse,
      ...left.filter((field) => meaningful.has(field)),
    ]),
    report: once([
      ...hosted.report,
      ...named('report'),
      ...(holdsOpaque(call, issuer, true) ? ['opaque'] : []),
      ...report,
      ...left.filter((field) => !meaningful.has(field)),
    ]),
  }
}

const nothing: UnsupportedFields = { refuse: [], report: [] }

function once(fields: readonly string[]): readonly string[] {
  return [...new Set(fields)]
}

export type OwnForm = Pick<Adapter, 'expresses' | 'ownFields' | 'unsupportedFields' | 'issuer'>

const offersFunctions = ({ tools }: Call) => tools.some(({ kind }) => kind === 'function')
const shows = (type: string) => somePart((part) => part.kind === 'media' && part.type === type)
const holds = (kind: Part['kind']) => somePart((part) => part.kind === kind)

const table: readonly (readonly [word: Expressible, loss: UnsupportedField])[] = [
  ['system', refuse('turns.system', ({ turns }) => turns.some(({ role }) => instructs.has(role)))],
  ['tools', refuse('tools', offersFunctions)],
  ['tools', refuse('toolCall', holds('toolCall'))],
  ['tools', refuse('toolResult', holds('toolResult'))],
  ['toolChoice', refuse('toolChoice', (call) => offersFunctions(call) && isStrict(call))],
  [
    'parallelTools',
    report('parallelTools', (call) => call.parallelTools === false && offersFunctions(call)),
  ],
  [
    'toolResult.failed',
    report(
      'toolResult.failed',
      somePart((part) => part.kind === 'toolResult' && part.failed === true),
    ),
  ],
  ['serverTools', report('serverTool', holds('serverTool'))],
  ['image', refuse('media', shows('image'))],
  ['audio', refuse('media', shows('audio'))],
  ['video', refuse('media', shows('video'))],
  ['file', refuse('media', shows('file'))],
  [
    'media.detail',
    report(
      'media.detail',
      somePart((part) => part.kind === 'media' && (part.detail ?? 'auto') !== 'auto'),
    ),
  ],
  ['output.json', refuse('output', ({ output }) => output?.kind === 'json')],
  ['output.schema', refuse('output', ({ output }) => output?.kind === 'schema')],
  [
    'modalities',
    refuse('modalities', ({ modalities = [] }) => modalities.some((word) => word !== 'text')),
  ],
  ['modalities', refuse('audio', ({ audio }) => audio !== undefined)],
  ['reasoning', report('reasoning', ({ reasoning }) => reasoning !== undefined)],
  ['reasoning.history', report('reasoning.history', holds('reasoning'))],
  ['sampling.choices', refuse('sampling.choices', ({ sampling }) => (sampling.choices ?? 1) > 1)],
  [
    'sampling.logprobs',
    refuse('sampling.logprobs', ({ sampling }) => sampling.logprobs !== undefined),
  ],
  [
    'sampling.logitBias',
    refuse('sampling.logitBias', ({ sampling }) => !isEmpty(sampling.logitBias)),
  ],
  ['sampling.stop', refuse('sampling.stop', ({ sampling }) => (sampling.stop ?? []).length > 0)],
  ['limit', report('limit', ({ limit }) => limit !== undefined)],
  ...(['temperature', 'topP', 'topK', 'seed'] as const).map(tuning((value) => value !== undefined)),
  ...(['presencePenalty', 'frequencyPenalty'] as const).map(tuning((value) => (value ?? 0) !== 0)),
  ['user', report('user', ({ user }) => user !== undefined)],
  ['metadata', report('metadata', ({ metadata }) => !isEmpty(metadata))],
  ['turns.name', report('turns.name', ({ turns }) => turns.some(({ name }) => name !== undefined))],
  ['cache', report('cache', isCached)],
]

const instructs: ReadonlySet<string> = new Set(['system', 'developer'])

type Tuned = 'temperature' | 'topP' | 'topK' | 'seed' | 'presencePenalty' | 'frequencyPenalty'

function tuning(isSet: (value: number | undefined) => boolean) {
  return (name: Tuned) => {
    const field = `sampling.${name}` as const
    return [field, report(field, ({ sampling }) => isSet(sampling[name]))] as const
  }
}

/** Auto is what an upstream does that knows no choice. */
function isStrict({ toolChoice }: Call): boolean {
  return toolChoice !== undefined && toolChoice.kind !== 'auto'
}

function isCached({ turns, tools }: Call): boolean {
  for (const { cache } of partsOf(turns)) if (cache !== undefined) return true
  return tools.some((tool) => tool.kind === 'function' && tool.cache !== undefined)
}

/** No upstream knows what stands in the words of another; what an answer carried for its issuer alone may go. */
function holdsOpaque({ turns }: Call, issuer: Issuer | undefined, inAnswers: boolean): boolean {
  return turns.some((turn) => isAnswer(turn) === inAnswers && holdsForeignOpaque(turn, issuer))
}

function isEmpty(object: object | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0
}

/** Functions that must not be called need not be described. */
function withoutIdle(call: Call, expressed: ReadonlySet<string>): Call {
  if (call.toolChoice?.kind !== 'none' || expressed.has('tools')) return call
  return { ...call, tools: call.tools.filter(({ kind }) => kind !== 'function') }
}
