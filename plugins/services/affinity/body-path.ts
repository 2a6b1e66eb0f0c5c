/**
 * Dotted paths into a request body, such as `metadata.user_id` or `messages.0.role`: names of own members and indexes
 * of arrays, nothing else (X5).
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

export type BodyPath = readonly string[]

const stepsMax = 16
const charactersMax = 256
const step = /^[\w$:/ -]+$/
const index = /^(?:0|[1-9]\d{0,6})$/
const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Why a path cannot be used, as the end of a sentence; undefined: it can. */
export function faultOfPath(text: string): string | undefined {
  if (text === '') return 'must name a member of the body'
  if (text.length > charactersMax) return `must have at most ${charactersMax} characters`
  const steps = text.split('.')
  if (steps.length > stepsMax) return `must have at most ${stepsMax} steps`
  if (steps.some((name) => inherited.has(name))) return 'names a member that is not allowed'
  if (!steps.every((name) => step.test(name))) {
    return 'must be names and indexes with dots between them'
  }
  return undefined
}

export function bodyPath(text: string): BodyPath {
  return text.split('.')
}

/** The text or number at the path; undefined: there is none. */
export function textAt(body: JsonObject, path: BodyPath): string | undefined {
  let at: Json | undefined = body
  for (const name of path) {
    at = member(at, name)
    if (at === undefined) return undefined
  }
  if (typeof at === 'number') return String(at)
  return typeof at === 'string' ? at : undefined
}

function member(value: Json, name: string): Json | undefined {
  if (isObject(value)) return Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) && index.test(name)
    ? (value as readonly Json[])[Number(name)]
    : undefined
}
