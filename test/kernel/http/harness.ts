/** A server with one endpoint per error frame and one management area, real sockets, and a log that is kept. */
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import type {
  Endpoint,
  EndpointAnswer,
  EndpointRoute,
  EndpointStream,
  Inbound,
} from '../../../kernel/contract/endpoint.js'
import type { ClientError, Format } from '../../../kernel/contract/format.js'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Management, Principal } from '../../../kernel/contract/management.js'
import type { Manifest, RouteManifest } from '../../../kernel/contract/manifest.js'
import type { FormatName } from '../../../kernel/contract/names.js'
import type {
  AuditEntry,
  Auditor,
  Authenticator,
  RequestLimiter,
} from '../../../kernel/contract/services/ports.js'
import type { Environment } from '../../../kernel/contract/services/system.js'
import { createServer, type HttpServer, type RelayStart } from '../../../kernel/http/server.js'
import type { Spool } from '../../../kernel/http/spool/spool.js'
import type { ByteBudget } from '../../../kernel/memory/byte-budget.js'
import { requireJson } from '../../../kernel/toolkit/endpoint/media-type.js'
import { readJson } from '../../../kernel/toolkit/json/json.js'
import { FakeClock } from '../../kit/clock.js'
import { holdRoutes } from '../../kit/responses.js'

export interface Line {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

export interface ScriptedGateway {
  readonly server: HttpServer
  readonly port: number
  readonly clock: FakeClock
  readonly lines: Line[]
  /** The access lines only. */
  access(): Line[]
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>
  socket(): Promise<Socket>
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string | Buffer
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Record<string, unknown>
}

export interface GatewayOptions {
  readonly relay?: (start: RelayStart) => Promise<void>
  readonly answer?: (inbound: Inbound) => Promise<{ status: number; body: Record<string, string> }>
  /** What the relay endpoints answer by themselves. Undefined: it goes down the line. */
  readonly receive?: (inbound: Inbound) => EndpointAnswer | undefined
  /** Beside those of the harness. */
  readonly endpoints?: readonly { readonly manifest: Manifest; readonly endpoint: Endpoint }[]
  /** What `GET /v1/content` returns. */
  readonly open?: (inbound: Inbound) => Promise<EndpointStream>
  readonly management?: Management
  readonly managementRoutes?: readonly Partial<RouteManifest>[]
  readonly principal?: Principal
  readonly byKey?: Authenticator['byKey']
  readonly concurrency?: Environment['concurrency']
  readonly budget?: ByteBudget
  /** Where forms sent to `/v1/uploads` are while they arrive. */
  readonly spool?: (parts: { readonly clock: Clock; readonly log: Log }) => Spool
  readonly trustedProxies?: readonly string[]
  readonly maxRequestBodyBytes?: number
  readonly clock?: Clock
  readonly limiter?: RequestLimiter
  readonly audited?: AuditEntry[]
  /** The relay endpoints read their body as JSON, as the built-in ones do. */
  readonly readsJson?: true
  readonly auditor?: Auditor
}

export async function scriptedGateway(
  t: Test,
  options: GatewayOptions = {},
): Promise<ScriptedGateway> {
  const clock = new FakeClock()
  const used = options.clock ?? clock
  const lines: Line[] = []
  const log = keptLog(lines)
  const server = createServer({
    environment: {
      host: '127.0.0.1',
      port: 0,
      trustedProxies: options.trustedProxies ?? [],
      maxRequestBodyBytes: options.maxRequestBodyBytes ?? 100_000,
      concurrency: options.concurrency,
    },
    budget: options.budget,
    spool: options.spool?.({ clock: used, log }),
    clock: used,
    log,
    endpoints: endpoints(options),
    management: [
      {
        manifest: manifest('management.test', (options.managementRoutes ?? []).map(route)),
        management: options.management ?? { routes: {} },
      },
    ],
    formats: { get: frame },
    authenticator: {
      principal: async () => options.principal,
      byKey: options.byKey ?? (() => ({ user: caller })),
    },
    limiter: options.limiter ?? { arrived: () => undefined, known: () => undefined },
    auditor: options.auditor ?? {
      record: async (entry) => void options.audited?.push(entry),
      refused() {},
    },
    relay: options.relay ?? (async ({ sink }) => sink.send(200, json, '{"ok":true}')),
  })
  await server.start()
  const { address } = server
  const port = Number(new URL(address).port)
  holdRoutes(address, Object.entries(options.management?.routes ?? {}))
  const sockets: Socket[] = []
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    const stopped = server.stop({ abort: () => {} })
    clock.advance(60_000)
    await stopped
  })
  return {
    server,
    port,
    clock,
    lines,
    access: () => lines.filter(({ message }) => message === 'request'),
    ask: (method, path, ask = {}) => exchange(port, method, path, ask),
    async socket() {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    },
  }
}

/** Whoever has a key, whatever it is. */
const caller = { id: 1, username: 'ann', role: 1, group: 'default', walletId: 1 }

export const json = { 'content-type': 'application/json' }

export function exchange(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: AskOptions,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ask: ClientRequest = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers,
      agent: false,
    })
    ask.on('error', reject)
    ask.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: text.startsWith('{') ? JSON.parse(text) : {},
        })
      })
    })
    ask.end(body)
  })
}

/** Waits for something the event loop brings, looking once per turn. */
export async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setImmediate(resolve))
}

const anything = {
  operation: 'chat',
  format: 'chat',
  body: { kind: 'none' },
  credential: { kind: 'none' },
} as const

function endpoints(options: GatewayOptions) {
  const relay: EndpointRoute = {
    kind: 'relay',
    // Tests of keys give one themselves.
    ...(options.byKey === undefined && { caller: () => ({ kind: 'key', key: 'any' }) as const }),
    receive(inbound) {
      requireJson(inbound.client.headers)
      if (options.readsJson) readJson(inbound.payload)
      const answer = options.receive?.(inbound)
      if (answer !== undefined) return answer
      return anything
    },
  }
  const uploads: EndpointRoute = { ...relay, receive: () => anything }
  const answer: EndpointRoute = {
    kind: 'answer',
    answer: options.answer ?? (async () => ({ status: 200, body: { object: 'list' } })),
  }
  return [
    endpoint('chat', '/v1/chat/completions', relay),
    endpoint('messages', '/v1/messages', relay),
    endpoint('responses', '/v1/responses', relay),
    endpoint('generative', '/v1beta/models/{model}:generateContent', relay),
    endpoint('chat', '/v1/models', answer, 'GET'),
    endpoint('chat', '/v1/uploads', uploads, 'POST', 'form'),
    ...(options.endpoints ?? []),
    ...(options.open === undefined
      ? []
      : [endpoint('chat', '/v1/content', { kind: 'stream', open: options.open }, 'GET')]),
  ]
}

function endpoint(
  format: FormatName,
  path: string,
  route: EndpointRoute,
  method: 'GET' | 'POST' = 'POST',
  body: RouteManifest['body'] = 'json',
): { manifest: Manifest; endpoint: Endpoint } {
  const declared: RouteManifest = {
    name: 'it',
    method,
    path,
    credential: 'key',
    body,
    limiter: 'relay',
    format,
  }
  return {
    manifest: manifest(`endpoint.${format}`, [declared]),
    endpoint: { routes: { it: route } },
  }
}

function route(given: Partial<RouteManifest>): RouteManifest {
  return {
    name: 'it',
    method: 'GET',
    path: '/api/it',
    credential: 'none',
    body: 'none',
    limiter: 'api',
    ...given,
  }
}

function manifest(id: string, routes: readonly RouteManifest[]): Manifest {
  return {
    id,
    kind: 'endpoint',
    engines: { waybill: '^1.0' },
    version: '1.0.0',
    title: id,
    entry: './index.js',
    requires: [],
    hosts: [],
    channelTypes: [],
    settings: [],
    channelSettings: [],
    instanceSettings: [],
    userSettings: [],
    routes,
  }
}

/** A format that can do nothing but say in whose frame an error stands. */
function frame(name: FormatName): Format {
  const encodeError = (error: ClientError) => {
    const { status, ...words } = error
    return { status, body: { frame: name, error: { ...words } } }
  }
  return { name, encodeError } as unknown as Format
}

function keptLog(lines: Line[]): Log {
  const keep = (level: string) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message })
  }
  return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
}
