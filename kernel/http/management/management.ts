/**
 * The management routes: who is calling, may they, is what they sent well-formed; then the plugin's handler, whose
 * answer goes out in the family's envelope. Every refusal carries its honest status besides (kernel/README.md section 7).
 */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Request, ResponseObject, ResponseToolkit, Server } from '@hapi/hapi'
import type { Schema } from 'joi'
import { isObject, type JsonObject } from '../../contract/json.js'
import type { Clock, Log } from '../../contract/kit.js'
import type {
  Management,
  ManagementRequest,
  ManagementRoute,
  Principal,
} from '../../contract/management.js'
import type { Manifest, RouteCredential, RouteManifest } from '../../contract/manifest.js'
import type { RequestId } from '../../contract/names.js'
import type {
  Arrival,
  Auditor,
  Authenticator,
  RateHeaders,
  RequestLimiter,
} from '../../contract/services/ports.js'
import type { ByteBudget } from '../../memory/byte-budget.js'
import { isFormType, readForm } from '../../toolkit/body/form.js'
import { refuseForeign, requireSameOrigin } from '../../toolkit/endpoint/same-origin.js'
import { clientError, Refusal, type RefusalCode } from '../../toolkit/errors/refusal.js'
import { limits } from '../../toolkit/limits/limits.js'
import {
  type EnvelopeReply,
  enveloped,
  type ReplyHeaders,
} from '../../toolkit/management/envelope.js'
import { routePath } from '../../toolkit/management/route-path.js'
import { requiredScope, requireScope } from '../../toolkit/management/scopes.js'
import type { Concurrency } from '../concurrency.js'
import type { Failures } from '../failures.js'
import { callerAddress, cameByHttps, countedNetwork, singleValued } from '../inbound-facts.js'
import { httpLimits } from '../limits.js'
import { readRequest } from '../read-request.js'
import { isCoded, parsedJson } from '../request-body.js'
import { apiSecurityHeaders } from '../security-headers.js'
import type { TrustedProxies } from '../trusted-proxies.js'
import { announcesBody, leaveUnread } from '../unread.js'
import { Visit } from '../visit.js'

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

/** Set by pages for requests they make by themselves while nobody is there. */
const unusedHeader = 'x-session-unused'

export function addManagementRoutes(
  server: Server,
  areas: readonly LoadedManagement[],
  dependencies: ManagementDependencies,
): void {
  for (const { manifest, management } of areas) {
    for (const declared of manifest.routes) {
      const route = management.routes[declared.name]
      if (route === undefined) {
        throw new Error(
          `${manifest.id} declares the route "${declared.name}" but does not serve it.`,
        )
      }
      const name = `${manifest.id}.${declared.name}`
      const { handler } = new ManagementEntry(name, declared, route, dependencies)
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
  constructor(
    private readonly name: string,
    private readonly declared: RouteManifest,
    private readonly route: ManagementRoute,
    private readonly dependencies: ManagementDependencies,
  ) {}

  readonly handler = async (request: Request, h: ResponseToolkit): Promise<ResponseObject> => {
    const requestId = this.dependencies.begin(request)
    const rate = new LowestRateLimit()
    const visit = new Visit(this.dependencies)
    request.raw.res.once('close', () => visit.answerEnds())
    visit.workBegins()
    let checked: ManagementRequest | undefined
    try {
      checked = await this.checked(request, requestId, rate, visit)
      const reply = enveloped(await this.route.handle(checked))
      await this.audit(checked, reply)
      return answer(h, reply.status, reply.body, { ...rate.headers, ...reply.headers })
    } catch (error) {
      const { log, failures } = this.dependencies
      if (!(error instanceof Refusal)) {
        log.error({ err: error, requestId, route: this.name }, 'a management route failed')
      }
      this.refused(checked, error)
      const { status, body } = failures.reply(undefined, error)
      const reported = clientError(error).headers ?? (status === 503 ? soon : {})
      leaveUnread(request.raw, this.dependencies.clock)
      return answer(h, status, body, { ...rate.headers, ...reported })
    } finally {
      visit.workEnds()
    }
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
    const principal = await this.principal(request, secure, address)
    const bySecrets = declared.limiter === 'secrets'
    if (!bySecrets) await rate.take(parts.limiter.known(arrival, principal?.userId))
    const params = singleValued(request.params)
    checkAgainst(route.params, params)
    const query = checkAgainst(route.query, { ...request.query })
    const bytes = await this.bytes(request, visit, principal)
    const body = await this.body(headers, bytes, visit)
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
      ...this.moneyKey(requestId, principal, {
        key: headers['idempotency-key'],
        requested: { params, query, body },
      }),
    }
  }

  /**
   * The write has happened by now and its answer stands: who got an error would do it again. What cannot be written to the
   * audit log is written to the process log instead, whole.
   */
  private async audit(request: ManagementRequest, { status, audit }: EnvelopeReply): Promise<void> {
    const unknown = request.principal === undefined && audit === undefined
    if ((this.declared.method === 'GET' && audit === undefined) || unknown || status >= 400) return
    const { requestId, address, principal, params } = request
    const action = this.name.replace(/^management\./, '')
    const object = audit?.object ?? objectOf(params, request.body)
    const { before: _before, after: _after, ...told } = audit ?? {}
    const entry = { ...told, requestId, address, principal, action, object }
    await this.dependencies.auditor
      .record({ ...audit, ...entry })
      .catch((err) =>
        this.dependencies.log.error({ err, audit: entry }, 'a write was not told to the audit log'),
      )
  }

  /** A password, code or passkey that was not right. Names are recorded only where an account has them: else they may be a password. */
  private refused(request: ManagementRequest | undefined, error: unknown): void {
    if (request === undefined || !(error instanceof Refusal) || !failedProofs.has(error.code))
      return
    const { requestId, address, principal } = request
    const asker = principal === undefined ? 'no account' : `user ${principal.userId}`
    const action = `${this.name.replace(/^management\./, '')}.failed`
    const object = error.about ?? asker
    this.dependencies.auditor.refused({
      requestId,
      address,
      principal,
      action,
      object,
      detail: error.code,
    })
  }

  /** Paths for anyone never ask who is there, so that they answer without the database. */
  private async principal(
    request: Request,
    secure: boolean,
    address: string,
  ): Promise<Principal | undefined> {
    const { credential, body, beforeFactor } = this.declared
    const { headers } = request.raw.req
    const method = request.method.toUpperCase()
    const roleMin = roles[credential]
    if (roleMin === undefined) {
      // A foreign page may not sign its visitor in either.
      if (body === 'json') requireSameOrigin(method, headers, secure)
      return undefined
    }
    const unused = method === 'GET' && headers[unusedHeader] === '1'
    const requested = {
      headers,
      secure,
      address,
      ...(unused && { unused: true as const }),
      ...(beforeFactor && { beforeFactor }),
    }
    const principal = await this.dependencies.authenticator.principal(requested)
    if (principal === undefined) throw new Refusal('unauthorized')
    if (principal.role < roleMin) throw new Refusal('forbidden')
    requireScope(principal, requiredScope(this.declared))
    if (principal.via === 'session') {
      requireSameOrigin(method, headers, secure)
      // The family has GETs of admins that do something, such as testing every channel.
      if (roleMin > roles.user) refuseForeign(headers, secure)
    }
    return principal
  }

  /** Throws a `Refusal`. */
  private bytes(request: Request, visit: Visit, principal?: Principal): Promise<Buffer> {
    const { declared, dependencies: parts } = this
    const { raw } = request
    if (declared.method === 'GET' || declared.body === 'none' || !announcesBody(raw.req)) {
      leaveUnread(raw, parts.clock)
      return noBody
    }
    const { clock, budget, proxies } = parts
    const { maxBytes = limits.strangerBodyBytesMax, credential } = declared
    const bytesMax = Math.min(maxBytes, budget.largestBytes)
    visit.holds(countedNetwork(callerAddress(raw.req, proxies), proxies), principal?.userId)
    return new Promise((taken, refused) => {
      readRequest(raw, {
        clock,
        bytesMax:
          credential === 'none' ? Math.min(bytesMax, limits.strangerBodyBytesMax) : bytesMax,
        timeoutMs: httpLimits.bodyMs,
        share: visit.share,
        taken,
        refused,
      })
    })
  }

  private async body(headers: IncomingHttpHeaders, bytes: Buffer, visit: Visit): Promise<unknown> {
    switch (this.declared.body) {
      case 'none':
        return undefined
      case 'raw':
        return bytes
      case 'form':
        return checkAgainst(this.route.body, formOf(headers, bytes))
      case 'json':
        return checkAgainst(this.route.body, (await parsedJson(bytes, visit.share)) ?? {})
    }
  }

  /** Names the write, so that doing it again is the same write and not a second one (BILL-2). */
  private moneyKey(
    id: RequestId,
    principal: Principal | undefined,
    { key, requested }: { readonly key: unknown; readonly requested: object },
  ): Pick<ManagementRequest, 'moneyKey' | 'moneyPrint'> {
    if (key === undefined || principal === undefined) return { moneyKey: id }
    if (typeof key !== 'string' || !printable.test(key)) {
      throw new Refusal('invalid_field', {
        reason: 'Idempotency-Key takes 1 to 255 printable ASCII characters.',
        param: 'Idempotency-Key',
      })
    }
    const moneyKey = `user:${principal.userId}/${this.name}/${key}`
    return { moneyKey, moneyPrint: hash('sha256', sorted(requested), 'buffer') }
  }
}

function answer(
  h: ResponseToolkit,
  status: number,
  body: string,
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

/** One text for the same fields in whatever order they were sent. */
function sorted(value: object): string {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner,
  )
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
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

/** Of several buckets the tightest is reported (LIMIT-1). */
class LowestRateLimit {
  headers: RateHeaders = {}

  async take(taken: Promise<RateHeaders> | undefined): Promise<void> {
    if (taken === undefined) return
    const reported = await taken
    const left = (headers: RateHeaders) => Number(headers['x-ratelimit-remaining'] ?? Infinity)
    if (left(reported) < left(this.headers)) this.headers = reported
  }
}

/** What a write changed, where its handler does not state it: the address names it, or the body. */
function objectOf(params: Readonly<Record<string, string>>, body: unknown): string | undefined {
  const [param] = Object.entries(params)
  if (param !== undefined) return param.join(' ')
  if (!isObject(body)) return undefined
  // Never "key": in a body that is a secret more often than a name.
  const name = objectNames.find((one) => ['number', 'string'].includes(typeof body[one]))
  return name === undefined
    ? undefined
    : `${name} ${String(body[name]).slice(0, httpLimits.objectCharactersMax)}`
}

/** Where nobody knows for how long, as of a database that is away. */
const soon: ReplyHeaders = { 'retry-after': '5' }

const failedProofs: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'invalid_credentials',
  'account_disabled',
  'verification_failed',
  'factor_locked',
  'mail_code_invalid',
])

const objectNames = ['id', 'name', 'username', 'tag'] as const

const roles = {
  none: undefined,
  key: undefined,
  user: 1,
  admin: 10,
  root: 100,
} as const satisfies Readonly<Record<RouteCredential, number | undefined>>
const printable = /^[\x20-\x7e]{1,255}$/
const noBody = Promise.resolve(Buffer.alloc(0))

function requireJson(headers: IncomingHttpHeaders, hasBody: boolean): void {
  const type = String(headers['content-type'] ?? '')
  if (hasBody && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal('unsupported_media_type', {
      expected: 'application/json',
      given: type.slice(0, 100),
      param: 'content-type',
    })
  }
  if (isCoded(headers['content-encoding'])) {
    throw new Refusal('unsupported_media_type', {
      expected: 'a body that is not compressed',
      given: headers['content-encoding'].slice(0, 100),
      param: 'content-encoding',
    })
  }
}

/** The fields of a form, as text; files are none of them. */
function formOf(headers: IncomingHttpHeaders, bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {}
  const type = String(headers['content-type'] ?? '')
  if (isFormType(type)) return readForm(bytes, type).fields
  throw new Refusal('unsupported_media_type', {
    expected: 'application/x-www-form-urlencoded or multipart/form-data',
    given: type.slice(0, 100),
    param: 'content-type',
  })
}

/** The value as the schema makes it; without a schema nothing is taken. Fields a schema does not name are left out. */
function checkAgainst(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const { error, value: made } = schema.validate(value, {
    abortEarly: true,
    stripUnknown: true,
    errors: { wrap: { label: false } },
    messages,
  })
  if (error === undefined) return made
  const [fault] = error.details
  throw new Refusal('invalid_field', {
    reason: `${shortened(fault?.message ?? 'A field is not valid')}.`,
    param: fault?.path.join('.') ?? '',
  })
}

/** What was sent is not repeated: it may be long, or not for the eyes of who reads a log. */
const messages = {
  'string.pattern.base': '{{#label}} has a form that is not taken',
  'string.pattern.name': '{{#label}} must hold {{#name}}',
}

/** A reader of a field may quote a name out of it, however long. */
function shortened(message: string): string {
  const most = httpLimits.messageCharactersMax
  const characters = [...message.slice(0, most * 2)]
  if (characters.length <= most) return message
  return `${characters.slice(0, most).join('')}…`
}
