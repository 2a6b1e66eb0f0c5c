/**
 * The management routes: who is calling, may they, is what they sent well-formed; then the plugin's handler, whose
 * result goes out in the family's envelope. Every refusal carries its honest status besides (kernel/README.md section 7).
 */
import type { ServerResponse } from 'node:http'
import type { Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi'
import type { Clock, Log } from '../../contract/kit.js'
import type { Management, ManagementRequest, ManagementRoute } from '../../contract/management.js'
import type { Manifest, RouteManifest } from '../../contract/manifest.js'
import type { RequestId } from '../../contract/names.js'
import type {
  Arrival,
  Auditor,
  Authenticator,
  RequestLimiter,
} from '../../contract/services/ports.js'
import type { ByteBudget } from '../../memory/byte-budget.js'
import { clientError, Refusal } from '../../toolkit/errors/refusal.js'
import { enveloped, type ReplyHeaders } from '../../toolkit/management/envelope.js'
import { routePath } from '../../toolkit/management/route-path.js'
import type { Concurrency } from '../concurrency.js'
import type { Failures } from '../failures.js'
import { callerAddress, cameByHttps, singleValued } from '../inbound-facts.js'
import { apiSecurityHeaders } from '../security-headers.js'
import type { TrustedProxies } from '../trusted-proxies.js'
import { announcesBody, leaveUnread } from '../unread.js'
import { Visit } from '../visit.js'
import { type RouteAudit, routeAudit } from './audit.js'
import { bodyBytes, bodyValue, requireJson } from './body.js'
import { callerOf } from './caller.js'
import { LowestRateLimit } from './lowest-rate-limit.js'
import { moneyKeyOf } from './money-key.js'
import { createSearchGate, type SearchGate } from './search-gate.js'
import { checkAgainst } from './validation.js'

export interface LoadedManagement {
  readonly manifest: Manifest
  readonly management: Management
}

export interface ManagementDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly failures: Failures
  readonly proxies: TrustedProxies
  readonly authenticator: Authenticator
  readonly limiter: RequestLimiter
  readonly auditor: Auditor
  readonly concurrency: Concurrency
  readonly budget: ByteBudget
  /** Takes note of a request hapi will answer, and returns its id. */
  begin(request: Request): RequestId
}

export function addManagementRoutes(
  server: Server,
  areas: readonly LoadedManagement[],
  dependencies: ManagementDependencies,
): void {
  const gate = createSearchGate(dependencies.clock)
  for (const { manifest, management } of areas) {
    for (const declared of manifest.routes) {
      const route = management.routes[declared.name]
      if (route === undefined) {
        throw new Error(
          `${manifest.id} declares the route "${declared.name}" but does not serve it.`,
        )
      }
      const name = `${manifest.id}.${declared.name}`
      const { handler } = new ManagementEntry(name, declared, route, { ...dependencies, gate })
      server.route({
        method: declared.method,
        path: routePath(declared.path),
        handler,
        options: {
          auth: false,
          // Before hapi looks at a body, which is read here once it is known who calls.
          ...(declared.method !== 'GET' && { ext: { onPreAuth: { method: handler } } }),
        },
      })
    }
  }
}

class ManagementEntry {
  private readonly audit: RouteAudit

  constructor(
    private readonly name: string,
    private readonly declared: RouteManifest,
    private readonly route: ManagementRoute,
    private readonly dependencies: ManagementDependencies & { readonly gate: SearchGate },
  ) {
    this.audit = routeAudit(name, declared, dependencies)
  }

  readonly handler = async (request: Request, h: ResponseToolkit): Promise<ResponseObject> => {
    const requestId = this.dependencies.begin(request)
    const rate = new LowestRateLimit()
    const visit = new Visit(this.dependencies)
    request.raw.res.once('close', () => visit.answerEnds())
    visit.workBegins()
    let checked: ManagementRequest | undefined
    try {
      checked = await this.checked(request, requestId, rate, visit)
      const before = await this.audit.before(checked)
      const reply = enveloped(await this.handled(checked))
      await this.audit.written(checked, reply, before)
      return answer(h, reply.status, reply.body, { ...rate.headers, ...reply.headers })
    } catch (error) {
      const { log, failures } = this.dependencies
      if (!(error instanceof Refusal)) {
        log.error({ err: error, requestId, route: this.name }, 'a management route failed')
      }
      this.audit.refused(checked, error)
      const { status, body } = failures.reply(undefined, error)
      const reported = clientError(error).headers ?? (status === 503 ? soon : {})
      leaveUnread(request.raw, this.dependencies.clock)
      return answer(h, status, body, { ...rate.headers, ...reported })
    } finally {
      visit.workEnds()
    }
  }

  private handled(request: ManagementRequest): Promise<unknown> | unknown {
    const { route, dependencies } = this
    if (route.searches !== true) return route.handle(request)
    return dependencies.gate.run(() => route.handle(request), request.signal)
  }

  /**
   * Limits come before every other check, so that what is refused is counted too (E7). Writes of keys
   * and secrets show in the body, so they are counted once that is read (LIMIT-4).
   */
  private async checked(
    request: Request,
    requestId: RequestId,
    rate: LowestRateLimit,
    visit: Visit,
  ): Promise<ManagementRequest> {
    const { declared, route, dependencies: parts } = this
    const { raw } = request
    const { headers } = raw.req
    const secure = cameByHttps(raw.req, parts.proxies)
    const address = callerAddress(raw.req, parts.proxies)
    const arrival: Arrival = { limiter: declared.limiter, route: this.name, address }
    await rate.take(parts.limiter.arrived(arrival))
    if (declared.body === 'json') requireJson(headers, announcesBody(raw.req))
    const facts = { method: request.method.toUpperCase(), headers, secure, address }
    const principal = await callerOf(facts, declared, parts.authenticator)
    const bySecrets = declared.limiter === 'secrets'
    if (!bySecrets) await rate.take(parts.limiter.known(arrival, principal?.userId))
    const params = singleValued(request.params)
    checkAgainst(route.params, params)
    const query = checkAgainst(route.query, { ...request.query })
    const bytes = await bodyBytes(request, { declared, visit, userId: principal?.userId }, parts)
    const body = await bodyValue(bytes, headers, { declared, route, visit })
    // What was refused by now has written nothing.
    if (bySecrets && route.writesSecrets?.(body) !== false) {
      await rate.take(parts.limiter.known(arrival, principal?.userId))
    }
    return {
      requestId,
      params,
      query,
      body,
      headers,
      address,
      secure,
      principal,
      signal: leaving(raw.res),
      ...moneyKeyOf({
        requestId,
        route: this.name,
        principal,
        key: headers['idempotency-key'],
        requested: { params, query, body },
      }),
    }
  }
}

function answer(
  h: ResponseToolkit,
  status: number,
  body: string | Buffer,
  headers: ReplyHeaders,
): ResponseObject {
  // hapi goes straight to the answer: what stands between is about bodies it would read.
  const response = h.response(body).code(status).type('application/json').takeover()
  const all: ReplyHeaders = { ...apiSecurityHeaders, ...headers }
  for (const name in all) {
    for (const value of [all[name]!].flat())
      response.header(name, value, { append: isList(all[name]) })
  }
  return response
}

function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new Error('The caller has left.'))
  })
  return controller.signal
}

function isList(value: ReplyHeaders[string] | undefined): boolean {
  return typeof value === 'object'
}

/** Where nobody knows for how long, as of a database that is away. */
const soon: ReplyHeaders = { 'retry-after': '5' }
