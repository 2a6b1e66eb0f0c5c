/** A provider whose translator of frames throws: before the session is open another channel takes it, later that session alone ends. */
import t, { type Test } from 'tap'
import { realtimeModel, socketGateway } from '../../kit/socket-gateway.js'
import { keptLog, throwingPlugins, trouble } from './throwing-plugins.js'

const log = keptLog()
const gateway = await socketGateway(t, { log, roots: [throwingPlugins(t)] })
const { upstream } = gateway
await gateway.serve({ type: 950, name: 'bad', key: 'k', models: realtimeModel, priority: 10 })

t.beforeEach(() => {
  log.lines.length = 0
  Object.assign(trouble(), { verb: undefined, way: 'throws' })
})

t.afterEach(() => {
  trouble().verb = undefined
})

/** Opens a socket, and returns the upstream's end of it too. */
async function session() {
  const index = upstream.sessions.length
  const client = await gateway.open()
  return { client, up: await upstream.session(index) }
}

function assertReported(t: Test, verb: string): void {
  const errors = log.lines.map(({ fields }) => String((fields as { err?: Error }).err?.message))
  t.match(errors.join(), `boom in ${verb}`)
}

t.test('a translator that stands passes frames of both sides', async (t) => {
  const { client, up } = await session()
  t.equal(up.url, '/own')
  await client.next('session.created')
  client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  await up.next('input_audio_buffer.append')
  up.send({ type: 'input_audio_buffer.committed' })
  await client.next('input_audio_buffer.committed')
  client.socket.close(1000)
  await up.closed
})

for (const verb of ['frames', 'frames.opened']) {
  t.test(`${verb} throws: another channel takes the session`, async (t) => {
    trouble().verb = verb
    const index = upstream.sessions.length
    const client = await gateway.open()
    const up = await upstream.session(index + 1)
    t.match(up.url, '/v1/realtime')
    assertReported(t, verb)
    client.socket.close(1000)
    await up.closed
  })
}

t.test('a frame of the client that cannot be translated ends its session', async (t) => {
  const { client, up } = await session()
  trouble().verb = 'frames.fromClient'
  client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  t.match(await client.next('error'), { error: { code: 'internal_error' } })
  t.equal(await client.closed, 1011)
  await up.closed
  t.notMatch(JSON.stringify(client.received), 'boom')
  assertReported(t, 'frames.fromClient')
})

t.test('a frame of the upstream that cannot be translated ends its session', async (t) => {
  const { client, up } = await session()
  await client.next('session.created')
  trouble().verb = 'frames.fromUpstream'
  up.send({ type: 'input_audio_buffer.committed' })
  t.match(await client.next('error'), { error: { code: 'upstream_broke_off' } })
  t.equal(await client.closed, 1011)
  t.notMatch(JSON.stringify(client.received), 'boom')
  assertReported(t, 'frames.fromUpstream')
})
