/**
 * A whole gateway with one channel to a scripted realtime upstream and easy prices: 1 quota per text token in, 4 per
 * text token out, 8 per audio token in, 16 per audio token out. Its clock may be another than the machine's.
 */

import { type ClientOptions, WebSocket } from 'ws'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot, type Gateway } from '../../kernel/boot.js'
import type { Clock, Log } from '../../kernel/contract/kit.js'
import { order } from '../../plugins/stages/line.js'
import { testDatabase } from './database.js'
import { quietLog } from './fakes.js'
import { checkBooks, defaultEnvironment, type LogRow } from './gateway.js'
import { knowSetupCode, type Management, management } from './management.js'
import { holdResponses } from './responses.js'
import {
  closeOf,
  eventsOf,
  type RealtimeEvent,
  type SocketUpstream,
  socketUpstream,
  type UpstreamSession,
} from './socket-upstream.js'

/** What the channel of the gateway serves. */
export const realtimeModel = 'gpt-realtime'
/** At the same price; served once a test adds a channel for it. */
export const otherModel = 'gpt-realtime-other'

export interface SocketGateway {
  readonly url: string
  readonly admin: Management
  readonly key: string
  readonly gateway: Gateway
  readonly upstream: SocketUpstream
  /** Adds a channel to the same upstream; answers its id. */
  serve(fields: Readonly<Record<string, unknown>>): Promise<number>
  logs(): Promise<readonly LogRow[]>
  balance(): Promise<bigint>
  /** Asks for a socket with the test key; resolves once it is open. */
  open(options?: OpenOptions): Promise<SocketClient>
  /** Asks for a socket that is not to be had; resolves with the answer. */
  refused(options?: OpenOptions): Promise<Refused>
  stop(): Promise<void>
}

interface OpenOptions {
  readonly model?: string
  /** Absent: the test key as a header. */
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  readonly options?: ClientOptions
}

interface SocketClient {
  readonly socket: WebSocket
  /** Headers of the 101. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly received: RealtimeEvent[]
  readonly next: UpstreamSession['next']
  send(event: RealtimeEvent): void
  readonly closed: Promise<number>
}

interface Refused {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: RealtimeEvent
}

export interface SocketGatewayOptions {
  readonly funds?: number
  readonly clock?: Clock
  readonly log?: Log
  /** More folders of plugins. */
  readonly roots?: readonly URL[]
}

type Test = { teardown(run: () => Promise<void>): void }

export async function socketGateway(
  t: Test,
  options: SocketGatewayOptions = {},
): Promise<SocketGateway> {
  const upstream = await socketUpstream(t)
  const gateway = await boot({
    environment: defaultEnvironment,
    roots: [
      ...builtInRoots,
      new URL('./realtime-provider/', import.meta.url),
      ...(options.roots ?? []),
    ],
    order,
    core,
    log: options.log ?? quietLog,
    version: 'v0.0.0',
    clock: options.clock,
    database: await testDatabase(t),
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= gateway.stop()
    return stopped
  }
  t.teardown(async () => {
    if (stopped === undefined) await checkBooks(gateway)
    await stop()
  })
  const admin = management(gateway.address)
  knowSetupCode(gateway.address, gateway.service('setup').code())
  holdResponses(gateway.address, gateway.service('catalog'))
  await admin.setUp()
  const funds = options.funds ?? 10_000_000
  if (funds > 0) await admin.credit(1, funds)
  const models = [realtimeModel, otherModel]
  const priced = (ratio: number) => Object.fromEntries(models.map((model) => [model, ratio]))
  await admin.option('ModelRatio', priced(1))
  await admin.option('CompletionRatio', priced(4))
  await admin.option('AudioRatio', priced(8))
  await admin.option('AudioCompletionRatio', priced(2))
  await admin.option('CacheRatio', priced(0))
  const { key } = await admin.token()
  const serve: SocketGateway['serve'] = (fields) =>
    admin.channel({
      ...{ type: 992, name: 'realtime', key: 'upstream-key', base_url: upstream.url },
      ...{ models: realtimeModel, group: 'default', ...fields },
    })
  await serve({})

  const ask = ({ model = realtimeModel, headers, protocols, options }: OpenOptions = {}) => {
    const query = model === '' ? '' : `?model=${encodeURIComponent(model)}`
    const url = `${gateway.address.replace(/^http/, 'ws')}/v1/realtime${query}`
    return new WebSocket(url, [...(protocols ?? [])], {
      headers: headers ?? { authorization: `Bearer ${key}` },
      ...options,
    })
  }
  return {
    url: gateway.address,
    admin,
    key,
    gateway,
    upstream,
    serve,
    async logs() {
      await gateway.idle()
      return (await admin.must('GET', '/api/log/?type=2&page_size=100')).items
    },
    async balance() {
      await gateway.idle()
      return admin.balance()
    },
    open: (options) => opened(ask(options)),
    refused: (options) => answerOf(ask(options)),
    stop,
  }
}

function opened(socket: WebSocket): Promise<SocketClient> {
  const { received, next } = eventsOf(socket)
  const closed = closeOf(socket)
  let headers: SocketClient['headers'] = {}
  socket.on('upgrade', (response) => {
    headers = response.headers
  })
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_, response) =>
      reject(new Error(`the upgrade was answered ${response.statusCode}`)),
    )
    socket.once('error', reject)
    socket.once('open', () => {
      const send = (event: RealtimeEvent) => socket.send(JSON.stringify(event))
      resolve({ socket, headers, received, next, send, closed })
    })
  })
}

function answerOf(socket: WebSocket): Promise<Refused> {
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('the socket was opened')))
    socket.on('unexpected-response', async (_, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
  })
}
