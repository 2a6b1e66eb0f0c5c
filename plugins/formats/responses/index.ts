/** The responses format: the wire format of `POST /v1/responses`, in both directions. */
import type { Format } from '../../../kernel/contract/format.js'
import { check } from './check.js'
import { decodeReply } from './decode-reply.js'
import { decodeRequest } from './decode-request.js'
import { decodeStream } from './decode-stream.js'
import { encodeReply } from './encode-reply.js'
import { encodeRequest } from './encode-request.js'
import { encodeStream, encodeStreamError } from './encode-stream.js'
import { estimate, limitsOf } from './estimate.js'
import { encodeError } from './failure.js'
import { readReply } from './read-reply.js'
import { references } from './references.js'
import { withSystemPrompt } from './system-prompt.js'
import { unsupportedFields } from './unsupported-fields.js'
import { ResponsesWatch } from './watch.js'

export default function create(): Format {
  return {
    name: 'responses',
    modelIn: 'body',
    sealed: 'reasoning',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    check,
    decodeRequest,
    encodeRequest,
    unsupportedFields,
    withSystemPrompt,
    limits: limitsOf,
    estimate,
    // A responses stream always reports usage.
    requestUsage: (wire) => wire,
    decodeReply,
    encodeReply,
    readReply,
    decodeStream,
    encodeStream,
    watch: () => new ResponsesWatch(),
    references,
    encodeError,
    encodeStreamError,
  }
}
