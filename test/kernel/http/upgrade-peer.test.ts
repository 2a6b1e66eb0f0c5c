import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'
import { httpLimits } from '../../../kernel/http/limits.js'
import { peerOptions, SocketPeer } from '../../../kernel/http/socket-peer.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { until } from './harness.js'

const { closeMs, pingMs, pingsMax, silentPingsMax } = httpLimits

/** One end under test, the other in the hands of the test, real sockets in between. */
async function pair(t: Test, options: ClientOptions = {}) {
  const clock = new FakeClock()
  const server = createServer()
  const upgrader = new WebSocketServer({ noServer: true, ...peerOptions })
  const connections: Socket[] = []
  const ends: { code: number; own: boolean }[] = []
  const made = new Promise<SocketPeer>((resolve) => {
    server.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) => {
      connections.push(connection)
      upgrader.handleUpgrade(request, connection, head, (socket) => {
        const closed = (code: number, own: boolean) => void ends.push({ code, own })
        resolve(new SocketPeer(socket, { clock, log: quietLog, connection, closed }))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const other = new WebSocket(`ws://127.0.0.1:${port}`, options)
  other.on('error', () => {})
  t.teardown(() => {
    other.terminate()
    for (const connection of connections) connection.destroy()
    server.close()
  })
  const peer = await made
  await new Promise((resolve) => other.once('open', resolve))
  const heard: string[] = []
  const codes: number[] = []
  let drained = 0
  const listen = () =>
    peer.consume({
      frame: (bytes, binary) => heard.push(binary ? `binary ${bytes}` : String(bytes)),
      drained: () => {
        drained += 1
      },
      closed: (code) => codes.push(code),
    })
  return { clock, peer, other, heard, codes, ends, listen, drains: () => drained }
}

t.test('frames come in order and of their kind, from the first on', async (t) => {
  const { peer, other, heard, listen } = await pair(t)
  other.send('one')
  other.send(Buffer.from('two'))
  listen()
  await until(() => heard.length === 2)
  t.strictSame(heard, ['one', 'binary two'])
  peer.pause()
  other.send('three')
  const pinged = new Promise((resolve) => other.once('message', resolve))
  peer.send(Buffer.from('there?'), false)
  await pinged
  t.equal(heard.length, 2)
  peer.resume()
  await until(() => heard.length === 3)
})

t.test('[RT-1] pings go out at their pace, and any sign of life will do', async (t) => {
  const { clock, other, codes, listen, heard } = await pair(t, { autoPong: false })
  listen()
  for (let round = 0; round < silentPingsMax * 3; round += 1) {
    const pinged = new Promise((resolve) => other.once('ping', resolve))
    clock.advance(pingMs)
    await pinged
    other.send('alive')
    await until(() => heard.length === round + 1)
  }
  t.strictSame(codes, [])
})

t.test('[RT-1] an end that falls silent is given up after 60 to 90 seconds', async (t) => {
  const { clock, other, codes, ends, listen } = await pair(t, { autoPong: false })
  t.ok(pingMs * silentPingsMax >= 60_000 && pingMs * (silentPingsMax + 1) <= 90_000)
  listen()
  for (let round = 0; round < silentPingsMax; round += 1) {
    const pinged = new Promise((resolve) => other.once('ping', resolve))
    clock.advance(pingMs)
    await pinged
    t.strictSame(codes, [])
  }
  clock.advance(pingMs)
  await until(() => codes.length > 0)
  t.strictSame(codes, [1006])
  t.strictSame(ends, [{ code: 1006, own: false }])
  t.equal(clock.pending, 0)
})

t.test('silence of one who is not being listened to is no silence', async (t) => {
  const { clock, peer, other, codes, listen } = await pair(t)
  listen()
  peer.pause()
  for (let round = 0; round < silentPingsMax * 3; round += 1) clock.advance(pingMs)
  await new Promise((resolve) => other.once('ping', resolve))
  t.strictSame(codes, [])
})

t.test('a flood of pings is cut (S16)', async (t) => {
  const { other, codes, listen } = await pair(t)
  listen()
  for (let ping = 0; ping <= pingsMax; ping += 1) other.ping()
  await until(() => codes.length > 0)
  t.strictSame(codes, [1006])
})

t.test('a message above the bound is answered with 1009 (S16)', async (t) => {
  const { other, codes, clock, listen } = await pair(t)
  listen()
  const code = new Promise((resolve) => other.once('close', resolve))
  other.send(Buffer.alloc(peerOptions.maxPayload + 1))
  t.equal(await code, 1009)
  await until(() => codes.length > 0)
  t.equal(clock.pending, 0)
})

t.test('compression is not to be had (S16)', async (t) => {
  const { other } = await pair(t, { perMessageDeflate: true })
  t.equal(other.extensions, '')
})

t.test('a reader that does not keep up is reported of, and when it has caught up', async (t) => {
  const { peer, other, listen, drains } = await pair(t)
  listen()
  other.pause()
  const piece = Buffer.alloc(64 * 1024)
  while (peer.send(piece, true));
  t.equal(drains(), 0)
  other.resume()
  await until(() => drains() === 1)
  t.equal(peer.send(piece, true), true)
})

t.test('a reader that takes nothing at all is cut in the end (S7)', async (t) => {
  const { peer, other, codes, clock, listen } = await pair(t)
  listen()
  other.pause()
  const piece = Buffer.alloc(1024 * 1024)
  for (let at = 0; at < 64; at += 1) peer.send(piece, true)
  clock.advance(limits.writeStallMs / 2)
  other.send('but talks')
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(limits.writeStallMs * 3)
  await until(() => codes.length > 0)
  t.strictSame(codes, [1006])
})

t.test('a reader that fails loses its socket and nothing else', async (t) => {
  const { peer, other } = await pair(t)
  const closed = new Promise<number>((resolve) => {
    peer.consume({
      frame() {
        throw new Error('it cannot read this')
      },
      drained: () => {},
      closed: resolve,
    })
  })
  other.send('anything')
  t.equal(await closed, 1006)
})

t.test('a goodbye is answered, or the connection is cut', async (t) => {
  const { peer, other, codes, ends, clock, listen } = await pair(t)
  listen()
  const code = new Promise((resolve) => other.once('close', resolve))
  peer.close(1008, 'enough')
  t.equal(await code, 1008)
  await until(() => codes.length > 0)
  t.strictSame(ends, [{ code: 1008, own: true }])
  t.equal(clock.pending, 0)

  const rude = await pair(t)
  rude.listen()
  rude.other.pause()
  rude.peer.close(1000, '')
  rude.clock.advance(closeMs)
  await until(() => rude.codes.length > 0)
  t.equal(rude.clock.pending, 0)
})

t.test('a paused end hears the answer to its goodbye all the same', async (t) => {
  const { peer, other, heard, codes, listen } = await pair(t)
  listen()
  peer.pause()
  other.send('late')
  peer.close(1000, '')
  await until(() => codes.length > 0)
  t.strictSame(heard, [], 'what came behind the goodbye is dropped')
})
