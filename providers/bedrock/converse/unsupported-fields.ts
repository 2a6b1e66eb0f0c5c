/** What a Converse request expresses of a call for a family of models, and what of that it cannot express after all. */
import type { Call } from '../../../kernel/contract/call.js'
import type { Adapter, Expressible } from '../../../kernel/contract/provider.js'
import { hasUnreadableInput, partsOf, somePart } from '../../../kernel/toolkit/format/index.js'
import type { Family } from './family.js'
import { mediaBlock } from './media.js'
import { functionsOf, mustTellTools } from './parts.js'
import { answersByTool, schemaOf } from './schema-tool.js'
import { schemaGap } from './tool-schema.js'

const all: readonly Expressible[] = [
  'system',
  'tools',
  'toolChoice',
  'image',
  'audio',
  'video',
  'file',
  'limit',
  'sampling.temperature',
  'sampling.topP',
  'sampling.stop',
]

export function expressesOf(family: Family): readonly Expressible[] {
  return [
    ...all,
    ...(family.failedResults === true ? (['toolResult.failed'] as const) : []),
    ...(family.structured === true || answersByTool(family) ? (['output.schema'] as const) : []),
    ...(family.effort === undefined ? [] : (['reasoning'] as const)),
    ...(family.topK === undefined ? [] : (['sampling.topK'] as const)),
    ...(family.caches === undefined ? [] : (['cache'] as const)),
  ]
}

export function unsupportedFieldsOf(family: Family): Adapter['unsupportedFields'] {
  return (call) => {
    const told = mustTellTools(call)
    const gaps = functionsOf(call).map(({ schema }) => schemaGap(schema, family))
    return {
      refuse: [
        ...(family.tools === 'none' && functionsOf(call).length > 0 ? ['tools'] : []),
        ...(ordersInVain(call, family) ? ['toolChoice'] : []),
        ...(gaps.includes('refuse') ? ['tools.schema'] : []),
        ...(answersInVain(call, family) ? ['output'] : []),
        ...(showsUnshowable(call) ? ['media'] : []),
        ...(!told && callsInForeignWords(call) ? ['toolCall.input'] : []),
      ],
      report: [
        ...(told ? ['toolCall'] : []),
        ...(gaps.includes('report') ? ['tools.schema'] : []),
        ...(outputGap(call, family) === 'report' ? ['output.schema'] : []),
        ...(isStrict(call) && family.structured !== true ? ['tools.strict'] : []),
        ...(lastsTooLong(call, family) ? ['cache.ttl'] : []),
        ...(call.reasoning?.summary === undefined ? [] : ['reasoning.summary']),
        ...(cannotSwitchOff(call, family) ? ['reasoning'] : []),
      ],
    }
  }
}

const showsUnshowable = somePart((part) => part.kind === 'media' && mediaBlock(part) === undefined)
const callsInForeignWords = somePart(hasUnreadableInput)

function ordersInVain({ toolChoice }: Call, { choices = [] }: Family): boolean {
  const kind = toolChoice?.kind
  return (kind === 'required' || kind === 'named') && !choices.includes(kind)
}

/** A tool that is the answer leaves no other to be called, and has to be of the form tools have. */
function answersInVain(call: Call, family: Family): boolean {
  if (!answersByTool(family) || schemaOf(call.output) === undefined) return false
  return functionsOf(call).length > 0 || outputGap(call, family) === 'refuse'
}

function outputGap({ output }: Call, family: Family): 'refuse' | 'report' | undefined {
  return answersByTool(family) ? schemaGap(schemaOf(output), family) : undefined
}

function isStrict(call: Call): boolean {
  return functionsOf(call).some(({ strict }) => strict === true)
}

/** A mark goes out without its hour; a tool's mark, where tools take none, not at all. */
function lastsTooLong(call: Call, { caches, longCache }: Family): boolean {
  if (caches === undefined || longCache === true) return false
  const ofTools = functionsOf(call).some(({ cache }) => cache !== undefined)
  return ofTools || [...partsOf(call.turns)].some(({ cache }) => cache?.ttl === '1h')
}

function cannotSwitchOff({ reasoning }: Call, { effort }: Family): boolean {
  return effort === 'gpt-oss' && (reasoning?.off === true || reasoning?.effort === 'none')
}
