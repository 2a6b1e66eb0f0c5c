/** What the tests of operations share: bodies as clients send them, and what a check states of a field. */
import type { Body } from '../../../kernel/contract/body.js'
import type { RequestHints } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { type JsonBody, bytesOf as written } from '../../../kernel/toolkit/body/body.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'

/** A JSON body with the bytes it came in. */
export function sent(value: JsonObject | string): JsonBody {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { kind: 'json', value: JSON.parse(text), bytes: Buffer.from(text) }
}

/** The text that goes out. */
export function textOf(body: Body): string {
  return body.kind === 'json' ? written(body).toString() : ''
}

/** The field a check refuses, "" where it names none, nothing where the body passes. */
export function refusedField(
  operation: Operation,
  value: JsonObject,
  hints?: RequestHints,
): string | undefined {
  try {
    operation.check(sent(value), hints)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.param
  }
}
