/**
 * Frames of PostgreSQL's wire protocol, version 3: cutting bytes into messages and making the few that the
 * multiplexer states itself. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Types of messages, as the byte they start with. */
export const frontend = {
  query: 0x51,
  parse: 0x50,
  bind: 0x42,
  describe: 0x44,
  close: 0x43,
  sync: 0x53,
  flush: 0x48,
  terminate: 0x58,
} as const

const backend = {
  authentication: 0x52,
  parameterStatus: 0x53,
  backendKeyData: 0x4b,
  readyForQuery: 0x5a,
  errorResponse: 0x45,
  notificationResponse: 0x41,
} as const

/** What ReadyForQuery states; `unsaid` where the answer does not end with one. */
export type SessionStatus = 'idle' | 'inTransaction' | 'failedTransaction' | 'unsaid'

/** Status of the session after an answer. */
export function statusAfter(answer: Buffer): SessionStatus {
  const at = answer.length - 6
  if (at < 0 || answer[at] !== backend.readyForQuery || answer.readInt32BE(at + 1) !== 5)
    return 'unsaid'
  const status = String.fromCharCode(answer[at + 5] ?? 0)
  if (status === 'I') return 'idle'
  return status === 'T' ? 'inTransaction' : 'failedTransaction'
}

export function message(type: number, body: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(5 + body.length)
  frame[0] = type
  frame.writeInt32BE(4 + body.length, 1)
  body.copy(frame, 5)
  return frame
}

export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

/** A string of a frame from `at` on, and where what follows it begins. */
export function textAt(
  frame: Buffer,
  at: number,
): { readonly value: string; readonly end: number } {
  const zero = frame.indexOf(0, at)
  const stop = zero < 0 ? frame.length : zero
  return { value: frame.toString('utf8', at, stop), end: Math.min(stop + 1, frame.length) }
}

export function query(sql: string): Buffer {
  return message(frontend.query, text(sql))
}

export const sync = message(frontend.sync, Buffer.alloc(0))

export function closeStatement(name: string): Buffer {
  return message(frontend.close, Buffer.concat([Buffer.from('S'), text(name)]))
}

/** An error that ends the connection. */
export function fatal(sqlState: string, sentence: string): Buffer {
  return message(backend.errorResponse, text(`SFATAL\0VFATAL\0C${sqlState}\0M${sentence}\0`))
}

/** What a server states to a connection it has accepted. */
export function greeting(connection: number, parameters: Readonly<Record<string, string>>): Buffer {
  const keyData = Buffer.alloc(8)
  keyData.writeInt32BE(connection, 0)
  return Buffer.concat([
    message(backend.authentication, Buffer.alloc(4)),
    ...Object.entries(parameters).map(([name, value]) =>
      message(backend.parameterStatus, text(`${name}\0${value}`)),
    ),
    message(backend.backendKeyData, keyData),
    message(backend.readyForQuery, Buffer.from('I')),
  ])
}

export interface Notification {
  readonly channel: string
  readonly frame: Buffer
}

/** Takes the notifications out of an answer; the connections that listen get them instead of the one that sent the query. */
export function splitNotifications(answer: Buffer): {
  readonly rest: Buffer
  readonly notifications: readonly Notification[]
} {
  const notifications: Notification[] = []
  const kept: Buffer[] = []
  let from = 0
  for (let at = 0; at + 5 <= answer.length; ) {
    const end = at + 1 + answer.readInt32BE(at + 1)
    if (answer[at] === backend.notificationResponse) {
      const frame = answer.subarray(at, end)
      notifications.push({ channel: textAt(frame, 9).value, frame })
      kept.push(answer.subarray(from, at))
      from = end
    }
    at = end
  }
  if (notifications.length === 0) return { rest: answer, notifications }
  kept.push(answer.subarray(from))
  return { rest: Buffer.concat(kept), notifications }
}
