/**
 * Canonical parts as parts of a request. A part this format has no place for is left out here; the table of unsupported fields names it
 * before it comes to that.
 */
import type { Part } from '../../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { toolInput } from '../../../kernel/toolkit/format/index.js'
import { mintedPrefix } from './decode-part.js'
import { objectOf, present } from './fields.js'
import { isThirdGeneration } from './generation.js'
import { isOwn } from './leftovers.js'
import { writeMedia } from './media.js'
import { writeResponse } from './tool-result.js'

/** What a part needs to know of the conversation around it. */
export interface EncodeContext {
  readonly model: string
  /** Names of the tools that were called, by the id of the call. */
  readonly names: ReadonlyMap<string, string>
}

type Of<K extends Part['kind']> = Extract<Part, { kind: K }>

export function encodeParts(parts: readonly Part[], context: EncodeContext): JsonObject[] {
  return parts.flatMap((part) => encodePart(part, context))
}

function encodePart(part: Part, context: EncodeContext): JsonObject[] {
  if (part.kind === 'opaque') {
    return part.of === 'generative' && isObject(part.value) ? [part.value] : []
  }
  if (part.kind === 'toolResult') return toolResult(part, context)
  const data = dataOf(part)
  if (data === undefined) return []
  const seal = part.seal?.by === 'generative' ? { thoughtSignature: part.seal.value } : {}
  return [{ ...part.only?.generative, ...data, ...seal }]
}

function dataOf(part: Exclude<Part, Of<'opaque' | 'toolResult'>>): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
      return part.text !== '' || isOwn(part) ? { text: part.text } : undefined
    case 'refusal':
      return part.text === '' ? undefined : { text: part.text }
    case 'media':
      return writeMedia(part)
    case 'toolCall':
      return { functionCall: functionCall(part) }
    case 'reasoning':
      return thought(part)
    case 'serverTool':
      return part.of === 'generative' ? { executableCode: part.input } : undefined
  }
}

/** Thoughts of others are no help to the model and would be paid for as input. */
export function isKeptThought({ seal, only }: Of<'reasoning'>): boolean {
  return seal?.by === 'generative' || only?.generative !== undefined
}

function thought(part: Of<'reasoning'>): JsonObject | undefined {
  if (!isKeptThought(part)) return undefined
  const { text, seal } = part
  if (text !== undefined) return { text, thought: true }
  return seal?.by === 'generative' ? { text: '' } : undefined
}

function functionCall(part: Of<'toolCall'>): JsonObject {
  const id = idOf(part.id, part)
  return present({ id, name: part.name, args: toolInput(part.input) ?? {} })
}

/** The ids this format's own requests lack stay out again. */
function idOf(id: string, part: Part): string | undefined {
  return isOwn(part) && id.startsWith(mintedPrefix) ? undefined : id
}

/**
 * Media of a result stand inside it from the third generation on, which refuses them beside it; the models before
 * refuse them inside.
 */
function toolResult(part: Of<'toolResult'>, context: EncodeContext): JsonObject[] {
  const { functionResponse, response: wrapped, ...left } = part.only?.generative ?? {}
  const others = part.parts.filter(({ kind }) => kind === 'media' || kind === 'opaque')
  const media = encodeParts(others, context)
  const inside = isThirdGeneration(context.model) || isOwn(part)
  const response = present({
    ...objectOf(functionResponse),
    id: idOf(part.callId, part),
    name: resultName(part, context.names) ?? '',
    response: objectOf(wrapped) ?? writeResponse(part),
    parts: inside && media.length > 0 ? media : undefined,
  })
  return [{ ...left, functionResponse: response }, ...(inside ? [] : media)]
}

/** A result goes by the name of its tool; other formats carry only the id of the call. */
export function resultName(
  { name, callId }: Of<'toolResult'>,
  names: ReadonlyMap<string, string>,
): string | undefined {
  return names.get(callId) ?? name
}
