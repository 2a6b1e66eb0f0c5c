/**
 * The chat format where a service takes less of it than its maker: members of the request, of its messages and of its
 * tools that are refused, other names, and how instructions and contents must stand, by the facts its provider keeps.
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { objectsOf } from '../json/fields.js'
import { laterSystemLost, withOneSystem, withoutLaterSystem } from './system-turns.js'
import {
  changedEach,
  type Fact,
  isAbout,
  type MemberFact,
  type ModelFact,
  refusedMembers,
  withoutMembers,
} from './vendor-facts.js'

export interface ChatFacts {
  /** Members of the request that are refused. */
  readonly members?: readonly MemberFact[]
  /** Members of a message that are refused. */
  readonly messages?: readonly MemberFact[]
  /** Members of a message that have another name here. */
  readonly renamed?: readonly RenamedFact[]
  /** Words for `reasoning_effort`; the first that is about a model counts. Absent: it takes all. */
  readonly efforts?: readonly EffortFact[]
  /** Instructions stand at the head only, or are one message, the first. Absent: they stand anywhere. */
  readonly system?: ModelFact & { readonly stands: 'at the head' | 'alone' }
  /** Contents of texts alone are texts, and none is empty but never null. */
  readonly plainContent?: Fact
  /** Every function states its parameters. */
  readonly parameters?: Fact
}

interface EffortFact extends ModelFact {
  /** Any other is left out. */
  readonly known: readonly string[]
}

interface RenamedFact extends ModelFact {
  readonly from: string
  readonly to: string
}

/** What is lost, for `Adapter.refuses`. */
export function refusedInChat(
  facts: ChatFacts,
  wire: JsonObject,
  model: string,
): readonly string[] {
  const lost = [...refusedMembers(facts.members ?? [], wire, model)]
  if (!knowsEffort(facts, wire, model)) lost.push('reasoning_effort')
  const members = membersOf(facts.messages, model)
  if (members.length > 0) {
    const messages = objectsOf(wire.messages)
    const found = members.filter((name) => messages.some((one) => one[name] !== undefined))
    lost.push(...found.map((name) => `messages.${name}`))
  }
  if (facts.system !== undefined && isAbout(facts.system, model)) {
    lost.push(...laterSystemLost(wire))
  }
  return lost
}

function knowsEffort({ efforts }: ChatFacts, wire: JsonObject, model: string): boolean {
  const { reasoning_effort: effort } = wire
  if (efforts === undefined || typeof effort !== 'string') return true
  const fact = efforts.find((one) => isAbout(one, model))
  return fact === undefined || fact.known.includes(effort)
}

/** The request as the service takes it, for `Adapter.adjust`. The same object where nothing changes. */
export function takenInChat(facts: ChatFacts, wire: JsonObject): JsonObject {
  const model = typeof wire.model === 'string' ? wire.model : ''
  const members = membersOf(facts.messages, model)
  const renamed = (facts.renamed ?? []).filter((fact) => isAbout(fact, model))
  let next = wire
  if (members.length > 0 || renamed.length > 0 || facts.plainContent !== undefined) {
    next = withEach(next, 'messages', (message) => {
      const kept = withoutMembers(renamedIn(message, renamed), members)
      return facts.plainContent === undefined ? kept : plain(kept)
    })
  }
  if (facts.parameters !== undefined) next = withEach(next, 'tools', withParameters)
  return facts.system !== undefined && isAbout(facts.system, model)
    ? standing(facts.system.stands, next)
    : next
}

function standing(stands: 'at the head' | 'alone', wire: JsonObject): JsonObject {
  return stands === 'alone' ? withOneSystem(wire) : withoutLaterSystem(wire)
}

function membersOf(facts: readonly MemberFact[] = [], model: string): readonly string[] {
  return facts.filter((fact) => isAbout(fact, model)).flatMap(({ members }) => members)
}

function withEach(
  wire: JsonObject,
  name: 'messages' | 'tools',
  change: (one: JsonObject) => JsonObject,
): JsonObject {
  const list = changedEach(wire[name], change)
  return list === undefined || list === wire[name] ? wire : { ...wire, [name]: list }
}

function renamedIn(message: JsonObject, renamed: readonly RenamedFact[]): JsonObject {
  const there = renamed.filter(({ from }) => message[from] !== undefined)
  if (there.length === 0) return message
  const next: Record<string, Json> = { ...(message as Record<string, Json>) }
  for (const { from, to } of there) {
    next[to] ??= next[from]!
    delete next[from]
  }
  return next
}

function plain(message: JsonObject): JsonObject {
  const { content } = message
  if (content === null || content === undefined) return { ...message, content: '' }
  if (!Array.isArray(content)) return message
  const texts = content.map((part: Json) =>
    isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined,
  )
  return texts.includes(undefined) ? message : { ...message, content: texts.join('\n') }
}

const none = { type: 'object', properties: {} }

function withParameters(tool: JsonObject): JsonObject {
  const { function: declared } = tool
  if (!isObject(declared) || declared.parameters !== undefined) return tool
  return { ...tool, function: { ...declared, parameters: none } }
}
