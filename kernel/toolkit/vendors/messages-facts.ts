/**
 * The messages format where a service other than its maker's speaks it: members, cache marks and betas it refuses, by the
 * facts its provider keeps. What is left out without a loss is not reported; the rest is named.
 */
import { isObject, type JsonObject } from '../../contract/json.js'
import { systemTurnsLost, withoutSystemTurns } from './system-turns.js'
import {
  changedEach,
  type Fact,
  isAbout,
  type MemberFact,
  type ModelFact,
  type OneOfFact,
  refusedMembers,
  withoutMembers,
} from './vendor-facts.js'

export interface MessagesFacts {
  /** Members of the request. */
  readonly members: readonly (MemberFact | OneOfFact)[]
  /** Members of a cache mark, at whatever block it stands. Absent: it takes all. */
  readonly marks?: readonly MarkFact[]
  /** Members of a tool: how its calls are streamed, no more. Absent: it takes all. */
  readonly tools?: readonly MemberFact[]
  /** Models that refuse turns of instructions between the others. Absent: all take them. */
  readonly systemTurns?: readonly ModelFact[]
}

interface MarkFact extends MemberFact {
  /** A request is lost with it, e.g. how long something is kept. */
  readonly reported?: boolean
}

/** A beta the service knows, under its own name for it where that differs. */
export interface BetaFact extends Fact {
  readonly betas: readonly string[]
  readonly as?: string
}

/** What is lost, for `Adapter.refuses`. */
export function refusedOf(
  facts: MessagesFacts,
  wire: JsonObject,
  model: string,
): readonly string[] {
  const members = [
    ...refusedMembers(facts.members, wire, model),
    ...(refusesSystemTurns(facts, model) ? systemTurnsLost(wire) : []),
  ]
  const marks = (facts.marks ?? []).filter((fact) => fact.reported === true && isAbout(fact, model))
  if (marks.length === 0) return members
  const names = marks.flatMap((fact) => fact.members)
  const found = new Set<string>()
  withMarks(wire, (mark) => {
    for (const name of names) if (mark[name] !== undefined) found.add(`cache_control.${name}`)
    return mark
  })
  return [...members, ...found]
}

/** The request without the members deeper down that are refused, for `Adapter.adjust`. */
export function accepted(facts: MessagesFacts, wire: JsonObject): JsonObject {
  const model = typeof wire.model === 'string' ? wire.model : ''
  const ofMarks = membersOf(facts.marks, model)
  const ofTools = membersOf(facts.tools, model)
  const turned = refusesSystemTurns(facts, model) ? withoutSystemTurns(wire) : wire
  const marked =
    ofMarks.length === 0 ? turned : withMarks(turned, (mark) => withoutMembers(mark, ofMarks))
  if (ofTools.length === 0) return marked
  const tools = changedEach(marked.tools, (tool) => withoutMembers(tool, ofTools))
  return tools === undefined || tools === marked.tools ? marked : { ...marked, tools }
}

function refusesSystemTurns({ systemTurns = [] }: MessagesFacts, model: string): boolean {
  return systemTurns.some((fact) => isAbout(fact, model))
}

function membersOf(facts: readonly (ModelFact & MemberFact)[] = [], model: string) {
  return facts.filter((fact) => isAbout(fact, model)).flatMap(({ members }) => members)
}

/** Every cache mark of system, tools and messages, as `change` has it; the same object where nothing changes. */
function withMarks(wire: JsonObject, change: (mark: JsonObject) => JsonObject): JsonObject {
  const next: Record<string, JsonObject[string]> = { ...wire }
  let changed = false
  for (const place of ['system', 'tools', 'messages']) {
    const blocks = changedEach(wire[place], (block) => marked(block, change))
    if (blocks === undefined || blocks === wire[place]) continue
    next[place] = blocks
    changed = true
  }
  return changed ? next : wire
}

/** A block, and the blocks it holds: those of a message, and those of a tool's result. */
function marked(block: JsonObject, change: (mark: JsonObject) => JsonObject): JsonObject {
  const { cache_control: mark, content } = block
  const stated = isObject(mark) ? change(mark) : mark
  const inside = changedEach(content, (inner) => marked(inner, change))
  if (stated === mark && inside === content) return block
  return {
    ...block,
    ...(stated !== undefined && { cache_control: stated }),
    ...(inside !== undefined && { content: inside }),
  }
}

/** Of the betas a client names in its header those that are known, under the service's names. */
export function knownBetas(
  header: string | undefined,
  facts: readonly BetaFact[],
  more: readonly unknown[] = [],
): readonly string[] {
  const requested = header?.split(',').map((beta) => beta.trim()) ?? []
  const known = requested.flatMap((beta) => {
    const fact = facts.find(({ betas }) => betas.includes(beta))
    if (fact !== undefined) return fact.as ?? beta
    return more.includes(beta) ? beta : []
  })
  return [...new Set(known)]
}
