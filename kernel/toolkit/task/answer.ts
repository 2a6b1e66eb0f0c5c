/** What an upstream answered to a call of a task, whatever it is: read without throwing. */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import type { WholeAnswer } from '../../contract/operation.js'
import type { TaskQuantities, TaskState } from '../../contract/task.js'
import { parsedObject } from '../operation/operation-answer.js'

/** The answer's JSON object; empty where it holds none. */
export function answerObject({ body }: WholeAnswer): JsonObject {
  return parsedObject(body.toString('utf8')) ?? {}
}

/** The value at a path of names and numbers: `data.task_result.videos.0.url`. Undefined: it is not there. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found: Json | undefined = value
  for (const name of path.split('.')) {
    if (Array.isArray(found)) found = found[Number(name)]
    else if (isObject(found)) found = Object.hasOwn(found, name) ? found[name] : undefined
    else return undefined
  }
  return found
}

export function objectAt(value: Json | undefined, path: string): JsonObject {
  const found = valueAt(value, path)
  return isObject(found) ? found : {}
}

export function listAt(value: Json | undefined, path: string): readonly Json[] {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found : []
}

/** A text, or a number as a text. Undefined: neither, or empty. */
export function textAt(value: Json | undefined, path: string): string | undefined {
  const found = valueAt(value, path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' && found !== '' ? storable(found) : undefined
}

/** With a mark for what no database takes: the character 0, and halves of characters. */
function storable(text: string): string {
  return text.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}

/** What a task is known by: a text or number that fits into addresses and databases. Undefined: there is none. */
export function refAt(value: Json | undefined, path: string): string | undefined {
  const found = textAt(value, path)
  return found !== undefined && refPattern.test(found) ? found : undefined
}

/** Without blanks at its ends or anything that is not printed. */
const refPattern = /^(?! )[^\p{Cc}\ufffd]{1,1024}(?<! )$/u

/** A finite number, or the text of one. */
export function numberAt(value: Json | undefined, path: string): number | undefined {
  const found = valueAt(value, path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** States by the upstream's words, without regard to case; what is not among them is `unknown`. */
export function stateReader(
  words: Readonly<Partial<Record<Exclude<TaskState, 'unknown'>, readonly string[]>>>,
): (word: Json | undefined) => TaskState {
  const states = new Map<string, TaskState>()
  for (const [state, named] of Object.entries(words)) {
    for (const word of named) states.set(word.toLowerCase(), state as TaskState)
  }
  return (word) => states.get(textOf(word).trim().toLowerCase()) ?? 'unknown'
}

/** An object that calls itself a text may throw. */
function textOf(value: Json | undefined): string {
  return typeof value === 'object' ? '' : String(value)
}

/** Counts and dimensions; those that are undefined, or no counts, are left out, and values become texts. */
export function quantities(
  counts: Readonly<Record<string, number | undefined>>,
  dimensions: Readonly<Record<string, string | number | boolean | undefined>> = {},
): TaskQuantities {
  const known = Object.entries(counts).filter(
    ([, count]) => count !== undefined && count >= 0 && Number.isFinite(count),
  )
  const stated = Object.entries(dimensions).filter(([, value]) => value !== undefined)
  return {
    counts: Object.fromEntries(known) as Record<string, number>,
    dimensions: Object.fromEntries(stated.map(([name, value]) => [name, storable(String(value))])),
  }
}

/** Unix seconds, milliseconds or an ISO date as Unix milliseconds. Undefined: none of these. */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) return timeOf(Number(value))
  if (typeof value === 'string') {
    const parsed = Date.parse(value)
    return parsed > 0 ? parsed : undefined
  }
  if (typeof value !== 'number' || !(value > 0) || value > timeMax) return undefined
  return Math.round(value < 1e11 ? value * 1000 : value)
}

/** The last a date can be. */
const timeMax = 8.64e15
