/**
 * HTTP in: one listener for the relay paths, the management paths and everything that is refused before either. Also
 * how it stops: not ready, no new relays, what runs comes to its end or is ended, then the connections (P9).
 */
import type { Server as NodeServer } from 'node:http'
import { server as hapiServer, type Server } from '@hapi/hapi'
import type { Clock, Log } from '../contract/kit.js'
import type { RequestId } from '../contract/names.js'
import type { Formats } from '../contract/services/formats.js'
import type { Auditor, Authenticator, RequestLimiter } from '../contract/services/ports.js'
import type { Environment } from '../contract/services/system.js'
import { ByteBudget, defaultBudgetBytes } from '../memory/byte-budget.js'
import type { RelayStart } from '../pipeline/received.js'
import { limits } from '../toolkit/limits/limits.js'
import { isLoopback } from '../toolkit/service/loopback.js'
import type { AccessDependencies } from './access-line.js'
import { type Certificate, readCertificate } from './certificate.js'
import { followCertificate } from './certificate-renewal.js'
import { createConcurrency } from './concurrency.js'
import { capConnections } from './connection-cap.js'
import { createFailures, type Failures } from './failures.js'
import { httpLimits } from './limits.js'
import { createListener, createTlsListener, useCertificate } from './listener.js'
import { addManagementRoutes, type LoadedManagement } from './management/management.js'
import { Ongoing } from './ongoing.js'
import { noOrigins, type PageOrigins } from './pages/page-origins.js'
import { addPages, type PageFolder } from './pages/pages.js'
import { addRelayRoutes, type LoadedEndpoint } from './relay/relay-routes.js'
import { addUpgradeRoutes } from './relay/upgrade-routes.js'
import { addPreflight, addUnserved, finishReplies, type RepliesPages } from './replies.js'
import { createRequestIds, type MintRequestId } from './request-id.js'
import { transportSecurity } from './security-headers.js'
import type { Spool } from './spool/spool.js'
import type { Counter } from './traffic.js'
import { parseTrustedProxies, type TrustedProxies } from './trusted-proxies.js'
import { unnamedProxies } from './unnamed-proxies.js'
import { leaveUndecodable } from './unread.js'
import { dispatchUpgrades, type UpgradeHandler } from './upgrade.js'

export type { RelayStart }

export interface HttpDependencies {
  readonly environment: Pick<
    Environment,
    'host' | 'hsts' | 'port' | 'trustedProxies' | 'maxRequestBodyBytes' | 'tls' | 'concurrency'
  >
  readonly log: Log
  readonly clock: Clock
  readonly endpoints: readonly LoadedEndpoint[]
  readonly management: readonly LoadedManagement[]
  readonly formats: Formats
  readonly authenticator: Authenticator
  readonly limiter: RequestLimiter
  readonly auditor: Auditor
  readonly traffic?: Counter
  /** Room for the bodies of all requests. Absent: one of its own, by the memory there is. */
  readonly budget?: ByteBudget
  /** Where large forms are while they arrive. Absent: in memory. */
  readonly spool?: Spool | undefined
  /** Absent: no console is served. */
  readonly pages?: PageFolder
  /** Where pages may load from besides; absent: nowhere. */
  readonly pageOrigins?: () => PageOrigins
  /** Whoever takes the WebSockets of the console at `/live`. Absent: nobody. */
  readonly live?: (dependencies: LiveDependencies) => Promise<UpgradeHandler>
  /** Runs one request down the line; resolves once it is settled. */
  relay(start: RelayStart): Promise<void>
}

/** What is known here of those who come to `/live`. */
export interface LiveDependencies extends AccessDependencies {
  readonly clock: Clock
  readonly mint: MintRequestId
  readonly authenticator: Authenticator
  readonly limiter: RequestLimiter
  readonly proxies: TrustedProxies
  readonly failures: Failures
}

export interface HttpServer {
  /** Binds the address; rejects when that is taken. */
  start(): Promise<void>
  /** Where it listens, as `http://127.0.0.1:3000`. Empty before `start`. */
  readonly address: string
  /** False from the beginning of `stop` on: readiness returns 503 and new relays are refused. */
  accepting(): boolean
  /** For those who take over upgraded connections. */
  readonly listener: NodeServer
  /** Resolves once nothing is under way: every response sent to its end, every relay settled. */
  idle(): Promise<void>
  stop(steps: StopSteps): Promise<void>
}

interface StopSteps {
  /** Relays that did not end by themselves in time: end them now. They get a short while to settle. */
  abort(remaining: readonly RequestId[]): void
}

const noBounds = { perAddress: 0, perUser: 0, perKey: 0 } as const

export function createServer(dependencies: HttpDependencies): HttpServer {
  const { environment, log, clock } = dependencies
  const ongoing = new Ongoing(clock)
  const proxies = parseTrustedProxies(environment.trustedProxies, unnamedProxies(log))
  const mint = createRequestIds(() => clock.now())
  const routes = dependencies.endpoints.flatMap(({ manifest }) => manifest.routes)
  const failures = createFailures(dependencies.formats, routes)
  const { listener, follow } = listening(dependencies)
  // A proxy of this machine speaks for many, named or not.
  const speaksForMany = (address: string) => isLoopback(address) || proxies.trusts(address)
  capConnections(listener, speaksForMany, limits.connectionsPerAddressMax)
  const server = bareServer(environment, listener)
  listener.prependListener('request', (req, res) => leaveUndecodable({ req, res }, clock))
  let open = true
  let unfollow = () => {}

  const { limiter, traffic, authenticator } = dependencies
  const budget = dependencies.budget ?? new ByteBudget(defaultBudgetBytes())
  const concurrency = createConcurrency(environment.concurrency ?? noBounds)
  const pages: RepliesPages = { origins: dependencies.pageOrigins ?? (() => noOrigins) }
  const own = { clock, log, traffic, failures, ongoing, proxies, mint, limiter, pages }
  const shared = {
    ...own,
    authenticator,
    budget,
    concurrency,
    transportSecurity: transportSecurity(environment.hsts),
  }
  const { begin } = finishReplies(server, shared)
  addPreflight(server)
  addUnserved(server, clock)
  addRelayRoutes(server, dependencies.endpoints, {
    ...shared,
    bodyBytesMax: environment.maxRequestBodyBytes,
    bodyTimeoutMs: httpLimits.bodyMs,
    spool: dependencies.spool,
    accepting: () => open,
    relay: dependencies.relay,
  })
  const upgrades = dispatchUpgrades(listener)
  const sockets = addUpgradeRoutes(server, dependencies.endpoints, upgrades, {
    ...shared,
    accepting: () => open,
    relay: dependencies.relay,
  })
  addManagementRoutes(server, dependencies.management, {
    ...shared,
    auditor: dependencies.auditor,
    begin,
  })

  async function stop({ abort }: StopSteps): Promise<void> {
    open = false
    sockets.stop()
    if (!(await ongoing.quiet(limits.shutdownMs))) {
      const remaining = ongoing.running()
      log.warn({ remaining: remaining.length }, 'stopping: ending what still runs')
      abort(remaining)
      await ongoing.quiet(httpLimits.settleMs)
    }
    sockets.destroy()
    unfollow()
    const stopped = server.stop()
    // Closed at once, so that no connection comes in between and is waited for.
    listener.close()
    listener.closeAllConnections()
    await stopped
  }

  return {
    listener,
    accepting: () => open,
    async idle() {
      await ongoing.quiet()
    },
    get address() {
      const { started, protocol, port } = server.info
      return started === 0 ? '' : `${protocol}://${hostOf(server)}:${port}`
    },
    async start() {
      if (dependencies.pages !== undefined) {
        pages.fallback = await addPages(server, dependencies.pages, pathsOf(dependencies))
      }
      const take = await dependencies.live?.(shared)
      if (take !== undefined) upgrades.serve('/live', take)
      await server.start()
      unfollow = follow()
    },
    stop,
  }
}

function pathsOf({ endpoints, management }: HttpDependencies): readonly string[] {
  const manifests = [...endpoints, ...management].map(({ manifest }) => manifest)
  return manifests.flatMap(({ routes }) => routes.map(({ path }) => path))
}

/** Throws an `Error` with a sentence where the certificate cannot be used. `follow`: takes renewed ones, until it is stopped. */
function listening({ environment: { tls }, clock, log }: HttpDependencies): Listening {
  if (tls === undefined) return { listener: createListener(), follow: () => () => {} }
  const certificate = readCertificate(tls)
  const listener = createTlsListener(certificate)
  const take = (renewed: Certificate) => useCertificate(listener, renewed)
  return {
    listener,
    follow: () => followCertificate({ files: tls, certificate, clock, log, take }),
  }
}

interface Listening {
  readonly listener: NodeServer
  follow(): () => void
}

function bareServer(
  { host, port, tls }: HttpDependencies['environment'],
  listener: NodeServer,
): Server {
  return hapiServer({
    listener,
    tls: tls !== undefined,
    host,
    port,
    debug: false,
    router: { stripTrailingSlash: true },
    // Compressing an event stream would hold it back until its end.
    mime: { override: { 'text/event-stream': { compressible: false } } },
    // Stopping is done here; hapi's own bookkeeping would cost every request.
    operations: { cleanStop: false },
    routes: { state: { parse: false, failAction: 'ignore' } },
  })
}

function hostOf({ info }: Server): string {
  const address = info.address ?? info.host
  return address.includes(':') ? `[${address}]` : address
}
