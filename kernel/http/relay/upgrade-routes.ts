/**
 * The relay paths that are WebSockets. The request goes down the line like any other before the socket is there: the
 * client is let in by `deliver`, once the upstream's own socket is open (RT-1, S16).
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Server } from '@hapi/hapi'
import type { EndpointRoute, Inbound, RelayRequest } from '../../contract/endpoint.js'
import type { ClientError } from '../../contract/format.js'
import type { Clock } from '../../contract/kit.js'
import type { RouteManifest } from '../../contract/manifest.js'
import type { Authenticator } from '../../contract/services/ports.js'
import type { ByteBudget } from '../../memory/byte-budget.js'
import type { RelayStart } from '../../pipeline/received.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { routePath } from '../../toolkit/management/route-path.js'
import type { AccessDependencies } from '../access-line.js'
import type { Concurrency } from '../concurrency.js'
import { isOpenPath } from '../cors.js'
import type { Failures } from '../failures.js'
import { callerAddress, cameByHttps, countedNetwork, singleValued } from '../inbound-facts.js'
import type { Ongoing } from '../ongoing.js'
import type { MintRequestId } from '../request-id.js'
import type { TrustedProxies } from '../trusted-proxies.js'
import { pathOf, type Upgrades } from '../upgrade.js'
import { Visit } from '../visit.js'
import type { LoadedEndpoint } from './relay-routes.js'
import { handshakeFault, upgradeRequired, upgradeWanted } from './upgrade-handshake.js'
import { UpgradeSink } from './upgrade-sink.js'

export interface UpgradeRouteDependencies extends AccessDependencies {
  readonly clock: Clock
  readonly failures: Failures
  readonly ongoing: Ongoing
  readonly proxies: TrustedProxies
  readonly mint: MintRequestId
  readonly authenticator: Pick<Authenticator, 'byKey'>
  readonly concurrency: Concurrency
  readonly budget: ByteBudget
  accepting(): boolean
  relay(start: RelayStart): Promise<void>
}

export interface OpenSockets {
  /** Tells every open socket that the gateway begins to stop. */
  stop(): void
  /** Cuts what is still open. */
  destroy(): void
}

interface Arrived {
  /** Unix milliseconds. */
  readonly receivedAt: number
  readonly visit: Visit
}

type SocketRoute = Extract<EndpointRoute, { readonly kind: 'socket' }>

export function addUpgradeRoutes(
  server: Server,
  endpoints: readonly LoadedEndpoint[],
  upgrades: Upgrades,
  dependencies: UpgradeRouteDependencies,
): OpenSockets {
  const open = new Set<UpgradeSink>()
  for (const { manifest, endpoint } of endpoints) {
    for (const declared of manifest.routes) {
      const route = endpoint.routes[declared.name]
      if (route?.kind !== 'socket') continue
      const upgradeRoute = new UpgradeRoute(declared, route, dependencies, open)
      upgrades.serve(declared.path, upgradeRoute.take)
      addPlainRoute(server, declared, dependencies.failures)
    }
  }
  return {
    stop() {
      for (const sink of open) sink.stop()
    },
    destroy() {
      for (const sink of open) sink.destroy()
    },
  }
}

/** The same path without an upgrade. */
function addPlainRoute(server: Server, { path, format }: RouteManifest, failures: Failures): void {
  const { status, body } = failures.dressed(format ?? 'chat', upgradeRequired)
  server.route({
    method: 'GET',
    path: routePath(path),
    options: { auth: false },
    handler(_, h) {
      const response = h.response(body).code(status).type('application/json')
      for (let at = 0; at < upgradeWanted.length; at += 2) {
        response.header(upgradeWanted[at]!, upgradeWanted[at + 1]!)
      }
      return response
    },
  })
}

class UpgradeRoute {
  private readonly cors: boolean

  constructor(
    private readonly declared: RouteManifest,
    private readonly route: SocketRoute,
    private readonly dependencies: UpgradeRouteDependencies,
    private readonly open: Set<UpgradeSink>,
  ) {
    this.cors = isOpenPath(declared.path)
  }

  readonly take = (request: IncomingMessage, connection: Socket, head: Buffer): void => {
    if (connection.destroyed) return
    const { dependencies: parts } = this
    const receivedAt = parts.clock.now()
    const address = callerAddress(request, parts.proxies)
    const visit = new Visit(parts)
    const sink = this.sinkFor(request, connection, head, { address, visit })
    const fault = handshakeFault(request)
    if (!parts.accepting()) this.refuse(sink, new Refusal('shutting_down'))
    else if (fault !== undefined) this.turnAway(sink, fault)
    else {
      const secure = cameByHttps(request, parts.proxies)
      this.begin({ ...inboundOf(request, sink, address), secure }, sink, { receivedAt, visit })
    }
  }

  private sinkFor(
    request: IncomingMessage,
    connection: Socket,
    head: Buffer,
    { address, visit }: Pick<Arrived, 'visit'> & { readonly address: string },
  ): UpgradeSink {
    const { clock, log, traffic, ongoing, mint } = this.dependencies
    const { cors, open } = this
    const path = pathOf(request.url ?? '')
    ongoing.responseBegins()
    const closed = () => {
      open.delete(sink)
      ongoing.responseEnds()
      visit.answerEnds()
    }
    const sink: UpgradeSink = new UpgradeSink({
      ...{ request, connection, head, path, address, cors },
      ...{ clock, log, traffic, requestId: mint(), closed },
    })
    open.add(sink)
    return sink
  }

  private begin(inbound: Inbound, sink: UpgradeSink, arrived: Arrived): void {
    const { ongoing } = this.dependencies
    ongoing.relayBegins(sink.requestId)
    arrived.visit.workBegins()
    this.relay(inbound, sink, arrived)
      .then(() => {
        if (!sink.finished) throw new Error('the relay ended without an answer')
      })
      .catch((error) => this.refuse(sink, error))
      .finally(() => {
        ongoing.relayEnds(sink.requestId)
        arrived.visit.workEnds()
      })
  }

  private async relay(
    inbound: Inbound,
    sink: UpgradeSink,
    { receivedAt, visit }: Arrived,
  ): Promise<void> {
    const { authenticator, proxies } = this.dependencies
    const { address } = inbound.client
    visit.arrives(countedNetwork(address, proxies))
    const relayRequest: RelayRequest = await this.route.receive(inbound)
    const { credential } = relayRequest
    // Without one the line refuses it.
    if (credential.kind === 'key') visit.known(await authenticator.byKey(credential.key, address))
    else if (credential.kind === 'user') visit.known(credential)
    await this.dependencies.relay({ request: relayRequest, inbound, sink, receivedAt })
  }

  /** Sends the error to the client while that is possible; a socket already open is cut instead. */
  private refuse(sink: UpgradeSink, error: unknown): void {
    const { log, failures } = this.dependencies
    const { requestId } = sink
    if (!(error instanceof Refusal)) log.error({ err: error, requestId }, 'a relay route failed')
    if (sink.started) {
      sink.destroy()
      return
    }
    const { status, body } = failures.reply(this.declared.format ?? 'chat', error)
    if (error instanceof Refusal) sink.note({ code: error.code })
    const reported = error instanceof Refusal ? error.headers : undefined
    sink.send(status, { 'content-type': 'application/json', ...reported }, body)
  }

  private turnAway(sink: UpgradeSink, fault: ClientError): void {
    const { status, body } = this.dependencies.failures.dressed(
      this.declared.format ?? 'chat',
      fault,
    )
    sink.note({ code: fault.code })
    sink.refuse(status, body, ['Content-Type', 'application/json', ...upgradeWanted])
  }
}

const noBytes = Buffer.alloc(0)

function inboundOf(request: IncomingMessage, sink: UpgradeSink, address: string): Inbound {
  const url = request.url ?? ''
  const end = url.indexOf('?')
  const query = new URLSearchParams(end < 0 ? '' : url.slice(end + 1))
  return {
    requestId: sink.requestId,
    method: 'GET',
    path: pathOf(url),
    params: {},
    client: { headers: request.headers, query: singleValued(allOf(query)), address },
    payload: noBytes,
  }
}

function allOf(query: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]))
}
