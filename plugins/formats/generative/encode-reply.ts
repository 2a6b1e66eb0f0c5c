/**
 * Events folded to one generative body. They are written as the stream a client would get and put together as that
 * client would, so a body and its stream cannot differ.
 */
import type { Event } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { EventEncoder } from './encode-event.js'
import { numberOf, objectOf, objectsOf, present } from './fields.js'
import { readSeal } from './seal.js'

export function encodeReply(
  events: readonly Event[],
  call: Pick<Reader, 'model' | 'requestId'>,
): JsonObject {
  const encoder = new EventEncoder(call)
  return fold(events.flatMap((event) => encoder.encode(event)))
}

interface Candidate {
  readonly parts: JsonObject[]
  fields: JsonObject
}

function fold(chunks: readonly JsonObject[]): JsonObject {
  const byIndex = new Map<number, Candidate>()
  let last: JsonObject = {}
  for (const { candidates, ...rest } of chunks) {
    last = { ...last, ...present(rest) }
    for (const candidate of objectsOf(candidates)) add(byIndex, candidate)
  }
  const candidates = [...byIndex]
    .sort(([one], [other]) => one - other)
    .map(([index, { parts, fields }]) => ({ content: { parts, role: 'model' }, ...fields, index }))
  return { candidates, ...last }
}

function add(byIndex: Map<number, Candidate>, candidate: JsonObject): void {
  const { content, index, ...fields } = candidate
  const at = numberOf(index) ?? 0
  const found = byIndex.get(at) ?? { parts: [], fields: {} }
  byIndex.set(at, found)
  found.fields = { ...found.fields, ...fields }
  for (const part of objectsOf(objectOf(content)?.parts)) addPart(found.parts, part)
}

/** Pieces of one stretch of text become one part; what is signed stays a part of its own. */
function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1)
  if (part.text === '' && part.thoughtSignature === undefined) return
  if (last !== undefined && isPiece(last) && isPiece(part) && last.thought === part.thought) {
    parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` }
  } else if (last !== undefined && last.thought === true && isPiece(last) && sealsThought(part)) {
    parts[parts.length - 1] = { ...last, thoughtSignature: part.thoughtSignature }
  } else parts.push(part)
}

/**
 * The seal of another issuer is of the thought before it, and stands on it, since clients keep it with the part it came
 * on. The service's own signatures stand where the service puts them.
 */
function sealsThought({ text, thoughtSignature }: JsonObject): boolean {
  if (text !== '' || typeof thoughtSignature !== 'string') return false
  return readSeal(thoughtSignature).by !== 'generative'
}

function isPiece({ text, thought, ...rest }: JsonObject): boolean {
  return typeof text === 'string' && Object.keys(rest).length === 0
}
