/**
 * A format that is nothing but its errors: clients of some media tasks read refusals in a frame of their own, and everything
 * else of theirs is put into an operation by its endpoint. Nobody converses in it.
 */
import type { ClientError, Format } from '../../contract/format.js'
import type { JsonObject } from '../../contract/json.js'
import type { FormatName } from '../../contract/names.js'

export function errorWords(name: string, encodeError: Format['encodeError']): Format {
  const never = () => {
    throw new TypeError(`nobody converses in the format "${name}"`)
  }
  return {
    name: errorFormat(name),
    modelIn: 'body',
    sealed: 'none',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    check: never,
    decodeRequest: never,
    encodeRequest: never,
    unsupportedFields: never,
    withSystemPrompt: (wire) => wire,
    limits: () => ({}),
    estimate: () => ({}),
    requestUsage: (wire) => wire,
    decodeReply: never,
    encodeReply: never,
    readReply: never,
    decodeStream: never,
    encodeStream: never,
    watch: never,
    encodeError,
    encodeStreamError: (error) => Buffer.from(JSON.stringify(encodeError(error).body)),
  }
}

/** Such a format as an endpoint names it. It is none of `FormatNames`, since no upstream and no conversation has it. */
export function errorFormat(name: string): FormatName {
  return name as FormatName
}

/** What stands as `error` beside the frame's own words, whatever these are (ERR-1). */
export function errorObject({ message, type, param, code }: ClientError): JsonObject {
  return { message, type, param, code }
}
