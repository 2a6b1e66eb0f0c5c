/** Modes that put, take and join whole values: set, delete, move, copy, prepend, append. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { change, type Path, valueAt } from '../../../kernel/toolkit/json/index.js'
import type { Members } from './members.js'
import type { Act, Run } from './run.js'
import { sizeOf } from './value-size.js'

export const valueModes: Readonly<Record<string, (members: Members) => Act>> = {
  set(members) {
    const keep = members.flag('keep_origin')
    return putting(members, (before, value) => (keep ? before : value))
  },
  delete(members) {
    return editing(members.path(), 'leave', () => undefined)
  },
  move: (members) => transferring(members, 'move'),
  copy: (members) => transferring(members, 'copy'),
  prepend: (members) => joining(members, (before, value) => [value, before]),
  append: (members) => joining(members, (before, value) => [before, value]),
}

type RunEdit = (before: Json | undefined, run: Run) => Json | undefined

export function editing(path: Path, missing: 'make' | 'leave', edit: RunEdit): Act {
  return (run) => {
    run.wire = change(run.wire, path, (before) => edit(before, run), missing)
    return undefined
  }
}

/** Puts the operation's value; `join` decides what becomes of it where something is there already. */
function putting(members: Members, join: (before: Json, value: Json) => Json): Act {
  const [path, value] = [members.path(), members.value()]
  const size = sizeOf(value)
  return editing(path, 'make', (before, run) => {
    const after = before === undefined ? value : join(before, value)
    if (isDeepStrictEqual(before, after)) return before
    return run.mayGrow(size, members.mode) ? after : before
  })
}

function transferring(members: Members, mode: 'move' | 'copy'): Act {
  const from = members.singlePath('from')
  const to = members.singlePath('to')
  const keep = members.flag('keep_origin')
  return (run) => {
    const value = valueAt(run.wire, from)
    if (value === undefined || (keep && valueAt(run.wire, to) !== undefined)) return undefined
    if (!run.mayGrow(sizeOf(value), mode)) return undefined
    const left = mode === 'move' ? change(run.wire, from, () => undefined, 'leave') : run.wire
    const put = change(left, to, () => value, 'make')
    // Nothing is taken away that does not arrive.
    if (put !== left) run.wire = put
    return undefined
  }
}

type Order = (before: Json, value: Json) => readonly [Json, Json]

/** Texts are put together, lists joined, objects merged; what does not go together stays as it was. */
function joining(members: Members, order: Order): Act {
  const keep = members.flag('keep_origin')
  return putting(members, (before, value) => {
    if (before === null) return value
    if (Array.isArray(before)) {
      return order(before, Array.isArray(value) ? value : [value]).flat() as readonly Json[]
    }
    if (typeof before === 'string' && typeof value === 'string') {
      return order(before, value).join('')
    }
    return isObject(before) && isObject(value)
      ? merged(order(before, value), keep ? before : value)
      : before
  })
}

/** The members of the one that counts go before those of the other. */
function merged(both: readonly [Json, Json], counts: JsonObject): JsonObject {
  const [first, second] = both as readonly [JsonObject, JsonObject]
  return { ...first, ...second, ...counts }
}
