/** A scripted upstream: a real HTTP server of this machine that remembers what it received. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  /** The body as JSON; undefined where it is none. */
  readonly json: Record<string, unknown> | undefined
  /** Resolves when the connection of this request closed before the answer was complete. */
  readonly aborted: Promise<void>
}

export type Script = (request: Recorded, response: ServerResponse) => void | Promise<void>

export interface TestUpstream {
  readonly url: string
  /** In the order they came. */
  readonly requests: readonly Recorded[]
  close(): Promise<void>
}

/** Every request is sent to `script`. */
export async function startUpstream(script: Script): Promise<TestUpstream> {
  const requests: Recorded[] = []
  const { url, close } = await listening(async (request, response) => {
    const recorded = await record(request, response)
    requests.push(recorded)
    try {
      await script(recorded, response)
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`The script of the upstream failed: ${String(error)}`)
    }
  })
  return { url, requests, close }
}

/** A server on a free port of the loopback address. */
export async function listening(
  listener: RequestListener,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers one JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** What a request holds, once its body is there. */
export async function record(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Recorded> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  const aborted = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text,
    bytes,
    json: parsed(text),
    aborted,
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
