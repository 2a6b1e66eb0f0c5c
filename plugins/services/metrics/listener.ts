/** A listener that answers one path. It stands apart from the public one, so no route and no proxy rule can open it. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Environment } from '../../../kernel/contract/services/system.js'

export interface MetricsListener {
  readonly address: string
  close(): Promise<void>
}

/** Rejects where the address is taken. `text` makes the page. */
export async function openListener(
  { host, port }: NonNullable<Environment['metrics']>,
  text: () => Promise<string>,
): Promise<MetricsListener> {
  const server = metricsServer(text)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address() as AddressInfo
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return {
    address: `http://${name}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function metricsServer(text: () => Promise<string>): Server {
  const server = createServer({ requestTimeout: 10_000, keepAliveTimeout: 65_000 })
  /** However many ask at once, the numbers are read once. */
  let reading: Promise<string> | undefined
  server.on('request', async ({ method, url }, response) => {
    const path = url?.split('?')[0]
    if (path !== '/metrics') return response.writeHead(404).end()
    if (method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end()
    try {
      reading ??= text().finally(() => {
        reading = undefined
      })
      const page = await reading
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
      return response.end(page)
    } catch {
      return response.writeHead(500).end()
    }
  })
  return server
}
