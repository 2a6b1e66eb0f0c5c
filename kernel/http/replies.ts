/**
 * What hapi itself sends: management answers, pages, and every refusal before a handler ran. They get the request id,
 * the security or cross-origin headers of their path and their access log line here; refusals get their words.
 */
import type { Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi'
import type { ClientError } from '../contract/format.js'
import type { Clock } from '../contract/kit.js'
import type { RequestId } from '../contract/names.js'
import type { RateHeaders, RequestLimiter } from '../contract/services/ports.js'
import { clientError, Refusal } from '../toolkit/errors/refusal.js'
import { type AccessDependencies, accessLine } from './access-line.js'
import { isOpenPath, openCors, openPrefixes, preflightHeaders } from './cors.js'
import type { Failures } from './failures.js'
import { callerAddress, cameByHttps } from './inbound-facts.js'
import type { Ongoing } from './ongoing.js'
import { noOrigins, type PageOrigins } from './pages/page-origins.js'
import { isUnder, type PageFallback } from './pages/pages.js'
import type { MintRequestId } from './request-id.js'
import { apiSecurityHeaders, nothingPolicy, pageSecurityHeaders } from './security-headers.js'
import type { TrustedProxies } from './trusted-proxies.js'
import { leaveUnread } from './unread.js'

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    requestId?: RequestId
  }
}

export interface ReplyDependencies extends AccessDependencies {
  readonly clock: Clock
  readonly failures: Failures
  readonly ongoing: Ongoing
  readonly proxies: TrustedProxies
  readonly mint: MintRequestId
  readonly limiter: RequestLimiter
  readonly pages?: RepliesPages
  /** Headers of replies to requests that came by HTTPS. */
  readonly transportSecurity: Readonly<Record<string, string>>
}

/** What the pages of the console add to replies. */
export interface RepliesPages {
  /** Absent: no route serves pages. */
  fallback?: PageFallback
  /** Where they may load from besides. */
  origins(): PageOrigins
}

export interface Replies {
  /** Takes note of a request that hapi will answer, once; answers its id. */
  begin(request: Request): RequestId
}

export function finishReplies(server: Server, dependencies: ReplyDependencies): Replies {
  function begin(request: Request): RequestId {
    const { app } = request
    if (app.requestId === undefined) {
      app.requestId = dependencies.mint()
      follow(request, app.requestId, dependencies)
    }
    return app.requestId
  }

  // What goes wrong in here would otherwise end as a bare 500 that nobody notices.
  server.events.on({ name: 'request', channels: 'error' }, ({ app }, { error }) => {
    dependencies.log.error({ err: error, requestId: app.requestId }, 'a reply failed')
  })

  server.ext('onPreResponse', async (request, h) => {
    const { response } = request
    const status = 'isBoom' in response ? response.output.statusCode : response.statusCode
    const refused = 'isBoom' in response || request.route.path === unservedPath
    // A route that was reached has counted its request itself.
    const uncounted = request.app.requestId === undefined
    const id = begin(request)
    const reply = refused
      ? await refusedReply(server, request, status, uncounted, h, dependencies)
      : response
    if (refused && status >= 500) {
      dependencies.log.error(
        { err: response, requestId: id },
        'a request failed before its handler',
      )
    }
    dress(reply, request, id, dependencies)
    return refused ? reply : h.continue
  })

  return { begin }
}

/** Preflights of any page toward the open paths. */
export function addPreflight(server: Server): void {
  for (const prefix of openPrefixes) {
    server.route({
      method: 'OPTIONS',
      path: `${prefix}/{path*}`,
      options: { auth: false },
      handler(request, h) {
        const response = h.response().code(204)
        const headers = preflightHeaders(request.raw.req.headers['access-control-request-headers'])
        for (const name in headers) response.header(name, headers[name]!)
        return response
      },
    })
  }
}

/**
 * Addresses no route serves, whatever the method. hapi's own reply to them comes after the whole body, however long that
 * is; this one comes before it.
 */
export function addUnserved(server: Server, clock: Clock): void {
  const refuse = ({ raw }: Request, h: ResponseToolkit) => {
    leaveUnread(raw, clock)
    return h.response().code(404).takeover()
  }
  server.route({
    method: '*',
    path: unservedPath,
    handler: refuse,
    options: { auth: false, ext: { onPreAuth: { method: refuse } } },
  })
}

const unservedPath = '/{unserved*}'

/** Counts the response as under way until it is closed, and writes its access line then. */
function follow(request: Request, requestId: RequestId, dependencies: ReplyDependencies): void {
  const { clock, ongoing } = dependencies
  const { req, res } = request.raw
  if (res.closed || res.destroyed) return
  const startedAtMs = clock.monotonic()
  const address = callerAddress(req, dependencies.proxies)
  ongoing.responseBegins()
  res.once('close', () => {
    ongoing.responseEnds()
    accessLine(dependencies, {
      requestId,
      method: request.method.toUpperCase(),
      path: request.path,
      address,
      status: res.headersSent ? res.statusCode : 499,
      durationMs: Math.round(clock.monotonic() - startedAtMs),
      bytes: Number(res.getHeader('content-length') ?? 0),
      ...(!res.writableFinished && { gone: true }),
    })
  })
}

function dress(
  reply: ResponseObject,
  request: Request,
  id: RequestId,
  dependencies: ReplyDependencies,
): void {
  const { headers } = reply
  reply.header('X-Request-Id', id).header('X-Oneapi-Request-Id', id)
  if (isOpenPath(request.path)) {
    for (let at = 0; at < openCors.length; at += 2) reply.header(openCors[at]!, openCors[at + 1]!)
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.header('Content-Security-Policy', nothingPolicy)
    return
  }
  const isPage = request.app.isFile !== true && headers['content-security-policy'] === undefined
  if (isPage) setAll(reply, pageSecurityHeaders(dependencies.pages?.origins() ?? noOrigins))
  if (cameByHttps(request.raw.req, dependencies.proxies))
    setAll(reply, dependencies.transportSecurity)
}

function setAll(reply: ResponseObject, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) reply.header(name, headers[name]!)
}

/** What is refused before a route is reached counts as well, and whoever repeats it is limited. */
async function refusedReply(
  server: Server,
  request: Request,
  status: number,
  uncounted: boolean,
  h: ResponseToolkit,
  dependencies: ReplyDependencies,
): Promise<ResponseObject> {
  try {
    const page = status === 404 ? dependencies.pages?.fallback?.(request, h) : undefined
    const reported = uncounted
      ? await counted(request, status, page !== undefined, dependencies)
      : undefined
    const reply = (await page) ?? refusalReply(server, request, status, h, dependencies)
    if (reported !== undefined) setAll(reply, reported)
    return reply
  } catch (error) {
    const reported = dependencies.failures.reply(undefined, error)
    const reply = h.response(reported.body).code(reported.status).type('application/json')
    if (error instanceof Refusal && error.headers) setAll(reply, error.headers)
    setAll(reply, apiSecurityHeaders)
    return reply
  }
}

/** LIMIT-3: everything under `/api`; LIMIT-7: pages no route serves, files never. The relay has limits of its own. */
function counted(
  request: Request,
  status: number,
  isPage: boolean,
  { failures, limiter, proxies }: ReplyDependencies,
): Promise<RateHeaders> | undefined {
  const { method, path } = request
  const address = callerAddress(request.raw.req, proxies)
  if (isPage) return limiter.arrived({ limiter: 'web', route: 'page', address })
  if (failures.formatAt(path) !== undefined || isUnder(['/assets'], path)) return undefined
  if (/^\/api(\/|$)/.test(path)) return limiter.arrived({ limiter: 'api', route: 'none', address })
  const requested = method === 'get' || method === 'head'
  if (status !== 404 || !requested) return undefined
  return limiter.arrived({ limiter: 'web', route: 'page', address })
}

function refusalReply(
  server: Server,
  request: Request,
  status: number,
  h: ResponseToolkit,
  { failures }: ReplyDependencies,
): ResponseObject {
  const format = failures.formatAt(request.path)
  const allowed = status === 404 ? allowedMethods(server, request) : []
  const error = clientErrorOf(request, status, allowed)
  const reported = failures.dressed(format, error)
  const reply = h.response(reported.body).code(reported.status).type('application/json')
  if (allowed.length > 0) reply.header('Allow', allowed.join(', '))
  if (format === 'messages') reply.header('request-id', request.app.requestId ?? '')
  if (format === undefined) setAll(reply, apiSecurityHeaders)
  return reply
}

/** hapi's status in the gateway's words. */
function clientErrorOf(request: Request, status: number, allowed: readonly string[]): ClientError {
  const place = { method: request.method.toUpperCase(), path: request.path.slice(0, 200) }
  const { payload } = request.route.settings
  switch (status) {
    // A file that is none to be sent, such as a folder.
    case 403:
    case 404:
      return clientError(
        new Refusal(allowed.length > 0 ? 'method_not_allowed' : 'not_found', place),
      )
    case 413:
      return clientError(new Refusal('body_too_large', { limit: payload?.maxBytes ?? 0 }))
    case 415:
      return clientError(
        new Refusal('unsupported_media_type', {
          expected: [payload?.allow ?? []].flat().join(' or '),
          given: String(request.headers['content-type'] ?? '').slice(0, 100),
          param: 'content-type',
        }),
      )
    case 408:
      return clientError(new Refusal('request_timeout'))
    case 400:
      return unread('it, or the address, is malformed')
    default:
      return clientError(new Error('no words for this'))
  }
}

function unread(reason: string): ClientError {
  return clientError(new Refusal('read_request_body_failed', { reason }))
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** None where the route takes the method and has nothing there. */
function allowedMethods(server: Server, { method: requested, path }: Request): string[] {
  const allowed = methods
    .filter((method) => serves(server, method, path))
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return allowed.includes(requested.toUpperCase()) ? [] : allowed
}

function serves(server: Server, method: (typeof methods)[number], path: string): boolean {
  try {
    const route = server.match(method, path)
    return route !== null && route.path !== unservedPath
  } catch {
    // The router asserts that the path can be decoded.
    return false
  }
}
