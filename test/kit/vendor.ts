/**
 * A vendor's own rules in front of a scripted answer: what the vendor is known to refuse is refused here in its place,
 * with the rule as the message. A rule names its source and the day it was read.
 */
import { json, type Recorded, type Script } from './upstream.js'

export interface VendorRule {
  /** What the vendor wants, as a sentence. */
  readonly rule: string
  readonly source: string
  /** Day of reading, `YYYY-MM-DD`. */
  readonly read: string
  readonly broken: (request: Recorded) => boolean
}

/** Answers as scripted where all rules are kept, else 400 as vendors do. */
export function strictly(rules: readonly VendorRule[], script: Script): Script {
  return (request, response) => {
    const found = rules.find(({ broken }) => broken(request))
    if (found === undefined) return script(request, response)
    const error = { message: found.rule, type: 'invalid_request_error', code: 'strict' }
    return json(400, { error })(request, response)
  }
}

/** The objects of a member that is a list. */
export function listIn(value: unknown, member: string): readonly Record<string, unknown>[] {
  const list = isRecord(value) ? value[member] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every object of a JSON value, at any depth. */
export function objectsWithin(value: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsWithin)
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsWithin)] : []
}
