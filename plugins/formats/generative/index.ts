/** The generative format: the wire format of `models/<model>:generateContent` and its streaming twin, both directions. */
import type { Format } from '../../../kernel/contract/format.js'
import { check } from './check.js'
import { decodeRequest } from './decode-request.js'
import { decodeReply, decodeStream } from './decode-stream.js'
import { encodeReply } from './encode-reply.js'
import { encodeRequest } from './encode-request.js'
import { encodeStream, streamType } from './encode-stream.js'
import { encodeError } from './errors.js'
import { estimate, limitsOf } from './estimate.js'
import { encodeStreamError } from './framing.js'
import { readReply } from './read-reply.js'
import { withSystemPrompt } from './system-prompt.js'
import { unsupportedFields } from './unsupported-fields.js'
import { watch } from './watch.js'

export default function create(): Format {
  return {
    name: 'generative',
    modelIn: 'address',
    sealed: 'all',
    toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    check,
    decodeRequest,
    encodeRequest,
    unsupportedFields,
    withSystemPrompt,
    limits: limitsOf,
    estimate,
    // A generative stream always reports usage.
    requestUsage: (wire) => wire,
    decodeReply,
    encodeReply,
    readReply,
    decodeStream,
    encodeStream,
    watch,
    streamType,
    encodeError,
    encodeStreamError,
  }
}
