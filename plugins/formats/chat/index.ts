/** The chat-completions format: what chat SDKs send and expect, and what upstreams of that kind accept and return. */
import type { Format } from '../../../kernel/contract/format.js'
import { check } from './check.js'
import { decodeRequest } from './decode-request.js'
import { decodeReply, decodeStream } from './decode-stream.js'
import { encodeReply } from './encode-reply.js'
import { encodeRequest } from './encode-request.js'
import { encodeStream } from './encode-stream.js'
import { encodeError, encodeStreamError } from './errors.js'
import { estimate } from './estimate.js'
import { limits } from './limits.js'
import { readReply } from './read-reply.js'
import { requestUsage } from './request-usage.js'
import { withSystemPrompt } from './system-prompt.js'
import { unsupportedFields } from './unsupported-fields.js'
import { watch } from './watch.js'

export default function create(): Format {
  return {
    name: 'chat',
    modelIn: 'body',
    sealed: 'none',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    check,
    decodeRequest,
    encodeRequest,
    unsupportedFields,
    withSystemPrompt,
    limits,
    estimate,
    requestUsage,
    decodeReply,
    encodeReply,
    readReply,
    decodeStream,
    encodeStream,
    watch,
    encodeError,
    encodeStreamError,
  }
}
