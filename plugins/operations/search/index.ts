/**
 * A web search that is passed on as it is, both ways: only the model is read and mapped, every other byte stays. It
 * costs one search, once per request, and only where the upstream succeeds (BILL-5, FMT-12).
 */

import type { Body } from '../../../kernel/contract/body.js'
import type { Usage } from '../../../kernel/contract/event.js'
import type { ReplyReading, RequestedOptions } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  failureIn,
  jsonOf,
  modelNamed,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { PassingWatch } from './watch.js'

/** No tokens, one call of the tool. */
const oneSearch: Usage = { input: 0, output: 0, serverTools: { web_search_preview: 1 } }

export default function create(): Operation {
  return {
    name: 'search',
    check,
    named: modelNamed,
    limits: () => ({ maxOutput: 0 }),
    estimate: () => oneSearch,
    readReply,
    watch: (type) => new PassingWatch(type, oneSearch),
  }
}

function check(body: Body): RequestedOptions {
  const model = requiredModel(jsonOf(body).model)
  return { model, stream: false, wantsUsage: false }
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body)
  return failure === undefined
    ? { usage: oneSearch, estimatedTokens: 0 }
    : { estimatedTokens: 0, failure }
}
