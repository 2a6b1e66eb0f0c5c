/**
 * Either side of a WebSocket sends frames that are dear to read: megabytes of text, of tiny objects, of keys, or thousands
 * of tiny frames in one packet. Large frames of clients are read in turns, those of upstreams are read only where they are
 * small enough, and others have their turn between two frames (decision 0065).
 */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { WebSocketServer } from 'ws'
import { peerOptions } from '../../kernel/http/socket-peer.js'
import realtime from '../../plugins/operations/realtime/index.js'
import { cpuMs, least, turnMsMax, watchTurns } from '../kit/turn.js'

const MiB = 1024 * 1024
const many = (item: string, bytes: number) => item.repeat(Math.floor(bytes / item.length))
const session = () => realtime().session!({ model: 'asked', upstreamModel: 'upstream' })
const msMax = turnMsMax()

const item = (rest: string) =>
  Buffer.from(`{"type":"conversation.item.create","item":{"type":"message","content":[${rest}]}}`)

t.test('[RT-1] no turn of reading a large frame of a client is long', async (t) => {
  const table: readonly (readonly [name: string, frame: Buffer, kind: string])[] = [
    ['a picture', item(`{"image_url":"${many('A', 15 * MiB)}"}`), 'pass'],
    ['a text', item(`{"text":"${many('hello ', 15 * MiB)}"}`), 'pass'],
    ['quotes', item(`{"text":"${many('\\"', 15 * MiB)}"}`), 'pass'],
    ['objects', item(many('{},', 15 * MiB)), 'stop'],
    ['numbers', item(many('0,', 15 * MiB)), 'stop'],
    ['nesting', item(many('[', 15 * MiB)), 'stop'],
    ['blanks', Buffer.from(many(' ', 15 * MiB)), 'stop'],
    ['a text alone', Buffer.from(`"${many('A', 15 * MiB)}"`), 'stop'],
  ]
  for (const [name, frame, kind] of table) {
    const longestTurn = watchTurns()
    const verdict = await session().fromClient(frame)
    const longest = longestTurn()
    t.equal(verdict.kind, kind, name)
    t.ok(longest < msMax, `${name}: ${longest.toFixed(1)} ms`)
  }
})

t.test('[RT-1] no frame of an upstream takes long to read', async (t) => {
  const event = (type: string, rest: string) => Buffer.from(`{"type":"${type}",${rest}}`)
  const text = many('hello ', 15 * MiB)
  const table: readonly (readonly [name: string, frame: Buffer])[] = [
    ['a delta of text', event('response.text.delta', `"delta":"${text}"`)],
    ['a delta of quotes', event('response.text.delta', `"delta":"${many('\\"', 15 * MiB)}"`)],
    ['a delta behind a list', event('response.text.delta', `"x":[${many('[0],', 15 * MiB)}0]`)],
    ['a delta behind keys', event('response.text.delta', `${many('"delt_":1,', 15 * MiB)}"x":0`)],
    ['a list', Buffer.from(`{"x":[${many('"",', 15 * MiB)}""],"type":"error"}`)],
    ['blanks', Buffer.from(many(' ', 15 * MiB))],
    ['an end', event('response.done', `"response":{"x":"${text}"}`)],
    ['an end of objects', event('response.done', `"response":{"x":[${many('{},', 15 * MiB)}0]}`)],
    ['a session', event('session.updated', `"session":{"x":[${many('0,', 15 * MiB)}0]}`)],
    ['an error', event('error', `"error":{"x":[${many('0,', 15 * MiB)}0]}`)],
    ['a large end', event('response.done', `"response":{"x":"${many('A', 7.9 * MiB)}"}`)],
  ]
  for (const [name, frame] of table) {
    const ms = least(() => {
      const watched = session()
      const before = cpuMs()
      watched.refusal(frame)
      watched.fromUpstream(frame)
      return cpuMs() - before
    })
    t.ok(ms < msMax, `${name}: ${ms.toFixed(1)} ms`)
  }
})

t.test('[RT-1] thousands of frames in one packet leave others their turn', async (t) => {
  const server = createServer()
  const upgrader = new WebSocketServer({ noServer: true, ...peerOptions })
  let frames = 0
  let most = 0
  let ofTurn = 0
  const arrived = new Promise<void>((resolve) => {
    server.on('upgrade', (request, connection, head) => {
      upgrader.handleUpgrade(request, connection, head, (socket) => {
        socket.on('message', () => {
          frames += 1
          ofTurn += 1
          most = Math.max(most, ofTurn)
          if (frames === 5000) resolve()
          setImmediate(() => {
            ofTurn = 0
          })
        })
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const head = ['GET / HTTP/1.1', 'Host: h', 'Connection: Upgrade', 'Upgrade: websocket']
  const key = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`, '', '']
  client.write([...head, ...key].join('\r\n'))
  // A text frame of nothing, masked with zeros.
  const tiny = Buffer.from([0x81, 0x80, 0, 0, 0, 0])
  client.write(Buffer.concat(Array.from({ length: 5000 }, () => tiny)))
  await arrived
  client.destroy()
  t.equal(frames, 5000)
  t.ok(most <= 2, `${most} in one turn`)
})
