/**
 * Counts of Claude's tokens: the body of an invocation, in base64 (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html,
 * read 2026-11-27).
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { ChannelView, OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { replyObject } from '../../../kernel/toolkit/json/index.js'
import { countOf, garbled, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { refusedOf, uncountedFields } from '../../../kernel/toolkit/vendors/index.js'
import { callOf } from '../call.js'
import { fail } from '../fail.js'
import { isClaude, modelBehind } from '../model.js'
import { facts } from './claude-facts.js'
import { adjust, invocation } from './index.js'

export const count: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model, client) => client === 'messages' && isClaude(channel, model),
  shape: (body, channel) => ({ kind: 'json', value: counted(jsonOf(body), channel) }),
  address(wire, channel, credentials, context) {
    const body = JSON.stringify(jsonOf(wire))
    return callOf({ verb: 'count-tokens', body }, channel, credentials, context)
  },
  answer: inputTokens,
  fail,
}

/** An invocation always has a limit; its size counts for nothing. */
function counted(requested: JsonObject, channel: ChannelView): JsonObject {
  const model = modelBehind(channel, String(requested.model))
  const refused = [...uncountedFields(requested), ...refusedOf(facts, requested, model)]
  const kept = Object.entries(requested).filter(([name]) => !refused.includes(name))
  const wire = adjust({ ...Object.fromEntries(kept), max_tokens: 1 }, channel)
  const body = Buffer.from(invocation({ kind: 'json', value: wire }, []))
  return { input: { invokeModel: { body: body.toString('base64') } } }
}

function inputTokens({ body }: WholeAnswer) {
  const tokens = countOf(replyObject(body)?.inputTokens)
  return tokens === undefined ? { failure: garbled() } : { json: { input_tokens: tokens } }
}
