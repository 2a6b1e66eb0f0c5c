/**
 * A gateway before one strict upstream of a platform, which is served over real HTTP. Everything clients are sent is kept, so that a
 * test can look for what must be in none of it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Knex } from 'knex'
import type { Gateway } from '../../../kernel/boot.js'
import { startGateway, type TestGateway, type TestGatewayOptions } from '../gateway.js'
import type { StrictReply } from './upstream.js'

export interface Platform {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
}

export interface PlatformOptions extends TestGatewayOptions {
  readonly upstream: Platform
  /** Rate cards by model. */
  readonly cards: Readonly<Record<string, unknown>>
  /** Fields of the channel; `type` and `key` are needed. */
  readonly channel: Readonly<Record<string, unknown>>
}

/** Replies differ by route; tests look into the fields they name. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Fields = any

export interface PlatformGateway extends TestGateway {
  readonly upstreamUrl: string
  readonly channelId: number
  readonly knex: Knex
  /** Calls the upstream got: `POST /v1/videos`. */
  readonly calls: string[]
  /** Texts of all replies to `call`. */
  readonly replies: string[]
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: Fields; headers: Headers; bytes: Buffer }>
  /** One round as if every poll were due. */
  round(): Promise<void>
  /** The same while a request waits for its task. */
  watch(): Promise<void>
  /** The one task, as its row stands. */
  row(taskId?: string): Promise<Fields>
}

export async function platformGateway(
  t: Parameters<typeof startGateway>[0],
  { upstream, cards, channel, ...options }: PlatformOptions,
): Promise<PlatformGateway> {
  const calls: string[] = []
  const replies: string[] = []
  const upstreamUrl = await served(t, upstream, calls)
  const started = await startGateway(t, options)
  const { admin, gateway, key: own, url } = started
  await admin.option('TaskRateCards', cards)
  const channelId = await admin.channel({
    ...{ name: 'platform', base_url: upstreamUrl, group: 'default' },
    ...{ models: Object.keys(cards).join() },
    ...channel,
  })
  const knex = gateway.service('database').knex as Knex
  return {
    ...started,
    ...{ upstreamUrl, channelId, knex, calls, replies },
    async call(method, path, body, headers = {}) {
      const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
        method,
        headers: {
          ...{ authorization: `Bearer ${own}`, 'content-type': 'application/json' },
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString('utf8')
      replies.push(text)
      return { status: response.status, headers: response.headers, bytes, body: parsed(text) }
    },
    async round() {
      await gateway.idle()
      await polled(gateway)
    },
    watch: () => polled(gateway),
    async row(taskId) {
      await gateway.idle()
      const rows = knex('tasks')
      return taskId === undefined ? rows.first() : rows.where({ task_id: taskId }).first()
    },
  }
}

/** Twice: the gateway's own round may have had the lane the first time. */
async function polled(gateway: Gateway): Promise<void> {
  const knex = gateway.service('database').knex as Knex
  for (const _ of ['first', 'second']) {
    await knex('tasks')
      .whereNotNull('poll_at')
      .update({ poll_at: new Date(0) })
    await gateway.service('tasks').round()
  }
}

function parsed(text: string): Fields {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function served(
  t: Parameters<typeof startGateway>[0],
  upstream: Platform,
  calls: string[],
): Promise<string> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { method = '', url = '' } = request
    calls.push(`${method} ${url}`)
    const sent = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const { status, headers, body } = upstream.handle(
      method,
      url,
      Object.fromEntries(sent),
      Buffer.concat(pieces).toString('utf8'),
    )
    response.writeHead(status, headers)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
