/** The listening socket and its bounds: how long a request may take to arrive and how much of it is looked at (failures.md S14). */
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a body may take to arrive. */
export const bodyTimeoutMs = 120_000

export function createListener(): Server {
  const server = createServer({
    headersTimeout: 30_000,
    // A little more than the body's own limit, which is told in the words of the path.
    requestTimeout: bodyTimeoutMs + 30_000,
    connectionsCheckingInterval: 10_000,
    // Above the idle limit of the usual load balancers, so that they and not we close first.
    keepAliveTimeout: 72_000,
    maxHeaderSize: 32 * 1024,
    noDelay: true,
  })
  server.maxHeadersCount = 200
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy()
      return
    }
    socket.end(
      `HTTP/1.1 ${statusLine(error.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
  })
  return server
}

/** An answer is under way on this connection: no status line may be put into the middle of it. */
function isAnswering(socket: Socket): boolean {
  return Reflect.get(socket, '_httpMessage') != null
}

function statusLine(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}
