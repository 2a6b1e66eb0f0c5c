/**
 * Members of a chat request that a service takes and does not heed. Where the answer hangs on one, the request is refused by that
 * name: a client whose tools are never called could not tell why.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

export interface UnheededFact extends Fact {
  readonly members: readonly string[]
}

/** Throws `not_expressible` with the first of them that asks for something. */
export function refuseUnheeded(facts: readonly UnheededFact[], wire: JsonObject): void {
  const names = facts.flatMap(({ members }) => members)
  const name = names.find((one) => asks(one, wire))
  if (name !== undefined) throw notExpressible(name)
}

/** Most have a value that says what every service does without it. */
function asks(name: string, wire: JsonObject): boolean {
  const value: Json | undefined = wire[name]
  if (value === undefined || value === null || value === false) return false
  if (Array.isArray(value) && value.length === 0) return false
  switch (name) {
    case 'n':
      return value !== 1
    case 'tools':
      return wire.tool_choice !== 'none'
    case 'response_format':
      return !isObject(value) || value.type !== 'text'
    default:
      return true
  }
}
