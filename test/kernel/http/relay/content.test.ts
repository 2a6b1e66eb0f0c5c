/** Content that passes through a route of the kind `stream`, with real sockets and a source that is scripted. */
import { Agent, request } from 'node:http'
import t from 'tap'
import type { ByteConsumer, ByteSource } from '../../../../kernel/contract/bytes.js'
import type { EndpointStream } from '../../../../kernel/contract/endpoint.js'
import { failureOf } from '../../../../kernel/toolkit/errors/outcome.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { exchange, scriptedGateway, until } from '../harness.js'

/** A source that gives what the test pushes. */
class Source implements ByteSource {
  consumer: ByteConsumer | undefined
  aborted = 0
  resumed = 0
  consume(consumer: ByteConsumer): void {
    this.consumer = consumer
  }
  resume(): void {
    this.resumed += 1
  }
  abort(): void {
    this.aborted += 1
  }
}

/** A source that gives the pieces at once, then ends. */
function pieces(...texts: readonly string[]): ByteSource {
  return {
    consume(consumer) {
      for (const text of texts) consumer.data(Buffer.from(text))
      consumer.end()
    },
    resume() {},
    abort() {},
  }
}

const clip = { 'content-type': 'video/mp4' }
const path = '/v1/content'
const get = 'GET /v1/content HTTP/1.1\r\nhost: x\r\n\r\n'

function serving(stream: Partial<EndpointStream> & Pick<EndpointStream, 'body'>) {
  return { open: async () => ({ status: 200, headers: clip, ...stream }) }
}

t.test('content passes with what describes it, is not sniffed and runs nothing', async (t) => {
  const { ask, access } = await scriptedGateway(
    t,
    serving({
      status: 206,
      headers: {
        ...clip,
        'content-length': '6',
        'content-range': 'bytes 0-5/20',
        'accept-ranges': 'bytes',
        etag: '"a"',
        'last-modified': 'Wed, 25 Nov 2026 10:00:00 GMT',
        'content-disposition': 'inline',
        'set-cookie': 'a=1',
        server: 'theirs',
        'x-request-id': 'theirs',
        'access-control-allow-credentials': 'true',
        'content-security-policy': 'none of ours',
        location: 'https://elsewhere.example',
      },
      body: pieces('abc', 'def'),
    }),
  )
  const { status, headers, text } = await ask('GET', path, { headers: { range: 'bytes=0-5' } })
  t.equal(status, 206)
  t.equal(text, 'abcdef')
  t.match(headers, {
    'content-type': 'video/mp4',
    'content-length': '6',
    'content-range': 'bytes 0-5/20',
    'accept-ranges': 'bytes',
    etag: '"a"',
    'last-modified': String,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': /^default-src 'none';.*sandbox$/,
    'x-request-id': /^req_/,
  })
  for (const name of ['set-cookie', 'server', 'access-control-allow-credentials', 'location']) {
    t.notOk(name in headers, name)
  }
  t.match(access(), [{ status: 206, bytes: 6 }])
})

t.test('the route sees the range, and without a length the content comes in pieces', async (t) => {
  let range: string | undefined
  const { ask } = await scriptedGateway(t, {
    async open({ client }) {
      range = client.headers.range
      return { status: 200, headers: clip, body: pieces('a', 'b') }
    },
  })
  const { headers, text } = await ask('GET', path, { headers: { range: 'bytes=1-' } })
  t.equal(range, 'bytes=1-')
  t.equal(text, 'ab')
  t.equal(headers['transfer-encoding'], 'chunked')
})

t.test('of HEAD the head alone is sent, and the source is let go', async (t) => {
  const body = new Source()
  const { ask } = await scriptedGateway(
    t,
    serving({ headers: { ...clip, 'content-length': '1000' }, body }),
  )
  const { status, headers, text } = await ask('HEAD', path)
  t.equal(status, 200)
  t.equal(headers['content-length'], '1000')
  t.equal(text, '')
  t.equal(body.aborted, 1)
  t.equal(body.consumer, undefined)
})

t.test(
  'a slow client pauses the source at the bound and resumes it when it reads (S7)',
  async (t) => {
    const body = new Source()
    const { socket } = await scriptedGateway(t, serving({ body }))
    const client = await socket()
    client.pause()
    client.write(get)
    await until(() => body.consumer !== undefined)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let pushed = 0
    while (body.consumer!.data(chunk)) {
      pushed += chunk.length
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.ok(pushed >= limits.sinkBufferBytesMax)
    t.equal(body.resumed, 0)
    client.resume()
    await until(() => body.resumed > 0)
    client.destroy()
    await until(() => body.aborted > 0)
  },
)

t.test('a client that leaves ends the source (S8)', async (t) => {
  const body = new Source()
  const { socket, access } = await scriptedGateway(t, serving({ body }))
  const client = await socket()
  client.write(get)
  await until(() => body.consumer !== undefined)
  body.consumer!.data(Buffer.from('a'))
  t.equal(body.aborted, 0)
  client.destroy()
  await until(() => body.aborted === 1)
  t.match(access(), [{ gone: true }])
})

t.test('a client that leaves before the source is open ends it once it is (S8)', async (t) => {
  const body = new Source()
  let opening = 0
  let open = () => {}
  const ready = new Promise<void>((resolve) => {
    open = resolve
  })
  const { socket, access } = await scriptedGateway(t, {
    async open() {
      opening += 1
      await ready
      return { status: 200, headers: clip, body }
    },
  })
  const client = await socket()
  client.write(get)
  await until(() => opening === 1)
  client.destroy()
  await until(() => access().length === 1)
  open()
  await until(() => body.aborted === 1)
  t.equal(body.consumer, undefined)
})

const broken = failureOf(new Refusal('upstream_broke_off'))

for (const headers of [clip, { ...clip, 'content-length': '10' }]) {
  const how = 'content-length' in headers ? 'of a stated length' : 'in pieces'
  t.test(`content ${how} whose source breaks off is cut, never completed`, async (t) => {
    const body = new Source()
    const { port, lines, access } = await scriptedGateway(t, serving({ headers, body }))
    const reply = exchange(port, 'GET', path, {})
    await until(() => body.consumer !== undefined)
    body.consumer!.data(Buffer.from('abc'))
    body.consumer!.fail(broken)
    await t.rejects(reply)
    await until(() => access().length === 1)
    t.match(access(), [{ code: 'upstream_broke_off', gone: true }])
    t.strictSame(
      lines.filter(({ level }) => level === 'error'),
      [],
    )
  })
}

for (const [how, texts] of [
  ['shorter', ['abc']],
  ['longer', ['abc', 'defgh', 'HTTP/1.1 200 OK']],
] as const) {
  t.test(`content that is ${how} than it was declared is cut`, async (t) => {
    const headers = { ...clip, 'content-length': '5' }
    const { socket, access } = await scriptedGateway(
      t,
      serving({ headers, body: pieces(...texts) }),
    )
    const client = await socket()
    let text = ''
    client.on('data', (data) => {
      text += data
    })
    client.write(get)
    await new Promise((resolve) => client.once('close', resolve))
    t.notMatch(text, 'defgh')
    t.match(access(), [{ code: 'upstream_broke_off' }])
  })
}

t.test('a length that is none is left out', async (t) => {
  const headers = { ...clip, 'content-length': '3, 4' }
  const { ask } = await scriptedGateway(t, serving({ headers, body: pieces('abc') }))
  const { headers: sent, text } = await ask('GET', path)
  t.equal(text, 'abc')
  t.notOk('content-length' in sent)
})

t.test('a source that cannot be opened is a refusal in the frame of the path', async (t) => {
  const { ask } = await scriptedGateway(t, {
    open: async () => {
      throw new Refusal('task_result_missing', { task: 'task_1' })
    },
  })
  const { status, json } = await ask('GET', path)
  t.equal(status, 404)
  t.match(json, { frame: 'chat', error: { code: 'task_result_missing' } })
})

t.test('the connection goes on behind content, whether or not it has a length', async (t) => {
  let opened = 0
  const { port } = await scriptedGateway(t, {
    async open() {
      opened += 1
      const headers = opened > 2 ? { ...clip, 'content-length': '3' } : clip
      return { status: 200, headers, body: pieces('abc') }
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const ports = new Set<number | undefined>()
  for (const method of ['GET', 'GET', 'GET', 'HEAD', 'GET']) {
    await new Promise<void>((resolve, reject) => {
      const call = request({ port, host: '127.0.0.1', method, path, agent }, (response) => {
        ports.add(response.socket.localPort)
        response.resume().on('end', resolve)
      })
      call.on('error', reject)
      call.end()
    })
  }
  t.equal(ports.size, 1)
})
