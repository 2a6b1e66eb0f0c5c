/** A strict upstream (test/kit/tasks) as a real server, beside files anybody may fetch. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StrictReply } from './tasks/upstream.js'

export interface StrictUpstream {
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): StrictReply
}

export interface TaskServer {
  readonly url: string
  /** What was sent to it, oldest first: `POST /v1/videos`. */
  readonly calls: string[]
  /** Headers of the last call. */
  readonly last: { headers: Readonly<Record<string, string>> }
  /** Path → type and bytes, for whoever asks. */
  readonly files: Map<string, { readonly type: string; readonly bytes: Buffer }>
}

export async function taskServer(
  t: { teardown(run: () => Promise<void>): void },
  upstream: StrictUpstream,
): Promise<TaskServer> {
  const calls: string[] = []
  const files: TaskServer['files'] = new Map()
  const last: TaskServer['last'] = { headers: {} }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { method = '', url = '' } = request
    calls.push(`${method} ${url}`)
    last.headers = singleValued(request.headers)
    const file = files.get(url)
    const reply =
      file === undefined
        ? upstream.handle(method, url, last.headers, Buffer.concat(pieces).toString('utf8'))
        : { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, calls, last, files }
}

function singleValued(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
