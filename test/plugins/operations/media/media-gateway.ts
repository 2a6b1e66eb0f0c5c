/**
 * A whole gateway with a channel of the provider beside this file, and an upstream that keeps the bytes it was sent.
 * Forms are read there by the platform, not by the gateway's own reader.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Teardown } from '../../../kit/database.js'
import { bootGateway, type LogRow } from '../../../kit/gateway.js'
import { type Management, management } from '../../../kit/management.js'

const channelType = 991

/** Quota per token or per picture at list price; see the READMEs of the operations. */
const prices = {
  ModelRatio: {
    'gpt-image-1': 2.5,
    'whisper-1': 3,
    'gpt-4o-transcribe': 1.25,
    'tts-1': 7.5,
    'gpt-4o-mini-tts': 0.3,
  },
  CompletionRatio: { 'gpt-image-1': 8, 'gpt-4o-transcribe': 4 },
  ImageRatio: { 'gpt-image-1': 2 },
  AudioRatio: { 'gpt-4o-transcribe': 2.4 },
  AudioCompletionRatio: { 'gpt-4o-mini-tts': 20 },
  ModelPrice: { 'dall-e': 0.02, 'dall-e-3': 0.04 },
}

interface Arrived {
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
  form(): Promise<FormData>
}

export type Answer = (response: ServerResponse, arrived: Arrived) => unknown

type Sent = string | FormData | ReadableStream<Uint8Array>

export interface MediaGateway {
  readonly url: string
  readonly admin: Management
  readonly key: string
  readonly channelId: number
  readonly upstreamUrl: string
  /** What came, oldest first. */
  readonly arrived: Arrived[]
  /** How every further request is answered. */
  answer(answer: Answer): void
  post(path: string, body: Sent, headers?: Readonly<Record<string, string>>): Promise<Response>
  postJson(path: string, body: object): Promise<Response>
  /** What root was charged while this ran. */
  cost(run: () => Promise<unknown>): Promise<number>
  /** Rows of the usage log, newest first. */
  logs(): Promise<readonly LogRow[]>
}

export interface GatewayOptions {
  /** Bodies are counted and not kept. */
  readonly onUpload?: (bytes: number) => void
}

export async function mediaGateway(
  t: Teardown,
  options: GatewayOptions = {},
): Promise<MediaGateway> {
  const arrived: Arrived[] = []
  let answer: Answer = (response) => response.end()
  const upstreamUrl = await upstream(t, options, async (request, response) => {
    arrived.push(request)
    await answer(response, request)
  })
  const gateway = await bootGateway(t, {
    environment: { maxRequestBodyBytes: 32 * 1024 * 1024 },
    roots: [new URL('./provider/', import.meta.url)],
  })
  const url = gateway.address
  const admin = management(url)
  await admin.setUp()
  await admin.credit(1, 10_000_000)
  const { key } = await admin.token()
  for (const [option, value] of Object.entries(prices)) await admin.option(option, value)
  const channelId = await admin.channel(channelAt(upstreamUrl))

  const post: MediaGateway['post'] = (path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit)

  async function balance(): Promise<bigint> {
    await gateway.idle()
    return admin.balance()
  }

  return {
    url,
    admin,
    key,
    channelId,
    upstreamUrl,
    arrived,
    answer(next) {
      answer = next
    },
    post,
    postJson: (path, body) =>
      post(path, JSON.stringify(body), { 'content-type': 'application/json' }),
    async cost(run) {
      const before = await balance()
      await run()
      return Number(before - (await balance()))
    },
    async logs() {
      await gateway.idle()
      return (await admin.must('GET', '/api/log/?type=2&page_size=100')).items
    },
  }
}

export function channelAt(url: string) {
  return {
    type: channelType,
    name: 'media',
    key: 'upstream-key',
    base_url: url,
    models: 'dall-e,dall-e-3,gpt-image-1,whisper-1,gpt-4o-transcribe,tts-1,gpt-4o-mini-tts',
    group: 'default',
  }
}

async function upstream(
  t: Teardown,
  { onUpload }: GatewayOptions,
  take: (arrived: Arrived, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      if (onUpload === undefined) chunks.push(chunk as Buffer)
      else onUpload((chunk as Buffer).length)
    }
    const bytes = Buffer.concat(chunks)
    const type = request.headers['content-type'] ?? ''
    const form = () => new Response(bytes, { headers: { 'content-type': type } }).formData()
    await take({ path: request.url ?? '', type, bytes, form }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers JSON. */
export function json(body: object, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
}

/** Answers bytes of a type, piece by piece; a promise among them is waited for. `breaks`: without an end. */
export function bytes(
  type: string,
  pieces: readonly (string | Buffer | Promise<unknown>)[],
  breaks = false,
): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': type })
    for (const piece of pieces) {
      if (piece instanceof Promise) await piece
      else await new Promise<void>((resolve) => response.write(piece, () => resolve()))
    }
    if (breaks) response.destroy()
    else response.end()
  }
}
