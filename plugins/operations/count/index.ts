/**
 * How many tokens a request would read, as its upstream counts them. The body is the request itself in the client's format, the
 * answer is in that format as well: `input_tokens` for messages, `totalTokens` for generative clients. Nobody pays for it.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type {
  ReplyReading,
  RequestedOptions,
  RequestHints,
} from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  countOf,
  failureIn,
  garbled,
  jsonOf,
  modelNamed,
  requiredModel,
  WholeJsonWatch,
} from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return {
    name: 'count',
    check,
    named,
    limits: () => ({ maxOutput: 0 }),
    estimate: () => ({}),
    readReply,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body, hints?: RequestHints): RequestedOptions {
  const model = requiredModel(hints?.model ?? jsonOf(body).model)
  return { model, stream: false, wantsUsage: false }
}

/** Where the address names the model, the body does not. */
function named(body: Body, model: string): Body {
  return jsonOf(body).model === undefined ? body : modelNamed(body, model)
}

function readReply(body: JsonObject): ReplyReading {
  const counted = countOf(body.input_tokens) ?? countOf(body.totalTokens)
  const isCount = counted !== undefined && Number.isSafeInteger(counted) && counted >= 0
  const failure = failureIn(body) ?? (isCount ? undefined : garbled())
  return { estimatedTokens: 0, ...(failure === undefined ? { usage: {} } : { failure }) }
}
