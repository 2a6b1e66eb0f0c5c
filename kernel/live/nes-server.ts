/**
 * nes on a hapi server of its own that listens nowhere and has no routes: what nes hangs on its listener stays there,
 * and upgrades are handed to it one by one, after they were admitted.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { Socket as Connection } from 'node:net'
import { server as hapiServer, type Server } from '@hapi/hapi'
import nes, { type Nes } from '@hapi/nes'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LiveConnection, LiveSession } from './connections.js'
import { GatedSocket } from './gated-socket.js'
import { liveLimits } from './limits.js'
import { audiencesOf, livePaths } from './topics.js'

export interface NesDependencies {
  opened(visit: LiveSession, socket: WebSocket): LiveConnection
  subscribed(path: string, listener: Listener): void
  unsubscribed(path: string, id: string): void
}

export interface Listener {
  readonly id: string
  readonly connection: LiveConnection
  /** Resolves once written; rejects where the socket is gone. */
  publish(path: string, message: unknown): Promise<void>
}

export interface NesServer {
  accept(request: IncomingMessage, connection: Connection, head: Buffer, visit: LiveSession): void
  stop(): Promise<void>
}

interface App {
  connection?: LiveConnection
}

type NesSocket = Nes.Socket<App>

/** The header nes hands on from the upgrade to its socket: the one way to tell them belong together. */
const carried = 'x-forwarded-for'

export async function startNes(dependencies: NesDependencies): Promise<NesServer> {
  const listener = createServer()
  const server = hapiServer({ listener, autoListen: false, debug: false })
  const arriving = new Map<string, LiveSession>()
  const open = new Map<string, LiveConnection>()
  let tickets = 0

  await server.register({
    plugin: nes,
    options: {
      auth: false,
      onConnection(socket: NesSocket) {
        const connection = open.get(socket.info[carried] ?? '')
        if (connection === undefined) return
        socket.app.connection = connection
        socket.auth.credentials = { scope: audiencesOf(connection.principal.role) }
      },
    },
  })
  addSubscriptions(server, dependencies)
  bounded(server).on('connection', (socket: WebSocket, { headers }: IncomingMessage) => {
    const ticket = String(headers[carried])
    const visit = arriving.get(ticket)
    if (visit === undefined) return
    open.set(ticket, dependencies.opened(visit, socket))
    socket.once('close', () => open.delete(ticket))
  })
  await server.initialize()

  return {
    accept(request, connection, head, visit) {
      tickets += 1
      const ticket = String(tickets)
      request.headers[carried] = ticket
      arriving.set(ticket, visit)
      // ws answers within the call, be it by a socket or by a refusal.
      listener.emit('upgrade', request, connection, head)
      arriving.delete(ticket)
    },
    stop: () => server.stop(),
  }
}

function addSubscriptions(server: Server, dependencies: NesDependencies): void {
  for (const { path, audience } of livePaths) {
    server.subscription(path, {
      auth: { mode: 'required', scope: [audience] },
      async onSubscribe(socket: NesSocket, requested) {
        const { connection } = socket.app
        if (connection === undefined) return
        connection.topics += 1
        if (connection.topics > liveLimits.topicsMax) {
          connection.socket.close(1008, 'too many topics')
          return
        }
        const publish = (to: string, message: unknown) => socket.publish(to, message)
        dependencies.subscribed(requested, { id: socket.id, connection, publish })
      },
      async onUnsubscribe(socket: NesSocket, requested) {
        if (socket.app.connection !== undefined) socket.app.connection.topics -= 1
        dependencies.unsubscribed(requested, socket.id)
      },
    })
  }
}

/** The ws server of nes, which offers no way to bound what clients send. */
function bounded(server: Server): WebSocketServer {
  const { nes: own } = server.plugins as { readonly nes?: { readonly _listener?: object } }
  const sockets: unknown = own?._listener && Reflect.get(own._listener, '_wss')
  if (!(sockets instanceof WebSocketServer)) throw new Error('nes keeps its sockets elsewhere now')
  sockets.options.maxPayload = liveLimits.messageBytesMax
  sockets.options.maxFragments = liveLimits.messageFragmentsMax
  // A packet holds thousands of tiny messages: others have their turn between two.
  sockets.options.allowSynchronousEvents = false
  sockets.options.WebSocket = GatedSocket
  return sockets
}
