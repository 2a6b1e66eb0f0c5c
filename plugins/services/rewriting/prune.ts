/** The mode prune_objects: takes away every object of a kind, wherever it stands in lists and members. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { change, type Path, valuesAt } from '../../../kernel/toolkit/json/index.js'
import { readConditions } from './conditions.js'
import { Members } from './members.js'
import type { Act } from './run.js'

type Matches = (object: JsonObject) => boolean

/** Deeper than a body a client may send. */
const levelsMax = 128

const known: ReadonlySet<string> = new Set(['type', 'where', 'conditions', 'logic', 'recursive'])

export function pruning(members: Members): Act {
  const text = members.text('path')
  const path = text === undefined ? undefined : members.parsed('path', text)
  const value = members.value()
  const { matches, levels } = isObject(value)
    ? readKind(value, members)
    : { matches: ofType(members.textValue()), levels: levelsMax }
  return (run) => {
    const prune = (found: Json | undefined) => pruned(found, matches, levels)
    run.wire =
      path === undefined ? (prune(run.wire) as JsonObject) : change(run.wire, path, prune, 'leave')
    return undefined
  }
}

/** All that is named must hold. */
function readKind(value: JsonObject, owner: Members) {
  const kind = new Members(value, `${owner.place} whose value is an object`)
  kind.refuseOthers(known)
  const tests: Matches[] = []
  const type = kind.text('type')
  if (type !== undefined) tests.push(ofType(type))
  tests.push(...readWhere(value.where, owner))
  const holds = readConditions(value, owner)
  if (holds !== undefined) tests.push((object) => holds((path) => valuesAt(object, path)))
  if (tests.length === 0) throw owner.fault('whose value names no type, where or conditions')
  const levels = value.recursive === undefined || kind.flag('recursive') ? levelsMax : 1
  return { matches: (object: JsonObject) => tests.every((test) => test(object)), levels }
}

function readWhere(where: Json | undefined, owner: Members): readonly Matches[] {
  if (where === undefined || where === null) return []
  if (!isObject(where)) throw owner.fault('whose value.where is no object')
  return Object.entries(where).map(([text, wanted]) => {
    const path: Path = owner.parsed('value.where', text)
    return (object) => valuesAt(object, path).some((value) => isDeepStrictEqual(value, wanted))
  })
}

function ofType(type: string): Matches {
  return (object) => object.type === type
}

/** The same value where nothing matches. The value itself stays, whatever it is; `levels` are looked into. */
function pruned(value: Json | undefined, matches: Matches, levels: number): Json | undefined {
  if (levels === 0) return value
  if (Array.isArray(value)) return prunedList(value, matches, levels - 1)
  return isObject(value) ? prunedObject(value, matches, levels - 1) : value
}

function prunedList(list: readonly Json[], matches: Matches, levels: number): readonly Json[] {
  const kept: Json[] = []
  let changed = false
  for (const item of list) {
    const gone = isObject(item) && matches(item)
    const next = gone ? item : (pruned(item, matches, levels) as Json)
    if (!gone) kept.push(next)
    if (gone || next !== item) changed = true
  }
  return changed ? kept : list
}

function prunedObject(object: JsonObject, matches: Matches, levels: number): JsonObject {
  const kept: [string, Json | undefined][] = []
  let changed = false
  for (const key of Object.keys(object)) {
    const value = object[key]
    const gone = isObject(value) && matches(value)
    const next = gone ? value : pruned(value, matches, levels)
    if (!gone) kept.push([key, next])
    if (gone || next !== value) changed = true
  }
  return changed ? Object.fromEntries(kept) : object
}
