/** What billing reads from a whole reply that passes verbatim, without building events. */
import type { ReplyReading } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { readDelta } from './delta.js'
import { failureOfReply } from './errors.js'
import { objectOf, objectsOf, present } from './fields.js'
import { findUsage } from './usage.js'

export function readReply(body: JsonObject): ReplyReading {
  const failure = failureOfReply(body)
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  return present<ReplyReading>({ estimatedTokens: deliveredTokens(body), ...findUsage(body) })
}

function deliveredTokens(body: JsonObject): number {
  const counter = new TokenCounter()
  for (const choice of objectsOf(body.choices)) {
    for (const piece of readDelta(objectOf(choice.message) ?? {})) {
      if (piece.kind === 'tool') counter.add(piece.json)
      else if ('text' in piece) counter.add(piece.text)
    }
  }
  return counter.estimatedTokens
}
