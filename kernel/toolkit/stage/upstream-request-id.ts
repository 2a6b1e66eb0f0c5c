/** Under which the upstream's own support finds a request; the client gets the gateway's id alone. */
import type { Reply } from '../../contract/line/reply.js'

const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id']
const charsMax = 128

/** Undefined: the upstream named none. */
export function upstreamRequestId(reply: Reply): string | undefined {
  return reply.kind === 'socket' ? undefined : upstreamIdIn(reply.headers)
}

export function upstreamIdIn(headers: Readonly<Record<string, string>>): string | undefined {
  const id = idHeaders.map((name) => headers[name]).find((value) => value !== undefined)
  return id?.slice(0, charsMax)
}
