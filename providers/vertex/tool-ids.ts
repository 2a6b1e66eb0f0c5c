/**
 * Calls and results of tools without their ids, which this service refuses: "Unknown name "id" at function_call"
 * (github.com/vercel/ai/issues/15664 of 2026-05-28, github.com/langchain-ai/langchainjs/issues/10266 for the third
 * generation, read 2026-11-22). What belongs together is then found by name and order, so results stand as their calls did.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'

/** The same object where no part has an id. */
export function withoutToolIds(wire: JsonObject): JsonObject {
  const { contents } = wire
  if (!Array.isArray(contents) || !contents.some(holdsId)) return wire
  let called: readonly Json[] = []
  const plain = contents.map((content: Json) => {
    if (!isObject(content) || !Array.isArray(content.parts)) return content
    const parts: readonly Json[] = content.parts
    const calls = parts.flatMap((part) => memberOf(part, callNames)?.id ?? [])
    if (calls.length > 0) called = calls
    return holdsId(content) ? { ...content, parts: inOrder(parts, called).map(withoutId) } : content
  })
  return { ...wire, contents: plain }
}

/** Clients write the members in either case. */
const callNames = ['functionCall', 'function_call'] as const
const resultNames = ['functionResponse', 'function_response'] as const
const names = [...callNames, ...resultNames] as const

function holdsId(content: Json): boolean {
  if (!isObject(content) || !Array.isArray(content.parts)) return false
  return content.parts.some((part: Json) => memberOf(part, names)?.id !== undefined)
}

function memberOf(part: Json, among: readonly string[]): JsonObject | undefined {
  if (!isObject(part)) return undefined
  for (const name of among) {
    const member = part[name]
    if (isObject(member)) return member
  }
  return undefined
}

/** The places of results keep, and the results fill them in the order of their calls. */
function inOrder(parts: readonly Json[], called: readonly Json[]): readonly Json[] {
  const results = parts.filter((part) => memberOf(part, resultNames) !== undefined)
  if (results.length < 2) return parts
  const place = (part: Json) => {
    const at = called.indexOf(memberOf(part, resultNames)?.id ?? null)
    return at === -1 ? called.length : at
  }
  const sorted = results.toSorted((one, other) => place(one) - place(other))
  return parts.map((part) => (memberOf(part, resultNames) === undefined ? part : sorted.shift()!))
}

function withoutId(part: Json): Json {
  if (!isObject(part) || memberOf(part, names)?.id === undefined) return part
  const name = names.find((one) => isObject(part[one]))!
  const { id: _, ...member } = part[name] as JsonObject
  return { ...part, [name]: member }
}
