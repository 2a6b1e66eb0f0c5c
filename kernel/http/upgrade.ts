/**
 * The one listener for upgrades, which sends each to whoever serves its path. node hands over every request that so much
 * as offers to change the protocol; all but WebSockets for a known path go back and are answered as the plain
 * requests they are too (RFC 9110 section 7.8), so that a client which offers HTTP/2 on the way loses nothing by it.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** `head`: bytes that came with the request. */
export type UpgradeHandler = (request: IncomingMessage, connection: Socket, head: Buffer) => void

export interface Upgrades {
  /** WebSockets at this path, which has no slash at its end, are the handler's business from now on. */
  serve(path: string, handler: UpgradeHandler): void
}

/** Takes the place of every other listener for upgrades: two on one connection crash the process. */
export function dispatchUpgrades(listener: Server): Upgrades {
  const handlers = new Map<string, UpgradeHandler>()
  listener.removeAllListeners('upgrade')
  listener.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) => {
    const handler = isWebSocket(request) ? handlers.get(pathOf(request.url ?? '')) : undefined
    if (handler !== undefined) handler(request, connection, head)
    else giveBack(listener, request, connection, head)
  })
  return {
    serve: (path, handler) => void handlers.set(path, handler),
  }
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket'
}

/** Both slash forms are one path. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The connection starts over with the same request, its wish for another protocol left out. */
function giveBack(
  listener: Server,
  request: IncomingMessage,
  connection: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    const value = plainValue(name.toLowerCase(), rawHeaders[at + 1]!)
    if (value !== undefined) lines.push(`${name}: ${value}`)
  }
  const text = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  connection.unshift(Buffer.concat([text, head]))
  const begins = connection instanceof TLSSocket ? 'secureConnection' : 'connection'
  // node's own listener, the first there is; the others have seen this connection already.
  listener.listeners(begins)[0]?.call(listener, connection)
}

function plainValue(name: string, value: string): string | undefined {
  if (name === 'upgrade' || name === 'http2-settings') return undefined
  if (name !== 'connection') return value
  const kept = value
    .split(',')
    .filter((option) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(option))
  return kept.length === 0 ? undefined : kept.join(',')
}
