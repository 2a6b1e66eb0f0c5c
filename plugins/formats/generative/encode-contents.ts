/**
 * Canonical turns as `systemInstruction` and `contents`. What a client of this format wrote stays as it stood. Turns of
 * others follow the format's rules: instructions stand beside the conversation, the first turn is the user's, the results of
 * calls follow them at once, in their order and in a content of their own.
 */
import type { Call, Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { type EncodeContext, encodeParts } from './encode-part.js'
import { present } from './fields.js'
import { isThirdGeneration } from './generation.js'
import { isOwn } from './leftovers.js'
import { placeholder } from './seal.js'

/** The first user turn where the conversation has none; the table of unsupported fields names it as `turns.first`. */
const filler = 'Continue.'

export interface EncodedTurns {
  readonly systemInstruction?: JsonObject
  readonly contents: readonly JsonObject[]
}

export function encodeTurns({ turns, model }: Pick<Call, 'turns' | 'model'>): EncodedTurns {
  const context = { model, names: toolNames(turns) }
  const drafts = drafted(turns.filter((turn) => !isInstruction(turn)))
  const contents = drafts
    .map((draft) => encodeDraft(draft, context))
    .filter((content) => content !== undefined)
  if (lacksUser(drafts)) contents.unshift({ role: 'user', parts: [{ text: filler }] })
  return present({ systemInstruction: instruction(turns.filter(isInstruction), context), contents })
}

export function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

/** The first word would not be the user's, so one is put before it. */
export function needsFiller(turns: readonly Turn[]): boolean {
  return lacksUser(drafted(turns.filter((turn) => !isInstruction(turn))))
}

export function toolNames(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { parts } of turns) {
    for (const part of parts) if (part.kind === 'toolCall') names.set(part.id, part.name)
  }
  return names
}

function instruction(turns: readonly Turn[], context: EncodeContext): JsonObject | undefined {
  const parts = encodeParts(
    turns.flatMap((turn) => turn.parts),
    context,
  )
  const left = Object.assign({}, ...turns.map(({ only }) => only?.generative ?? {}))
  return parts.length === 0 ? undefined : { ...left, parts }
}

/** One content in the making. */
interface Draft {
  readonly role: 'user' | 'model'
  readonly kind: 'own' | 'words' | 'results'
  readonly parts: Part[]
  readonly left?: JsonObject
}

function drafted(turns: readonly Turn[]): Draft[] {
  const drafts: Draft[] = []
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'model' : 'user'
    if (isOwn(turn)) {
      drafts.push({ role, kind: 'own', parts: [...turn.parts], left: turn.only?.generative })
      continue
    }
    const results = turn.parts.filter(isResult)
    const words = turn.parts.filter((part) => !isResult(part))
    if (results.length > 0) addResults(drafts, results)
    if (words.length > 0) addWords(drafts, role, words)
  }
  return drafts.filter((draft) => draft.kind === 'own' || draft.parts.some(saysSomething))
}

function isResult({ kind }: Part): boolean {
  return kind === 'toolResult'
}

function saysSomething(part: Part): boolean {
  return part.kind === 'text' || part.kind === 'refusal' ? part.text !== '' : true
}

function addWords(drafts: Draft[], role: Draft['role'], words: readonly Part[]): void {
  const last = drafts.at(-1)
  if (last?.kind === 'words' && last.role === role) last.parts.push(...words)
  else drafts.push({ role, kind: 'words', parts: [...words] })
}

/** Behind the model's last content, whatever user turns stand in between. */
function addResults(drafts: Draft[], results: readonly Part[]): void {
  const calling = drafts.findLastIndex(({ role }) => role === 'model')
  let draft = drafts[calling + 1]
  if (draft?.kind !== 'results') {
    draft = { role: 'user', kind: 'results', parts: [] }
    drafts.splice(calling + 1, 0, draft)
  }
  draft.parts.push(...results)
  const order = (drafts[calling]?.parts ?? []).flatMap((part) =>
    part.kind === 'toolCall' ? [part.id] : [],
  )
  draft.parts.sort((one, other) => placeOf(one, order) - placeOf(other, order))
}

function placeOf(part: Part, order: readonly string[]): number {
  const place = part.kind === 'toolResult' ? order.indexOf(part.callId) : -1
  return place === -1 ? order.length : place
}

function encodeDraft(
  { role, kind, parts, left }: Draft,
  context: EncodeContext,
): JsonObject | undefined {
  const encoded = encodeParts(parts, context)
  if (kind === 'own') return { role, ...left, parts: encoded }
  if (encoded.length === 0) return undefined
  if (kind === 'results') return { role, parts: responsesFirst(encoded) }
  const calls = role === 'model' && isThirdGeneration(context.model)
  return { role, parts: calls ? signed(encoded) : encoded }
}

function responsesFirst(parts: readonly JsonObject[]): JsonObject[] {
  const isResponse = ({ functionResponse }: JsonObject) => functionResponse !== undefined
  return [...parts.filter(isResponse), ...parts.filter((part) => !isResponse(part))]
}

/** From the third generation on the service requires a signature on the first call of a step. */
function signed(parts: readonly JsonObject[]): readonly JsonObject[] {
  const isCall = ({ functionCall }: JsonObject) => functionCall !== undefined
  const isSigned = (part: JsonObject) => isCall(part) && part.thoughtSignature !== undefined
  const first = parts.findIndex(isCall)
  if (first === -1 || parts.some(isSigned)) return parts
  return parts.map((part, at) => (at === first ? { ...part, thoughtSignature: placeholder } : part))
}

function lacksUser(drafts: readonly Draft[]): boolean {
  const [first] = drafts
  return first === undefined || (first.role === 'model' && first.kind !== 'own')
}
