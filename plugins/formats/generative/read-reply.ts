/** What billing reads from a whole generative body that passes as it is. */
import type { ReplyReading } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { isSearched } from './decode-chunk.js'
import { failureOfReply } from './errors.js'
import { objectOf, objectsOf, present, textOf } from './fields.js'
import { readUsage } from './usage.js'

export function readReply(body: JsonObject): ReplyReading {
  const failure = failureOfReply(body)
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const candidates = objectsOf(body.candidates)
  const raw = objectOf(body.usageMetadata)
  const usage = raw && readUsage(raw, candidates.some(isSearched))
  return present<ReplyReading>({
    usage,
    raw: usage && raw,
    estimatedTokens: estimateCandidates(candidates),
  })
}

function estimateCandidates(candidates: readonly JsonObject[]): number {
  const counter = new TokenCounter()
  for (const { content } of candidates) {
    for (const { text, functionCall, executableCode } of objectsOf(objectOf(content)?.parts)) {
      counter.add(textOf(text) ?? '')
      const call = objectOf(functionCall)
      if (call !== undefined) counter.add(JSON.stringify(call.args ?? {}))
      counter.add(textOf(objectOf(executableCode)?.code) ?? '')
    }
  }
  return counter.estimatedTokens
}
