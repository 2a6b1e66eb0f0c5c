/**
 * The relay paths. hapi finds the route; from then on body and answer are the gateway's own and hapi is out of the way,
 * because its ways with both cost more than the relay itself (kernel/README.md section 8).
 */

import type { Lifecycle, Request, ResponseToolkit, Server } from '@hapi/hapi'
import type { Client, Credential } from '../../contract/client.js'
import type {
  Endpoint,
  EndpointAnswer,
  EndpointRoute,
  Inbound,
  Received,
} from '../../contract/endpoint.js'
import type { Clock } from '../../contract/kit.js'
import type { Manifest, RouteManifest } from '../../contract/manifest.js'
import type { FormatName } from '../../contract/names.js'
import type { Authenticator, RequestLimiter } from '../../contract/services/ports.js'
import type { ByteBudget } from '../../memory/byte-budget.js'
import type { RelayStart } from '../../pipeline/received.js'
import { multipartType } from '../../toolkit/body/multipart.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { readJsonAhead } from '../../toolkit/json/json.js'
import { limits } from '../../toolkit/limits/limits.js'
import { routePath } from '../../toolkit/management/route-path.js'
import type { AccessDependencies } from '../access-line.js'
import type { Concurrency } from '../concurrency.js'
import { isOpenPath } from '../cors.js'
import type { Failures } from '../failures.js'
import { callerAddress, cameByHttps, countedNetwork, singleValued } from '../inbound-facts.js'
import type { Ongoing } from '../ongoing.js'
import { readRequest } from '../read-request.js'
import { bodyWeight, decoded, isCoded } from '../request-body.js'
import type { MintRequestId } from '../request-id.js'
import type { Spool } from '../spool/spool.js'
import type { TrustedProxies } from '../trusted-proxies.js'
import { leaveUnread } from '../unread.js'
import { Visit } from '../visit.js'
import { type Callers, createCallers, type Known } from './callers.js'
import { sendContent } from './content.js'
import { ResponseSink } from './sink.js'

export interface LoadedEndpoint {
  readonly manifest: Manifest
  readonly endpoint: Endpoint
}

export interface RelayRouteDependencies extends AccessDependencies {
  readonly clock: Clock
  readonly failures: Failures
  readonly ongoing: Ongoing
  readonly proxies: TrustedProxies
  readonly mint: MintRequestId
  readonly bodyBytesMax: number
  readonly bodyTimeoutMs: number
  readonly limiter: RequestLimiter
  readonly authenticator: Pick<Authenticator, 'byKey'>
  readonly concurrency: Concurrency
  readonly budget: ByteBudget
  /** Where large forms are while they arrive. Absent: in memory. */
  readonly spool?: Spool | undefined
  accepting(): boolean
  relay(start: RelayStart): Promise<void>
}

export function addRelayRoutes(
  server: Server,
  endpoints: readonly LoadedEndpoint[],
  dependencies: RelayRouteDependencies,
): void {
  for (const { manifest, endpoint } of endpoints) {
    for (const declared of manifest.routes) {
      const route = endpoint.routes[declared.name]
      if (route === undefined) {
        throw new Error(
          `${manifest.id} declares the route "${declared.name}" but does not serve it.`,
        )
      }
      if (route.kind === 'socket') continue
      const bytesMax = bodyBytesMax(declared, dependencies)
      const name = `${manifest.id}.${declared.name}`
      const relayRoute = new RelayRoute(name, declared, route, bytesMax, dependencies)
      server.route({
        method: declared.method,
        path: routePath(declared.path),
        handler: relayRoute.handler,
        options: {
          auth: false,
          // Before hapi looks at a body: nobody's is read who is not known.
          ...(declared.method !== 'GET' && { ext: { onPreAuth: { method: relayRoute.handler } } }),
        },
      })
    }
  }
}

/** What could never be held is refused as too large. */
function bodyBytesMax(
  { maxBytes, credential }: RouteManifest,
  dependencies: RelayRouteDependencies,
): number {
  const declared = maxBytes ?? dependencies.bodyBytesMax
  const taken = Math.min(declared, dependencies.budget.largestBytes)
  return credential === 'none' ? Math.min(taken, limits.strangerBodyBytesMax) : taken
}

const noBytes = Buffer.alloc(0)
const noQuery: Inbound['client']['query'] = Object.freeze({})

class RelayRoute {
  private readonly messages: boolean
  readonly takesBody: boolean
  private readonly takesJson: boolean
  private readonly takesForm: boolean
  private readonly cors: boolean
  private readonly counted: boolean
  private readonly words: FormatName | undefined
  private readonly callers: Callers

  constructor(
    private readonly name: string,
    private readonly declared: RouteManifest,
    private readonly route: Exclude<EndpointRoute, { readonly kind: 'socket' }>,
    private readonly bytesMax: number,
    private readonly dependencies: RelayRouteDependencies,
  ) {
    this.messages = declared.format === 'messages'
    this.words = declared.format ?? (declared.path.startsWith('/api/') ? undefined : 'chat')
    this.takesBody = declared.method !== 'GET' && declared.body !== 'none'
    this.takesJson = this.takesBody && declared.body === 'json'
    this.takesForm = this.takesBody && declared.body === 'form'
    this.callers = createCallers(declared, route, dependencies.authenticator)
    this.cors = isOpenPath(declared.path)
    this.counted = declared.limiter !== 'relay' && declared.limiter !== 'none'
  }

  readonly handler = (request: Request, h: ResponseToolkit): Lifecycle.ReturnValue => {
    const { dependencies: parts } = this
    const arrived: Arrived = {
      raw: request.raw,
      request,
      receivedAt: parts.clock.now(),
      address: callerAddress(request.raw.req, parts.proxies),
      secure: cameByHttps(request.raw.req, parts.proxies),
      visit: new Visit(parts),
    }
    const sink = this.sinkFor(request, arrived)
    if (sink.gone) return h.abandon
    if (!parts.accepting()) {
      request.raw.res.shouldKeepAlive = false
      this.turnAway(arrived, sink, new Refusal('shutting_down'))
    } else if (this.counted) {
      this.count(arrived.address).then(
        () => this.admit(arrived, sink),
        (error) => this.turnAway(arrived, sink, error),
      )
    } else {
      this.admit(arrived, sink)
    }
    return h.abandon
  }

  /** Old paths of the dashboard among the relay's count as the management API does (LIMIT-3). */
  private async count(address: string): Promise<void> {
    const { name: route, declared, dependencies: parts } = this
    await parts.limiter.arrived({ limiter: declared.limiter, route, address })
  }

  /** Who calls, and whether there is room for it; then the body. Waits only where who calls has to be looked up. */
  private admit(arrived: Arrived, sink: ResponseSink): void {
    const { request, address, secure, visit } = arrived
    try {
      visit.arrives(countedNetwork(address, this.dependencies.proxies))
      const client = clientOf(request, address)
      if (!this.takesBody) {
        leaveUnread(request.raw, this.dependencies.clock)
        this.begin(inboundOf(request, sink, { client, secure }, noBytes), sink, arrived)
        return
      }
      const found = this.callers.of({ method: request.method.toUpperCase(), client, secure })
      if (!(found instanceof Promise)) this.read(arrived, sink, client, found)
      else
        found.then(
          (known) => this.admitted(arrived, sink, client, known),
          (error) => this.turnAway(arrived, sink, error),
        )
    } catch (error) {
      this.turnAway(arrived, sink, error)
    }
  }

  private admitted(arrived: Arrived, sink: ResponseSink, client: Client, known: Known): void {
    try {
      if (!sink.gone) this.read(arrived, sink, client, known)
    } catch (error) {
      this.turnAway(arrived, sink, error)
    }
  }

  /** Throws a `Refusal` where the caller has too much under way. */
  private read(
    { request, raw, visit, secure, receivedAt }: Arrived,
    sink: ResponseSink,
    client: Client,
    { caller, credential }: Known,
  ): void {
    if (caller !== undefined) visit.known(caller)
    const { bytesMax, dependencies: parts } = this
    const { share } = visit
    const refused = (error: unknown) => this.refuse(sink, error)
    const begin = (bytes: Buffer) =>
      this.begin(inboundOf(request, sink, { client, secure }, bytes, credential), sink, {
        receivedAt,
        visit,
      })
    const { 'content-encoding': coding, 'content-type': type = '' } = raw.req.headers
    readRequest(raw, {
      clock: parts.clock,
      bytesMax,
      timeoutMs: parts.bodyTimeoutMs,
      share,
      spool: this.takesForm && multipartType.test(type) ? parts.spool : undefined,
      taken: isCoded(coding)
        ? (bytes) => void decoded(bytes, coding, { bytesMax, share }).then(begin, refused)
        : begin,
      refused,
    })
  }

  private sinkFor(request: Request, { address, visit }: Arrived): ResponseSink {
    const { clock, log, traffic, ongoing, mint } = this.dependencies
    ongoing.responseBegins()
    return new ResponseSink(request.raw.res, {
      requestId: mint(),
      clock,
      log,
      traffic,
      method: request.method.toUpperCase(),
      path: request.path,
      address,
      messages: this.messages,
      cors: this.cors,
      closed() {
        ongoing.responseEnds()
        visit.answerEnds()
      },
    })
  }

  private begin(
    inbound: Inbound,
    sink: ResponseSink,
    { receivedAt, visit }: Pick<Arrived, 'receivedAt' | 'visit'>,
  ): void {
    if (sink.gone) return
    const { ongoing } = this.dependencies
    const { requestId } = inbound
    let work: Promise<void>
    try {
      work = this.work(inbound, sink, { receivedAt, visit })
    } catch (error) {
      this.refuse(sink, error)
      return
    }
    ongoing.relayBegins(requestId)
    visit.workBegins()
    work.then(
      () => {
        ongoing.relayEnds(requestId)
        visit.workEnds()
        if (!sink.finished) this.refuse(sink, new Error('the relay ended without an answer'))
      },
      (error) => {
        ongoing.relayEnds(requestId)
        visit.workEnds()
        this.refuse(sink, error)
      },
    )
  }

  /** What the kind of the route makes of it. Throws what the route throws at once. */
  private work(
    inbound: Inbound,
    sink: ResponseSink,
    { receivedAt, visit }: Pick<Arrived, 'receivedAt' | 'visit'>,
  ): Promise<void> {
    const { relay } = this.dependencies
    const { route } = this
    switch (route.kind) {
      case 'relay':
        return this.received(
          this.ready(inbound, visit, () => route.receive(inbound)),
          (received) =>
            'operation' in received
              ? relay({ request: received, inbound, sink, receivedAt, room: visit.share })
              : sendAnswer(sink, received),
        )
      case 'answer':
        return this.ready(inbound, visit, () => route.answer(inbound)).then((answer) =>
          sendAnswer(sink, answer),
        )
      case 'stream':
        return this.ready(inbound, visit, () => route.open(inbound)).then((stream) =>
          sendContent(sink, stream, { headOnly: inbound.method === 'HEAD' }),
        )
    }
  }

  /** JSON is read before its route asks for it: it is weighed there, and a large one leaves others their turn. */
  private ready<Made>({ payload }: Inbound, visit: Visit, go: () => Promise<Made>): Promise<Made>
  private ready<Made>(
    { payload }: Inbound,
    visit: Visit,
    go: () => Made | Promise<Made>,
  ): Made | Promise<Made>
  private ready<Made>({ payload }: Inbound, visit: Visit, go: () => Made | Promise<Made>) {
    if (!this.takesJson || payload.length <= limits.unweighedJsonBytesMax) return go()
    return readJsonAhead(payload, bodyWeight(visit.share))?.then(go) ?? go()
  }

  /** Most endpoints read their request at once; waiting for them all the same would cost a turn each. */
  private received(
    received: Received | Promise<Received>,
    go: (received: Received) => Promise<void>,
  ): Promise<void> {
    return received instanceof Promise ? received.then(go) : go(received)
  }

  /** What a stranger sends is not read. */
  private turnAway({ raw }: Arrived, sink: ResponseSink, error: unknown): void {
    leaveUnread(raw, this.dependencies.clock)
    this.refuse(sink, error)
  }

  /** Sends the error to the client while that is possible; an answer already begun is cut instead. */
  private refuse(sink: ResponseSink, error: unknown): void {
    const { log, failures } = this.dependencies
    const { requestId } = sink
    if (!(error instanceof Refusal)) log.error({ err: error, requestId }, 'a relay route failed')
    if (sink.finished) return
    if (sink.started) {
      sink.destroy()
      return
    }
    const { status, body } = failures.reply(this.words, error)
    const reported = error instanceof Refusal ? error.headers : undefined
    if (error instanceof Refusal) sink.note({ code: error.code })
    sink.send(status, reported === undefined ? jsonType : { ...jsonType, ...reported }, body)
  }
}

const jsonType = { 'content-type': 'application/json' } as const

async function sendAnswer(
  sink: ResponseSink,
  { status, headers, body }: EndpointAnswer,
): Promise<void> {
  const all = headers === undefined ? jsonType : { ...jsonType, ...headers }
  sink.send(status, all, JSON.stringify(body))
}

/** One request before its body is there. */
interface Arrived {
  readonly request: Request
  readonly raw: Request['raw']
  /** Unix milliseconds. */
  readonly receivedAt: number
  readonly address: string
  /** It came by HTTPS. */
  readonly secure: boolean
  readonly visit: Visit
}

function clientOf({ raw, query }: Request, address: string): Client {
  const hasQuery = raw.req.url?.includes('?') === true
  return {
    headers: raw.req.headers,
    query: hasQuery ? singleValued(query) : noQuery,
    address,
  }
}

function inboundOf(
  request: Request,
  sink: ResponseSink,
  { client, secure }: Pick<Inbound, 'client' | 'secure'>,
  payload: Buffer,
  credential?: Credential,
): Inbound {
  return {
    requestId: sink.requestId,
    method: request.method.toUpperCase(),
    path: request.path,
    params: singleValued(request.params),
    client,
    secure,
    payload,
    credential,
  }
}
