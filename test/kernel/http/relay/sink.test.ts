import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import type { Sink } from '../../../../kernel/contract/sink.js'
import { ResponseSink } from '../../../../kernel/http/relay/sink.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../../kit/clock.js'
import { quietLog, requestId } from '../../../kit/fakes.js'
import { json, scriptedGateway, until } from '../harness.js'

const events = { 'content-type': 'text/event-stream' }
const postHead = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'

/** A relay that hands its sink to the test and lasts until the test ends it. */
function held() {
  const sinks: Sink[] = []
  const ends: (() => void)[] = []
  return {
    sinks,
    end() {
      for (const end of ends) end()
    },
    relay: ({ sink }: { sink: Sink }) =>
      new Promise<void>((resolve) => {
        sinks.push(sink)
        ends.push(resolve)
      }),
  }
}

/** Writes until the kernel's buffers, some megabytes, and the sink's own bound are full and stay so. */
async function fill(sink: Sink): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let room = true
  sink.onDrain(() => {
    room = true
  })
  for (let turns = 0; turns < 50; turns++) {
    if (room) turns = 0
    while (room) room = sink.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

t.test('events reach a client that takes gzip at once, each by itself', async (t) => {
  const { relay, sinks, end } = held()
  const { port } = await scriptedGateway(t, { relay })
  const got: string[] = []
  const headers = { ...json, 'accept-encoding': 'gzip, deflate, br' }
  const path = '/v1/chat/completions'
  const ask = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false })
  const response = new Promise<Record<string, unknown>>((resolve) => {
    ask.on('response', (message) => {
      message.on('data', (chunk) => got.push(String(chunk)))
      resolve(message.headers)
    })
  })
  ask.end()
  await until(() => sinks.length === 1)
  sinks[0]!.head(200, events)
  for (const text of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
    const before = got.length
    sinks[0]!.write(Buffer.from(text))
    await until(() => got.length > before)
  }
  t.strictSame(got, ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'])
  t.match(await response, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    'content-encoding': undefined,
  })
  sinks[0]!.end()
  end()
})

t.test('a whole answer has its length, is not to be kept and not to be sniffed', async (t) => {
  const { ask } = await scriptedGateway(t, {
    relay: async ({ sink }) => sink.send(200, json, '{"text":"ä"}'),
  })
  const { headers, text } = await ask('POST', '/v1/chat/completions', { headers: json })
  t.equal(text, '{"text":"ä"}')
  t.match(headers, {
    'content-length': '13',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
})

t.test(
  'a client that leaves mid-stream is a state; whoever waits is informed once (S9)',
  async (t) => {
    const { relay, sinks, end } = held()
    const { socket, access, ask } = await scriptedGateway(t, { relay })
    const client = await socket()
    client.write(postHead)
    await until(() => sinks.length === 1)
    const [sink] = sinks
    let count = 0
    sink!.onGone(() => count++)
    sink!.head(200, events)
    sink!.write(Buffer.from('data: 1\n\n'))
    client.destroy()
    await until(() => sink!.gone)
    t.equal(sink!.write(Buffer.from('data: 2\n\n')), true, 'writing on is ignored')
    sink!.end()
    sink!.send(200, json, '{}')
    t.equal(count, 1)
    sink!.onGone(() => count++)
    t.equal(count, 2, 'a late listener receives at once')
    t.match(access(), [{ status: 200, gone: true }])
    end()
    t.equal((await ask('GET', '/v1/models')).status, 200, 'the server lives on')
  },
)

t.test('a client that leaves before the answer began', async (t) => {
  const { relay, sinks, end } = held()
  const { socket, access } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.write(postHead)
  await until(() => sinks.length === 1)
  client.destroy()
  await until(() => sinks[0]!.gone)
  sinks[0]!.head(200, events)
  sinks[0]!.send(500, json, '{}')
  t.equal(sinks[0]!.started, false)
  t.match(access(), [{ status: 499, gone: true }])
  end()
})

t.test('a client that leaves while its body arrives costs no relay', async (t) => {
  const { relay, sinks } = held()
  const { socket, ask } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{')
  client.destroy()
  await new Promise((resolve) => client.once('close', resolve))
  t.equal((await ask('GET', '/v1/models')).status, 200)
  t.equal(sinks.length, 0)
})

t.test('a client that took everything and closes is not gone', async (t) => {
  const { ask, access } = await scriptedGateway(t)
  await ask('POST', '/v1/chat/completions', { headers: { ...json, connection: 'close' } })
  await until(() => access().length === 1)
  t.notOk('gone' in access()[0]!)
})

t.test('a slow client stops the flow at its bound and resumes it when it reads (S7)', async (t) => {
  const { relay, sinks, end } = held()
  const { socket } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write(postHead)
  await until(() => sinks.length === 1)
  const [sink] = sinks
  sink!.head(200, events)
  await fill(sink!)
  let drained = 0
  sink!.onDrain(() => drained++)
  let received = 0
  client.on('data', (data) => {
    received += data.length
  })
  client.resume()
  await until(() => drained === 1)
  t.ok(received > 0)
  sink!.end()
  end()
})

t.test('what waits in this process for a slow client is bounded (S7)', async (t) => {
  let waiting = 0
  const server = createServer(async (_, response) => {
    const sink = new ResponseSink(response, {
      requestId,
      clock: new FakeClock(),
      log: quietLog,
      method: 'GET',
      path: '/',
      address: '',
      messages: false,
      cors: false,
      closed: () => {},
    })
    sink.head(200, events)
    await fill(sink)
    waiting = response.writableLength
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => {
    client.destroy()
    server.close()
  })
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => waiting > 0)
  t.ok(waiting > limits.sinkBufferBytesMax)
  t.ok(waiting < limits.sinkBufferBytesMax + 2 * 64 * 1024)
})

t.test(
  'a client that takes nothing while bytes wait is cut after the stall limit (S7)',
  async (t) => {
    const { relay, sinks, end } = held()
    const { socket, clock, access } = await scriptedGateway(t, { relay })
    const client = await socket()
    client.pause()
    client.write(postHead)
    await until(() => sinks.length === 1)
    const [sink] = sinks
    sink!.head(200, events)
    await fill(sink!)
    // What the kernel still takes counts as progress; then nothing moves any more.
    let periods = 0
    while (!sink!.gone && periods < 1000) {
      periods += 1
      clock.advance(limits.writeStallMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.ok(sink!.gone)
    t.match(access(), [{ gone: true, stalled: true }])
    end()
  },
)

t.test('a slow client that keeps taking is never cut, however long it takes', async (t) => {
  const { relay, sinks, end } = held()
  const { socket, clock } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write(postHead)
  await until(() => sinks.length === 1)
  const [sink] = sinks
  const total = 48 * 1024 * 1024
  sink!.send(200, json, Buffer.alloc(total, 'x'))
  let received = 0
  client.on('data', (data) => {
    received += data.length
  })
  // Each gulp is more than the kernel holds, so that it shows on the other side.
  for (let gulp = 12; gulp <= 48 && !sink!.gone; gulp += 12) {
    client.resume()
    await until(() => received >= gulp * 1024 * 1024 || sink!.gone)
    client.pause()
    clock.advance(limits.writeStallMs * 0.9)
  }
  t.equal(sink!.gone, false)
  t.ok(received >= total)
  end()
})

t.test('a client that has caught up is watched no more, until it is slow again (S7)', async (t) => {
  const { relay, sinks, end } = held()
  const { socket, clock } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write(postHead)
  await until(() => sinks.length === 1)
  const [sink] = sinks
  sink!.head(200, events)
  const before = clock.pending
  for (let round = 0; round < 2; round++) {
    client.pause()
    await fill(sink!)
    t.equal(clock.pending, before + 1, 'one timer, however many pieces wait')
    let drained = false
    sink!.onDrain(() => {
      drained = true
    })
    client.resume()
    await until(() => drained)
    t.equal(clock.pending, before)
  }
  clock.advance(limits.writeStallMs * 2)
  t.equal(sink!.gone, false)
  end()
})

t.test('a slow client that leaves takes its timer along', async (t) => {
  const { relay, sinks, end } = held()
  const { socket, clock } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write(postHead)
  await until(() => sinks.length === 1)
  const [sink] = sinks
  const before = clock.pending
  sink!.head(200, events)
  await fill(sink!)
  t.equal(clock.pending, before + 1)
  client.destroy()
  await until(() => sink!.gone)
  t.equal(clock.pending, before)
  end()
})

t.test('a stalled end of an answer is cut too', async (t) => {
  const { relay, sinks, end } = held()
  const { socket, clock } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write(postHead)
  await until(() => sinks.length === 1)
  sinks[0]!.send(200, json, Buffer.alloc(32 * 1024 * 1024, 'x'))
  let periods = 0
  while (!sinks[0]!.gone && periods < 1000) {
    periods += 1
    clock.advance(limits.writeStallMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.ok(sinks[0]!.gone)
  end()
})

t.test('no timer is left by an ordinary request', async (t) => {
  const { ask, clock, access } = await scriptedGateway(t)
  await ask('POST', '/v1/chat/completions', { headers: json })
  await until(() => access().length === 1)
  t.equal(clock.pending, 0)
})
