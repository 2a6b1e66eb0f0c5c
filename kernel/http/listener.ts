/** The listening socket and its bounds: how long a request may take to arrive and how much of it is looked at (S14). */
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { type Certificate, tlsVersionMin } from './certificate.js'
import { httpLimits } from './limits.js'

const bounds = {
  headersTimeout: httpLimits.headersMs,
  requestTimeout: httpLimits.requestMs,
  connectionsCheckingInterval: httpLimits.connectionsCheckMs,
  keepAliveTimeout: httpLimits.keepAliveMs,
  maxHeaderSize: httpLimits.headerBytesMax,
  noDelay: true,
} as const

/** Over TLS of its own. The server takes another certificate by `useCertificate`. */
export function createTlsListener(certificate: Certificate): TlsServer {
  const server = createTlsServer({
    ...bounds,
    ...secureContextOf(certificate),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: httpLimits.handshakeMs,
  })
  bound(server)
  return server
}

/** For connections to come; those that are there keep theirs. */
export function useCertificate(server: TlsServer, certificate: Certificate): void {
  server.setSecureContext(secureContextOf(certificate))
}

function secureContextOf({ cert, key }: Certificate) {
  return { cert, key, minVersion: tlsVersionMin } as const
}

export function createListener(): Server {
  const server = createServer(bounds)
  bound(server)
  return server
}

function bound(server: Server | TlsServer): void {
  server.maxHeadersCount = httpLimits.headersMax
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Whoever does not speak TLS cannot read what is sent over it.
    const noTls = error.code?.startsWith('ERR_SSL_') || error.code?.startsWith('ERR_TLS_')
    if (!socket.writable || error.code === 'ECONNRESET' || noTls || isAnswering(socket)) {
      socket.destroy()
      return
    }
    socket.end(
      `HTTP/1.1 ${statusLine(error.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
  })
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
