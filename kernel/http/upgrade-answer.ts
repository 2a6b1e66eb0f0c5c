/** An HTTP answer written by hand on a connection that was taken over for a WebSocket which is not to be. */
import { STATUS_CODES } from 'node:http'

export interface RawAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer | string
}

/** The connection ends with it: what the client may have sent behind its request is no request. */
export function rawAnswer({ status, headers, body }: RawAnswer): Buffer {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, 'Connection: close']
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, '', '')
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body)])
}
