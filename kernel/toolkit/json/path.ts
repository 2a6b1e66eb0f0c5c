/**
 * Places inside a JSON value, written as dotted paths: `messages.-1.content`, `tools.*.function.name`. Reads own members
 * only, changes by copying along the path only, and never names what would reach a prototype (X5).
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

/** One step of a path: the member of an object, the element of an array, or every element of one. */
interface Step {
  readonly key: string
  /** Where the step may count elements; below 0 from the end. Absent: it names a member only. */
  readonly index?: number
  readonly every: boolean
}

/** At least one step. */
export type Path = readonly Step[]

const pathCharactersMax = 512
const pathStepsMax = 32

export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * `\` takes the next character as it is, so `a\.b` is one member. `*` and `#` stand for every element of an array. Throws
 * an `Error` whose message goes on after the name of the path's field.
 */
export function parsePath(text: string): Path {
  if (text === '') throw new Error('is empty')
  if (text.length > pathCharactersMax) {
    throw new Error(`is longer than ${pathCharactersMax} characters`)
  }
  const steps: Step[] = []
  let key = ''
  let escaped = false
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at]
    if (char === undefined || char === '.') {
      steps.push(stepOf(key, escaped))
      key = ''
      escaped = false
    } else if (char === '\\' && at + 1 < text.length) {
      at += 1
      key += text[at]
      escaped = true
    } else {
      key += char
    }
  }
  if (steps.length > pathStepsMax) throw new Error(`has more than ${pathStepsMax} steps`)
  return steps
}

function stepOf(key: string, escaped: boolean): Step {
  if (key === '') throw new Error('has an empty step')
  if (forbiddenKeys.has(key)) throw new Error(`holds the key "${key}", which is not allowed`)
  if (escaped) return { key, every: false }
  if (key === '*' || key === '#') return { key, every: true }
  return indexPattern.test(key) ? { key, index: Number(key), every: false } : { key, every: false }
}

const indexPattern = /^(?:0|-?[1-9]\d{0,8})$/

export function hasWildcard(path: Path): boolean {
  return path.some(({ every }) => every)
}

/** The value at a path without wildcards; undefined: nothing is there. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value = root
  for (const step of path) value = stepInto(value, step)
  return value
}

function stepInto(value: Json | undefined, { key, index }: Step): Json | undefined {
  if (Array.isArray(value)) return index === undefined ? undefined : value.at(index)
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Every value a path leads to; several only where it has wildcards. */
export function valuesAt(root: Json | undefined, path: Path, from = 0): readonly Json[] {
  let value = root
  for (let at = from; at < path.length; at += 1) {
    const step = path[at]!
    if (step.every) {
      const elements: readonly Json[] = Array.isArray(value) ? value : []
      return elements.flatMap((element) => valuesAt(element, path, at + 1))
    }
    value = stepInto(value, step)
  }
  return value === undefined ? [] : [value]
}

/** What a value becomes; `undefined`: it goes away. The very same value: nothing changes. */
export type Edit = (value: Json | undefined) => Json | undefined

/**
 * The root with other values at the end of the path; the same object where nothing changes. `make`: `edit` is also called
 * where nothing is there yet, with undefined, and objects are put in between; an array grows at its end only. `leave`: it
 * is not. A path that leads into a text or a number leads nowhere.
 */
export function change(
  root: JsonObject,
  path: Path,
  edit: Edit,
  missing: 'make' | 'leave',
): JsonObject {
  const walk = { path, edit, make: missing === 'make' }
  return changeAt(root, walk, 0) as JsonObject
}

interface Walk {
  readonly path: Path
  readonly edit: Edit
  readonly make: boolean
}

function changeAt(value: Json | undefined, walk: Walk, at: number): Json | undefined {
  if (at === walk.path.length) return value === undefined && !walk.make ? value : walk.edit(value)
  if (Array.isArray(value)) return inArray(value, walk, at)
  if (isObject(value)) return inObject(value, walk, at)
  return walk.make && (value === undefined || value === null) ? made(value, walk, at) : value
}

function inObject(object: JsonObject, walk: Walk, at: number): JsonObject {
  const { key, every } = walk.path[at]!
  if (every) return object
  const before = Object.hasOwn(object, key) ? object[key] : undefined
  const after = changeAt(before, walk, at + 1)
  if (after === before) return object
  const copy: Record<string, Json | undefined> = { ...object, [key]: after }
  if (after === undefined) delete copy[key]
  return copy
}

function inArray(array: readonly Json[], walk: Walk, at: number): readonly Json[] {
  const { every, index } = walk.path[at]!
  if (every) return inEach(array, walk, at)
  if (index === undefined) return array
  const place = index < 0 ? array.length + index : index
  if (place < 0 || place > array.length) return array
  const before = array[place]
  const after = changeAt(before, walk, at + 1)
  if (after === before) return array
  return after === undefined ? array.toSpliced(place, 1) : array.toSpliced(place, 1, after)
}

function inEach(array: readonly Json[], walk: Walk, at: number): readonly Json[] {
  let changed = false
  const after: Json[] = []
  for (const element of array) {
    const next = changeAt(element, walk, at + 1)
    if (next !== element) changed = true
    if (next !== undefined) after.push(next)
  }
  return changed ? after : array
}

/** What has to be put where nothing is. A wildcard has nothing to stand for there. */
function made(value: null | undefined, walk: Walk, at: number): Json | undefined {
  const { key, every } = walk.path[at]!
  const inner = every ? undefined : changeAt(undefined, walk, at + 1)
  return inner === undefined ? value : { [key]: inner }
}
