/** What a request for a WebSocket must contain before anything else is looked at (RFC 6455 section 4.2.1). */
import type { IncomingMessage } from 'node:http'
import type { ClientError } from '../../contract/format.js'

/** Headers that go with every refusal for the want of an upgrade, names and values in turn. */
export const upgradeWanted = ['Upgrade', 'websocket', 'Sec-WebSocket-Version', '13'] as const

/** Why this handshake cannot succeed. Undefined: it can. */
export function handshakeFault({ headers }: IncomingMessage): ClientError | undefined {
  if (headers['sec-websocket-version'] !== '13') {
    return fault(426, 'upgrade_required', 'This path takes version 13 of the WebSocket protocol.')
  }
  if (!keyPattern.test(headers['sec-websocket-key'] ?? '')) {
    return fault(400, 'invalid_request', 'The header Sec-WebSocket-Key is missing or malformed.')
  }
  if (!areSubprotocols(headers['sec-websocket-protocol'])) {
    return fault(400, 'invalid_request', 'The header Sec-WebSocket-Protocol is malformed.')
  }
  return undefined
}

/** The refusal of a plain request to such a path. */
export const upgradeRequired = fault(
  426,
  'upgrade_required',
  'This path speaks WebSocket: ask for an upgrade of the connection.',
)

const keyPattern = /^[+/0-9A-Za-z]{22}==$/
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** A list of tokens, none of them twice. */
function areSubprotocols(header: string | undefined): boolean {
  if (header === undefined) return true
  const items = header.split(',').map((item) => item.trim())
  return new Set(items).size === items.length && items.every((item) => tokenPattern.test(item))
}

function fault(status: number, code: string, message: string): ClientError {
  return { status, code, message, type: 'invalid_request_error', param: '' }
}
