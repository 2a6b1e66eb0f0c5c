/** What formats share when they put the system prompt of a channel into a request. */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'

/** Between the channel's text and the request's own. */
export const promptGap = '\n\n'

/** Whether a turn is an instruction. */
export function instructs(turn: Json): boolean {
  return isObject(turn) && (turn.role === 'system' || turn.role === 'developer')
}

/** A text or a list of blocks, with the channel's before it: `text` before a text, `block` before blocks. */
export function withPromptBefore(own: Json | undefined, text: string, block: JsonObject): Json {
  if (Array.isArray(own)) return [block, ...own]
  return typeof own === 'string' && own !== '' ? `${text}${promptGap}${own}` : text
}
