/** What billing reads from a whole messages body that passes as it is. */
import type { ReplyReading } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { streamFailure, unreadable } from './failure.js'
import { readUsage } from './usage.js'

export function readReply(body: JsonObject): ReplyReading {
  if (body.type === 'error' || isObject(body.error)) {
    return { estimatedTokens: 0, failure: streamFailure(body.error) }
  }
  if (!Array.isArray(body.content)) return { estimatedTokens: 0, failure: unreadable() }
  const estimatedTokens = estimateContent(body.content.filter(isObject))
  return isObject(body.usage)
    ? { usage: readUsage(body.usage), raw: body.usage, estimatedTokens }
    : { estimatedTokens }
}

function estimateContent(blocks: readonly JsonObject[]): number {
  const counter = new TokenCounter()
  for (const { type, text, thinking, input } of blocks) {
    if (typeof text === 'string') counter.add(text)
    if (typeof thinking === 'string') counter.add(thinking)
    if (type === 'tool_use' || type === 'server_tool_use') counter.add(JSON.stringify(input ?? {}))
  }
  return counter.estimatedTokens
}
