/**
 * Opens WebSockets to upstreams by the rules of every other call: the written address is checked, the connection goes
 * to the addresses that were checked, connecting and the answer have their limits, redirects are answers.
 */
import type { Agent, ClientRequestArgs, IncomingMessage } from 'node:http'
import type { LookupFunction, Socket } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import type { Clock, Log } from '../contract/kit.js'
import type { EgressSocketReply, EgressSocketRequest } from '../contract/services/egress.js'
import { peerOptions, SocketPeer } from '../http/socket-peer.js'
import { Collector } from '../toolkit/body/collect.js'
import { outgoingHeaders, upstreamHeaders } from '../toolkit/endpoint/header-hygiene.js'
import { callCancelled, egressError, type Progress } from '../toolkit/errors/egress-error.js'
import { limits } from '../toolkit/limits/limits.js'
import { egressLimits } from './limits.js'
import type { Target } from './target.js'

export interface SocketDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly lookup: LookupFunction
  /** Leads through a proxy, which looks names up itself. Absent: straight. */
  readonly agent?: Agent | undefined
  /** Every socket that is not closed yet. */
  readonly open: Set<WebSocket>
}

/** The address as the checks for other calls read it: a WebSocket is requested over HTTP. */
export function httpUrl(url: string): string {
  return url.replace(/^ws(s?):/i, 'http$1:')
}

export function connectSocket(
  target: Target,
  request: EgressSocketRequest,
  dependencies: SocketDependencies,
): Promise<EgressSocketReply> {
  return new Promise((resolve, reject) => {
    new Opening(request, dependencies, { resolve, reject }).start(target)
  })
}

interface Outcome {
  resolve(reply: EgressSocketReply): void
  reject(error: Error): void
}

class Opening {
  private progress: Progress = 'connecting'
  private over = false
  private socket: WebSocket | undefined
  private connection: Socket | undefined
  private cancelLimit: () => void

  constructor(
    private readonly request: EgressSocketRequest,
    private readonly dependencies: SocketDependencies,
    private readonly outcome: Outcome,
  ) {
    this.cancelLimit = dependencies.clock.after(limits.connectMs, () => this.expire(connectExpired))
  }

  start({ origin, path }: Target): void {
    const { request, dependencies: terms } = this
    try {
      this.socket = new WebSocket(
        `${origin.replace(/^http/, 'ws')}${path}`,
        [...request.protocols],
        this.options(origin.startsWith('https:')),
      )
    } catch (error) {
      this.fail(error as Error)
      return
    }
    const { socket } = this
    terms.open.add(socket)
    socket.on('close', () => terms.open.delete(socket))
    socket.on('error', (error) => this.fail(error))
    socket.on('upgrade', (response) => {
      this.connection = response.socket
    })
    socket.on('unexpected-response', (_, response) => this.refused(socket, response))
    socket.on('open', () => this.opened(socket))
    if (request.cancel !== undefined) request.cancel.abort = () => this.cancel()
  }

  private options(secure: boolean): ClientOptions & ClientRequestArgs {
    const { dependencies: terms, request } = this
    return {
      ...peerOptions,
      headers: handshakeHeaders(request.headers),
      followRedirects: false,
      ...(terms.agent === undefined ? { lookup: terms.lookup } : { agent: terms.agent }),
      maxHeaderSize: egressLimits.headerBytesMax,
      finishRequest: (requested) => {
        requested.on('socket', (connection) => {
          // A proxied connection stands before it is handed over.
          if (terms.agent !== undefined) this.connected()
          else connection.once(secure ? 'secureConnect' : 'connect', () => this.connected())
        })
        requested.end()
      },
    }
  }

  private connected(): void {
    if (this.over) return
    const { clock } = this.dependencies
    this.progress = 'waiting'
    this.cancelLimit()
    this.cancelLimit = clock.after(this.request.handshakeTimeoutMs, () =>
      this.expire(answerExpired),
    )
  }

  private opened(socket: WebSocket): void {
    if (!this.finish()) return
    const { clock, log } = this.dependencies
    const peer = new SocketPeer(socket, { clock, log, connection: this.connection! })
    this.outcome.resolve({ kind: 'open', socket: peer })
  }

  /** No WebSocket but an answer: its beginning is read, and the connection ends with it. */
  private refused(socket: WebSocket, response: IncomingMessage): void {
    if (!this.finish()) return
    const head = new Collector()
    this.cancelLimit = this.dependencies.clock.after(egressLimits.refusalMs, () =>
      socket.terminate(),
    )
    response.on('data', (chunk: Buffer) => {
      head.add(chunk)
      if (head.bytes < limits.errorBodyBytesMax && !head.shredded) return
      response.destroy()
      socket.terminate()
    })
    response.on('error', () => {})
    response.on('end', () => socket.terminate())
    response.on('close', () => {
      this.cancelLimit()
      this.outcome.resolve({
        kind: 'refused',
        status: response.statusCode ?? 0,
        headers: upstreamHeaders(response.headers),
        head: head.all().subarray(0, limits.errorBodyBytesMax),
      })
    })
  }

  private expire(code: string): void {
    this.fail(Object.assign(new Error('a limit of the handshake ran out'), { code }))
  }

  private cancel(): void {
    if (!this.finish()) return
    this.outcome.reject(callCancelled())
    this.socket?.terminate()
  }

  private fail(error: Error): void {
    if (!this.finish()) return
    this.outcome.reject(egressError(error, this.progress))
    this.socket?.terminate()
  }

  /** False: the outcome is known already. */
  private finish(): boolean {
    if (this.over) return false
    this.over = true
    this.cancelLimit()
    return true
  }
}

/** As undici reports them. */
const connectExpired = 'UND_ERR_CONNECT_TIMEOUT'
const answerExpired = 'UND_ERR_HEADERS_TIMEOUT'

/** The handshake's own headers are written by the one who makes the handshake. */
function handshakeHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const flat = outgoingHeaders(given)
  const headers: Record<string, string> = {}
  for (let at = 0; at < flat.length; at += 2) {
    if (!flat[at]!.startsWith('sec-websocket-')) headers[flat[at]!] = flat[at + 1]!
  }
  return headers
}
