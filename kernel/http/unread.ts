/**
 * What becomes of a body that is not wanted. A small rest is read away, so that the connection can go on; of anything
 * else nothing more is read: the connection ends behind the answer, after a moment in which the client can read it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../contract/kit.js'
import { limits } from '../toolkit/limits/limits.js'

export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse<IncomingMessage>
}

/** True where the head of a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredBytes(headers) ?? 0) > 0
}

/** Bytes of the body by its head; undefined: it is sent in chunks, or there is none. */
export function declaredBytes({
  'content-length': length,
}: IncomingMessage['headers']): number | undefined {
  return length === undefined ? undefined : Number(length)
}

/** To be called before the answer is sent, once at most for a request. */
export function leaveUnread({ req, res }: Exchange, clock: Clock): void {
  if (req.complete || req.destroyed || !announcesBody(req)) return
  const declared = declaredBytes(req.headers)
  const isSmall = declared !== undefined && declared <= limits.unreadBytesMax
  // A client that waits for `100 Continue` may send the body all the same, or not: where the next request begins is not known.
  if (!isSmall || req.headers.expect !== undefined) closeAfterwards(req, res)
  lingerAtEnd(req.socket, clock)
  req.resume()
}

/**
 * hapi reads the body of a request whose path cannot be decoded before it refuses it. To be called before hapi sees the
 * request: the body is left unread, and hapi is kept from waiting for it.
 */
export function leaveUndecodable(exchange: Exchange, clock: Clock): void {
  const { req } = exchange
  if (!announcesBody(req) || isDecodable(req.url ?? '')) return
  leaveUnread(exchange, clock)
  delete req.headers['content-length']
  delete req.headers['transfer-encoding']
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0]!)
    return true
  } catch {
    return false
  }
}

/** Nothing more is read from the network. What the parser has at hand is dropped as it comes. */
function closeAfterwards(req: IncomingMessage, res: ServerResponse): void {
  res.shouldKeepAlive = false
  req._read = () => {}
  req.socket.pause()
}

/**
 * A connection that is closed while bytes of the client wait on it is reset, and the client may lose an answer it has
 * not read yet. So only this side is closed at first (as `lingering_close` of nginx does).
 */
function lingerAtEnd(socket: Socket, clock: Clock): void {
  let ending = false
  socket.destroySoon = () => {
    if (ending) return
    ending = true
    socket.end()
    const cancel = clock.after(limits.lingerMs, () => socket.destroy())
    socket.once('close', cancel)
  }
}
