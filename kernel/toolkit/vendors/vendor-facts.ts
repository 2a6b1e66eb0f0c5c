/**
 * What vendors were seen to take and refuse, as data: each provider keeps tables of facts, and each fact names where it
 * was read and when, since vendors change monthly.
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

export interface Fact {
  /** Where it is written: an address without its scheme. */
  readonly source: string
  /** Day of reading, `YYYY-MM-DD`. */
  readonly read: string
}

export interface ModelFact extends Fact {
  /** The upstream models it is about. Absent: all. */
  readonly models?: RegExp
}

/** Members of a request, or of an object within it, that are refused. */
export interface MemberFact extends ModelFact {
  readonly members: readonly string[]
}

/** Members of which only one may be sent: those behind the first that is there are refused. */
export interface OneOfFact extends ModelFact {
  readonly oneOf: readonly string[]
}

export function isAbout({ models }: ModelFact, model: string): boolean {
  return models === undefined || models.test(model)
}

/** The members of the top level that are refused for this model and stand in the request. */
export function refusedMembers(
  facts: readonly (MemberFact | OneOfFact)[],
  wire: JsonObject,
  model: string,
): readonly string[] {
  const found: string[] = []
  for (const fact of facts) {
    const members = 'oneOf' in fact ? fact.oneOf : fact.members
    const there = members.filter((name) => wire[name] !== undefined && wire[name] !== null)
    const refused = 'oneOf' in fact ? there.slice(1) : there
    if (refused.length > 0 && isAbout(fact, model)) found.push(...refused)
  }
  return found
}

/** The same object where it has none of the members. */
export function withoutMembers(value: JsonObject, members: readonly string[]): JsonObject {
  if (!members.some((name) => value[name] !== undefined)) return value
  const kept = Object.entries(value).filter(([name]) => !members.includes(name))
  return Object.fromEntries(kept) as JsonObject
}

/** A list in which every object is what `change` makes of it; the same list where nothing changes. */
export function changedEach(
  list: Json | undefined,
  change: (item: JsonObject) => JsonObject,
): Json | undefined {
  if (!Array.isArray(list)) return list
  let next: Json[] | undefined
  list.forEach((item: Json, at) => {
    const changed = isObject(item) ? change(item) : item
    if (changed === item) return
    next ??= [...list]
    next[at] = changed
  })
  return next ?? list
}
