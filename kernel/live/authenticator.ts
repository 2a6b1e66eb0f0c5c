/**
 * Who may have a live socket: a signed-in user, on a page of this very site. Asked before there is a socket, and again
 * while there is one, without that counting as a use of the session: an idle page keeps nobody signed in.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket as Connection } from 'node:net'
import type { Principal } from '../contract/management.js'
import { accessLine } from '../http/access-line.js'
import { callerAddress, cameByHttps } from '../http/inbound-facts.js'
import type { LiveDependencies } from '../http/server.js'
import { rawAnswer } from '../http/upgrade-answer.js'
import { requireOwnOrigin } from '../toolkit/endpoint/same-origin.js'
import { Refusal } from '../toolkit/errors/refusal.js'
import type { LiveConnections, LiveSession } from './connections.js'
import { liveLimits } from './limits.js'
import type { NesServer } from './nes-server.js'

export class LiveAuthenticator {
  private isShut = false

  constructor(
    private readonly dependencies: LiveDependencies,
    private readonly connections: LiveConnections,
    private readonly nes: NesServer,
  ) {}

  readonly take = (request: IncomingMessage, connection: Connection, head: Buffer): void => {
    // It may break while nobody else listens to it.
    connection.on('error', () => connection.destroy())
    const logLine = this.lineOf(request)
    this.admitted(request).then(
      (visit) => {
        logLine(connection.destroyed ? clientGone : switched)
        if (!connection.destroyed) this.nes.accept(request, connection, head, visit)
      },
      (error: unknown) => logLine(this.refuse(connection, error)),
    )
  }

  /** Writes the one line of the access log. */
  private lineOf(request: IncomingMessage): (status: number) => void {
    const { clock, proxies, mint } = this.dependencies
    const since = clock.monotonic()
    const details = { requestId: mint(), address: callerAddress(request, proxies) }
    return (status) => {
      const durationMs = Math.round(clock.monotonic() - since)
      accessLine(this.dependencies, {
        ...details,
        method: 'GET',
        path: '/live',
        status,
        durationMs,
        bytes: 0,
      })
    }
  }

  /** Whether those inside may still be there: all, or those of some users. */
  async check(userIds?: ReadonlySet<number>): Promise<void> {
    if (this.connections.size > 0) await this.connections.check((visit) => this.who(visit), userIds)
  }

  /** The same for those who wait for no answer; what cannot be looked up now is looked up at the next turn. */
  readonly checkSoon = (userIds: ReadonlySet<number>): void => {
    this.check(userIds).catch((err: unknown) => {
      this.dependencies.log.warn({ err }, 'sessions of live sockets could not be checked')
    })
  }

  shut(): void {
    this.isShut = true
  }

  private async admitted(request: IncomingMessage): Promise<LiveSession> {
    const { proxies, limiter } = this.dependencies
    const { headers } = request
    const secure = cameByHttps(request, proxies)
    this.requireOpen()
    requireOwnOrigin(headers, secure)
    const address = callerAddress(request, proxies)
    await limiter.arrived({ limiter: 'api', route: 'live', address })
    const { cookie = '' } = headers
    const principal = await this.who({ cookie, secure })
    if (principal === undefined) throw new Refusal('unauthorized')
    this.requireOpen()
    if (!this.connections.hasRoomFor(principal.userId)) throw full()
    return { principal, cookie, secure }
  }

  private who({ cookie, secure }: Omit<LiveSession, 'principal'>): Promise<Principal | undefined> {
    return this.dependencies.authenticator.principal({ headers: { cookie }, secure, unused: true })
  }

  private requireOpen(): void {
    if (this.isShut) throw new Refusal('shutting_down')
  }

  /** Returns the status it reported. */
  private refuse(connection: Connection, error: unknown): number {
    const { log, failures } = this.dependencies
    if (!(error instanceof Refusal)) log.error({ err: error }, 'a live socket failed')
    if (connection.destroyed) return clientGone
    const { status, body } = failures.reply(undefined, error)
    const details = Object.entries((error instanceof Refusal && error.headers) || {}).flat()
    const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', ...details]
    connection.end(rawAnswer({ status, headers, body }), () => connection.destroy())
    return status
  }
}

const switched = 101
const clientGone = 499

function full(): Refusal {
  const seconds = liveLimits.retryAfterSeconds
  const headers = { 'retry-after': String(seconds) }
  return new Refusal('rate_limit_exceeded', { seconds }, { headers })
}
