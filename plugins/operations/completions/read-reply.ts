/** What billing reads from a completion, whole or in one chunk of a stream. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { ReplyReading } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import {
  countOf,
  disjoint,
  failureIn,
  garbled,
  objectOf,
} from '../../../kernel/toolkit/operation/index.js'
import { echoedTokens } from './estimate.js'

export function readReply(body: JsonObject, wire: Body): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.choices) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const counter = new TokenCounter()
  for (const { text } of choicesOf(body)) counter.add(typeof text === 'string' ? text : '')
  const estimatedTokens = Math.max(0, counter.estimatedTokens - echoedTokens(wire))
  return { ...findUsage(body), estimatedTokens }
}

/** The usage of a body or chunk; some upstreams put it into the last choice. */
export function findUsage(
  body: JsonObject,
): { readonly usage: Usage; readonly raw: JsonObject } | undefined {
  const raw =
    objectOf(body.usage) ??
    choicesOf(body)
      .map(({ usage }) => objectOf(usage))
      .find((usage) => usage !== undefined)
  return raw && { usage: readUsage(raw), raw }
}

export function choicesOf({ choices }: { readonly choices?: Json }): readonly JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isObject) : []
}

function readUsage(raw: JsonObject): Usage {
  const cached = objectOf(raw.prompt_tokens_details)?.cached_tokens ?? raw.prompt_cache_hit_tokens
  return disjoint({
    input: countOf(raw.prompt_tokens),
    cached: countOf(cached),
    output: countOf(raw.completion_tokens),
    reasoning: countOf(objectOf(raw.completion_tokens_details)?.reasoning_tokens),
  })
}
