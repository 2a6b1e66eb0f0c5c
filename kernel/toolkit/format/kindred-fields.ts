/**
 * Fields one format left that reach another all the same: those the chat and responses formats have alike, and those
 * whose meaning is in the call's `reasoning`. Whoever writes them out leaves them out of what is lost.
 */
import type { Call } from '../../contract/call.js'
import { isObject, type JsonObject } from '../../contract/json.js'
import type { FormatName } from '../../contract/names.js'
import { objectOf, present } from '../json/fields.js'

const alike = [
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
] as const

/** What a chat client left, in the words of a responses request. */
export function chatAsResponses({ only }: Call): JsonObject {
  const left = only?.chat
  if (left === undefined) return {}
  const { verbosity } = left
  return present({ ...alikeOf(left), text: verbosity === undefined ? undefined : { verbosity } })
}

/** What a responses client left, in the words of a chat request. */
export function responsesAsChat({ only }: Call): JsonObject {
  const left = only?.responses
  if (left === undefined) return {}
  return present({ ...alikeOf(left), verbosity: objectOf(left.text)?.verbosity })
}

function alikeOf(left: JsonObject): JsonObject {
  return Object.fromEntries(alike.map((name) => [name, left[name]]))
}

/** A field at the top level that `owner` left and a request of `format` has in another field. */
export function hasEquivalent(
  format: FormatName,
  owner: FormatName,
  field: string,
  { only, reasoning }: Call,
): boolean {
  const left = only?.[owner]
  if (reasoning !== undefined) {
    if (owner === 'messages' && field === 'thinking') return true
    if (owner === 'messages' && field === 'output_config') return holdsOnly(left, field, 'effort')
    if (owner === 'generative' && field === 'generationConfig.thinkingConfig') return true
  }
  const isAlike = alike.some((name) => name === field)
  if (owner === 'chat' && format === 'responses') return isAlike || field === 'verbosity'
  if (owner !== 'responses' || format !== 'chat') return false
  return isAlike || (field === 'text' && holdsOnly(left, field, 'verbosity'))
}

function holdsOnly(left: JsonObject | undefined, field: string, key: string): boolean {
  const held = left?.[field]
  return isObject(held) && Object.keys(held).every((name) => name === key)
}
