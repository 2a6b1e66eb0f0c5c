/** The yardstick: node:http in, undici dispatch out, bytes untouched. `argv[2]` is the upstream's origin. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'

const origin = process.argv[2]!
const agent = new Agent({ pipelining: 1 })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => forward(request, response, Buffer.concat(chunks)))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('disconnect', () => process.exit(0))

function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  agent.dispatch(
    {
      origin,
      path: request.url!,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer upstream' },
      body,
    },
    {
      onRequestStart() {},
      onResponseStart(controller, status, headers) {
        response.writeHead(status, { 'content-type': String(headers['content-type']) })
        response.on('drain', () => controller.resume())
      },
      onResponseData(controller, chunk) {
        if (!response.write(chunk)) controller.pause()
      },
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  )
}
