/**
 * The relay paths. hapi finds the route; from then on body and answer are the gateway's own and hapi is out of the way,
 * because its ways with both cost more than the relay itself (performance.md).
 */
import type { Lifecycle, Request, ResponseToolkit, Server } from '@hapi/hapi'
import type { Ask, Endpoint, EndpointRoute, Inbound } from '../contract/endpoint.js'
import type { FormatName } from '../contract/format.js'
import type { Clock } from '../contract/kit.js'
import type { Manifest, RouteManifest } from '../contract/manifest.js'
import type { RequestLimiter } from '../contract/service.js'
import type { Sink } from '../contract/sink.js'
import { Refusal } from '../errors.js'
import { isLargeJson, readJsonAhead } from '../wire/json.js'
import type { AccessParts } from './access-line.js'
import { isOpenPath } from './cors.js'
import type { Failures } from './failures.js'
import { callerAddress, cameByHttps, singleValued } from './inbound-facts.js'
import type { Ongoing } from './ongoing.js'
import { readRequest } from './read-request.js'
import { decoded, isCoded } from './request-body.js'
import type { MintRequestId } from './request-id.js'
import { routePath } from './route-path.js'
import { ResponseSink } from './sink.js'
import type { TrustedProxies } from './trusted-proxies.js'

/** A request on its way into the line. */
export interface RelayStart {
  readonly ask: Ask
  readonly inbound: Inbound
  readonly sink: Sink
  /** Unix milliseconds. */
  readonly receivedAt: number
}

export interface LoadedEndpoint {
  readonly manifest: Manifest
  readonly endpoint: Endpoint
}

export interface RelayRouteParts extends AccessParts {
  readonly clock: Clock
  readonly failures: Failures
  readonly ongoing: Ongoing
  readonly proxies: TrustedProxies
  readonly mint: MintRequestId
  readonly bodyBytesMax: number
  readonly bodyTimeoutMs: number
  readonly limiter: RequestLimiter
  accepting(): boolean
  relay(start: RelayStart): Promise<void>
}

export function addRelayRoutes(
  server: Server,
  endpoints: readonly LoadedEndpoint[],
  parts: RelayRouteParts,
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
      const bytesMax = declared.maxBytes ?? parts.bodyBytesMax
      const name = `${manifest.id}.${declared.name}`
      const relayRoute = new RelayRoute(name, declared, route, bytesMax, parts)
      server.route({
        method: declared.method,
        path: routePath(declared.path),
        handler: relayRoute.handler,
        options: {
          auth: false,
          ...(relayRoute.takesBody && {
            payload: {
              parse: false,
              output: 'stream',
              maxBytes: bytesMax,
              // The endpoint judges the declared type itself, in its own words (FMT-16).
              override: 'application/octet-stream',
            },
          }),
        },
      })
    }
  }
}

const noBytes = Buffer.alloc(0)
const noQuery: Inbound['client']['query'] = Object.freeze({})

class RelayRoute {
  private readonly messages: boolean
  readonly takesBody: boolean
  private readonly cors: boolean
  private readonly counted: boolean
  private readonly words: FormatName | undefined

  constructor(
    private readonly name: string,
    private readonly declared: RouteManifest,
    private readonly route: Exclude<EndpointRoute, { readonly kind: 'socket' }>,
    private readonly bytesMax: number,
    private readonly parts: RelayRouteParts,
  ) {
    this.messages = declared.format === 'messages'
    this.words = declared.format ?? (declared.path.startsWith('/api/') ? undefined : 'chat')
    this.takesBody = declared.method !== 'GET'
    this.cors = isOpenPath(declared.path)
    this.counted = declared.limiter !== 'relay' && declared.limiter !== 'none'
  }

  readonly handler = (request: Request, h: ResponseToolkit): Lifecycle.ReturnValue => {
    const { parts } = this
    const receivedAt = parts.clock.now()
    const address = callerAddress(request.raw.req, parts.proxies)
    const sink = this.sinkFor(request, address)
    if (sink.gone) return h.abandon
    if (!parts.accepting()) {
      request.raw.res.shouldKeepAlive = false
      this.refuse(sink, new Refusal('shutting_down'))
      return h.abandon
    }
    const from = { address, secure: cameByHttps(request.raw.req, parts.proxies) }
    const begin = (bytes: Buffer) =>
      this.begin(inboundOf(request, sink, from, bytes), sink, receivedAt)
    const go = () => (this.takesBody ? this.read(request.raw, sink, begin) : begin(noBytes))
    if (this.counted) this.count(address).then(go, (error) => this.refuse(sink, error))
    else go()
    return h.abandon
  }

  /** Old paths of the dashboard among the relay's count as the management API does (LIMIT-3). */
  private async count(address: string): Promise<void> {
    const { name: route, declared, parts } = this
    await parts.limiter.arrived({ limiter: declared.limiter, route, address })
  }

  private read(raw: Request['raw'], sink: ResponseSink, begin: (bytes: Buffer) => void): void {
    const { clock, bodyTimeoutMs } = this.parts
    const refused = (error: unknown) => this.refuse(sink, error)
    const coding = raw.req.headers['content-encoding']
    readRequest(raw.req, {
      clock,
      bytesMax: this.bytesMax,
      timeoutMs: bodyTimeoutMs,
      taken: isCoded(coding)
        ? (bytes) => void decoded(bytes, coding, this.bytesMax).then(begin, refused)
        : begin,
      refused(refusal) {
        // Nobody waits for the rest of a body that came too late.
        if (refusal.code === 'request_timeout') raw.res.shouldKeepAlive = false
        refused(refusal)
      },
    })
  }

  private sinkFor(request: Request, address: string): ResponseSink {
    const { clock, log, traffic, ongoing, mint } = this.parts
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
      closed: () => ongoing.responseEnds(),
    })
  }

  private begin(inbound: Inbound, sink: ResponseSink, receivedAt: number): void {
    if (sink.gone) return
    const { ongoing, relay } = this.parts
    const { route } = this
    const { requestId } = inbound
    let work: Promise<void>
    try {
      work =
        route.kind === 'relay'
          ? this.received(
              ready(inbound, () => route.receive(inbound)),
              (ask) => relay({ ask, inbound, sink, receivedAt }),
            )
          : ready(inbound, () => route.answer(inbound)).then(({ status, body }) => {
              sink.send(status, jsonType, JSON.stringify(body))
            })
    } catch (error) {
      this.refuse(sink, error)
      return
    }
    ongoing.relayBegins(requestId)
    work.then(
      () => {
        ongoing.relayEnds(requestId)
        if (!sink.finished) this.refuse(sink, new Error('the relay ended without an answer'))
      },
      (error) => {
        ongoing.relayEnds(requestId)
        this.refuse(sink, error)
      },
    )
  }

  /** Most endpoints read their request at once; waiting for them all the same would cost a turn each. */
  private received(ask: Ask | Promise<Ask>, relay: (ask: Ask) => Promise<void>): Promise<void> {
    return ask instanceof Promise ? ask.then(relay) : relay(ask)
  }

  /** Tells the client while it can still be told; an answer already begun is cut instead. */
  private refuse(sink: ResponseSink, error: unknown): void {
    const { log, failures } = this.parts
    const { requestId } = sink
    if (!(error instanceof Refusal)) log.error({ err: error, requestId }, 'a relay route failed')
    if (sink.finished) return
    if (sink.started) {
      sink.destroy()
      return
    }
    const { status, body } = failures.reply(this.words, error)
    const told = error instanceof Refusal ? error.headers : undefined
    if (error instanceof Refusal) sink.note({ code: error.code })
    sink.send(status, told === undefined ? jsonType : { ...jsonType, ...told }, body)
  }
}

const jsonType = { 'content-type': 'application/json' } as const

/** A large body is read before its route asks for it, with turns for others in between. */
function ready<Made>({ payload }: Inbound, go: () => Promise<Made>): Promise<Made>
function ready<Made>({ payload }: Inbound, go: () => Made | Promise<Made>): Made | Promise<Made>
function ready<Made>({ payload }: Inbound, go: () => Made | Promise<Made>) {
  return isLargeJson(payload) ? readJsonAhead(payload).then(go) : go()
}

function inboundOf(
  request: Request,
  sink: ResponseSink,
  { address, secure }: { readonly address: string; readonly secure: boolean },
  payload: Buffer,
): Inbound {
  const hasQuery = request.raw.req.url?.includes('?') === true
  return {
    requestId: sink.requestId,
    method: request.method.toUpperCase(),
    path: request.path,
    params: singleValued(request.params),
    client: {
      headers: request.raw.req.headers,
      query: hasQuery ? singleValued(request.query) : noQuery,
      address,
    },
    secure,
    payload,
  }
}
