/** What billing reads from a whole response that passes as it is. */
import type { ReplyReading } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { failureOfReply } from './failure.js'
import { objectsOf, textOf } from './fields.js'
import { streamedOf } from './items.js'
import { ServerTools } from './server-tools.js'
import { findUsage } from './usage.js'

export function readReply(body: JsonObject): ReplyReading {
  const failure = failureOfReply(body)
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const counter = new TokenCounter()
  const tools = new ServerTools()
  tools.offered(body)
  tools.called(body)
  for (const item of objectsOf(body.output)) countItem(item, counter)
  return { ...findUsage(body, tools.counts), estimatedTokens: counter.estimatedTokens }
}

/** Everything the model wrote into an item. */
export function countItem(item: JsonObject, counter: TokenCounter): void {
  for (const { text, refusal } of [...objectsOf(item.summary), ...objectsOf(item.content)]) {
    counter.add(textOf(text) ?? textOf(refusal) ?? '')
  }
  const streamed = streamedOf(item)
  if (streamed !== undefined) counter.add(textOf(item[streamed.field]) ?? '')
}
