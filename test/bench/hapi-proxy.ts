/** What a plain hapi proxy costs: the body parsed and written again, the answer a stream. `argv[2]` is the upstream's origin. */
import { PassThrough } from 'node:stream'
import Hapi from '@hapi/hapi'
import { Agent, request as send } from 'undici'

const origin = process.argv[2]!
const dispatcher = new Agent({ pipelining: 1 })
const server = Hapi.server({ port: 0, host: '127.0.0.1', compression: false })
server.listener.keepAliveTimeout = 60_000

server.route({
  method: 'POST',
  path: '/v1/chat/completions',
  options: { payload: { maxBytes: 32 * 1024 * 1024 } },
  async handler(request, h) {
    const { statusCode, headers, body } = await send(`${origin}${request.path}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer upstream' },
      body: JSON.stringify(request.payload),
    })
    const out = new PassThrough()
    body.on('error', () => out.destroy())
    body.pipe(out)
    return h.response(out).code(statusCode).type(String(headers['content-type']))
  },
})

await server.start()
process.send?.({ port: server.info.port })
process.on('disconnect', () => process.exit(0))
