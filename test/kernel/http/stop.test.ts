import { Agent, request } from 'node:http'
import t from 'tap'
import type { Sink } from '../../../kernel/contract/sink.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { json, scriptedGateway, until } from './harness.js'

/** A relay under way: its sink, and how to end it. */
function running() {
  const relays: { sink: Sink; settle: () => void }[] = []
  return {
    relays,
    relay: ({ sink }: { sink: Sink }) =>
      new Promise<void>((settle) => {
        relays.push({ sink, settle })
      }),
  }
}

const ready = {
  managementRoutes: [{ path: '/health/ready' }],
}

const unavailable = {
  answer: true,
  status: 503,
  bare: { success: false, message: 'The gateway is stopping.', data: null },
}

t.test('stopping waits for a running relay, refuses new ones, then closes (P9)', async (t) => {
  const { relay, relays } = running()
  const { server, ask, clock } = await scriptedGateway(t, {
    ...ready,
    relay,
    management: {
      routes: {
        it: {
          handle: () => (server.accepting() ? { answer: true } : unavailable),
          failureStatuses: [503],
        },
      },
    },
  })
  const first = ask('POST', '/v1/messages', { headers: json })
  await until(() => relays.length === 1)
  t.equal((await ask('GET', '/health/ready')).status, 200)

  let stopped = false
  const stop = server.stop({ abort: () => t.fail('it ended by itself') }).then(() => {
    stopped = true
  })
  t.equal(server.accepting(), false)
  t.equal((await ask('GET', '/health/ready')).status, 503)
  const keepAlive = { ...json, connection: 'keep-alive' }
  const refused = await ask('POST', '/v1/messages', { headers: keepAlive })
  t.equal(refused.status, 503)
  t.match(refused.json, { frame: 'messages', error: { code: 'shutting_down' } })
  t.equal(refused.headers.connection, 'close')
  t.equal(stopped, false)

  relays[0]!.sink.send(200, json, '{"ok":true}')
  t.equal((await first).text, '{"ok":true}')
  t.equal(stopped, false, 'the answer is out but the relay has not settled')
  relays[0]!.settle()
  await stop
  t.equal(clock.pending, 0)
  await t.rejects(ask('GET', '/v1/models'), { code: 'ECONNREFUSED' })
})

t.test('relays that do not end in time are named once, then get to settle', async (t) => {
  const { relay, relays } = running()
  const { server, ask, clock } = await scriptedGateway(t, { relay })
  const answer = ask('POST', '/v1/chat/completions', { headers: json })
  await until(() => relays.length === 1)
  const aborted: (readonly string[])[] = []
  const stop = server.stop({
    abort(remaining) {
      aborted.push(remaining)
      relays[0]!.sink.send(503, json, '{"cut":true}')
      relays[0]!.settle()
    },
  })
  clock.advance(limits.shutdownMs)
  await stop
  t.strictSame(aborted, [[relays[0]!.sink.requestId]])
  t.equal((await answer).text, '{"cut":true}')
})

t.test('stopping ends even when a relay never does', async (t) => {
  const { relay, relays } = running()
  const { server, ask, clock } = await scriptedGateway(t, { relay })
  const answer = ask('POST', '/v1/chat/completions', { headers: json })
  await until(() => relays.length === 1)
  let abortedAll = false
  const stop = server.stop({
    abort: () => {
      abortedAll = true
    },
  })
  clock.advance(limits.shutdownMs)
  await until(() => abortedAll && clock.pending > 0)
  clock.advance(60_000)
  await stop
  await t.rejects(answer)
  relays[0]!.settle()
})

t.test('an answer still on its way to a slow reader is not cut', async (t) => {
  const { relay, relays } = running()
  const { server, socket, ask } = await scriptedGateway(t, { relay })
  const client = await socket()
  client.pause()
  client.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  await until(() => relays.length === 1)
  const total = 32 * 1024 * 1024
  relays[0]!.sink.send(200, json, Buffer.alloc(total, 'x'))
  relays[0]!.settle()
  const stop = server.stop({ abort: () => t.fail('no relay runs') })
  t.equal((await ask('GET', '/v1/models')).status, 503)
  let received = 0
  client.on('data', (data) => {
    received += data.length
  })
  client.resume()
  await stop
  await new Promise((resolve) => client.once('close', resolve))
  t.ok(received > total)
})

t.test('idle keep-alive connections do not hold the stop', async (t) => {
  const { server, port } = await scriptedGateway(t)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await new Promise<void>((resolve, reject) => {
    const ask = request({ port, host: '127.0.0.1', path: '/v1/models', agent }, (response) => {
      response.resume().on('end', resolve)
    })
    ask.on('error', reject).end()
  })
  await server.stop({ abort: () => t.fail('nothing runs') })
  t.pass('it came to its end without a timer')
})

t.test('idle resolves once the running relay has settled', async (t) => {
  const { relay, relays } = running()
  const { server, ask } = await scriptedGateway(t, { relay })
  await server.idle()
  const answer = ask('POST', '/v1/chat/completions', { headers: json })
  await until(() => relays.length === 1)
  let idle = false
  const waiting = server.idle().then(() => {
    idle = true
  })
  relays[0]!.sink.send(200, json, '{}')
  await answer
  t.equal(idle, false)
  relays[0]!.settle()
  await waiting
})
