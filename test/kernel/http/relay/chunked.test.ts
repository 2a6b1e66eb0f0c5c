/** The framing of streams, read back by a client that is not ours. */
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { lastChunk, takeFraming, writeChunk } from '../../../../kernel/http/relay/chunked.js'

const sizes = [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 16_384, 16_385, 70_000]
const pieces = sizes.map((size, at) => Buffer.alloc(size, 0x61 + at))

t.test('pieces of any size arrive whole and in order, and the connection goes on', async (t) => {
  const { port } = await writing(t)
  for (let round = 0; round < 2; round++) {
    const response = await new Promise<IncomingMessage>((resolve) => get({ port }, resolve))
    const got: Buffer[] = []
    for await (const bytes of response) got.push(bytes)
    t.ok(Buffer.concat(got).equals(Buffer.concat(pieces)))
    t.equal(response.headers['transfer-encoding'], 'chunked')
    t.equal(response.headers.connection, 'keep-alive')
    t.equal(response.complete, true)
  }
})

t.test(
  'a client of HTTP/1.0 gets the bytes as they are, up to the end of the connection',
  async (t) => {
    const { port } = await writing(t)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.0\r\nHost: h\r\n\r\n')
    const got: Buffer[] = []
    for await (const bytes of socket) got.push(bytes)
    const answer = Buffer.concat(got)
    const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
    t.ok(body.equals(Buffer.concat(pieces)))
  },
)

async function writing(t: { teardown(done: () => void): void }): Promise<{ port: number }> {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, ['Content-Type', 'text/event-stream'])
    const framing = takeFraming(response)
    for (const piece of pieces) framing ? writeChunk(response, piece) : response.write(piece)
    response.end(framing ? lastChunk : undefined)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return server.address() as AddressInfo
}
