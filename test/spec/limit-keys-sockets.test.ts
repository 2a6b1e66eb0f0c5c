/** Limits of a key of its own over a WebSocket: a session is one request, and each of its responses counts in the budget. */
import type { IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { startGateway } from '../kit/gateway.js'
import { answer, closeOf, eventsOf, socketUpstream } from '../kit/socket-upstream.js'

const model = 'gpt-realtime'

async function setup(t: Test) {
  const upstream = await socketUpstream(t)
  const started = await startGateway(t)
  const { admin, url, gateway } = started
  await admin.option('ModelRatio', { [model]: 1 })
  await admin.option('CompletionRatio', { [model]: 4 })
  const channel = { type: 1, name: 'realtime', key: 'upstream-key', base_url: upstream.url }
  await admin.channel({ ...channel, models: model })
  const address = `${url.replace(/^http/, 'ws')}/v1/realtime?model=${model}`

  const made = async (fields: object) =>
    admin.must('POST', '/api/token/', { name: 'limited', ...fields })

  function dial(key: string) {
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
    return { socket, closed: closeOf(socket), ...eventsOf(socket) }
  }

  async function open(key: string) {
    const client = dial(key)
    const at = upstream.sessions.length
    await client.next('session.created')
    return { ...client, session: await upstream.session(at) }
  }

  /** What a socket that is not opened is refused with. */
  function refused(key: string): Promise<Refused> {
    const { socket } = dial(key)
    return new Promise((resolve, reject) => {
      socket.once('open', () => reject(new Error('the socket was opened')))
      socket.once('unexpected-response', (_, response) => resolve(refusedOf(response)))
    })
  }

  /** One answer, of 10 tokens in and 2 out unless stated: 18 units of quota. */
  async function answered(
    { socket, session, next }: Client,
    id: string,
    usage = answer.usage(10, 2),
  ): Promise<void> {
    socket.send(JSON.stringify({ type: 'response.create' }))
    await session.next('response.create')
    session.send(answer.created(id))
    session.send(answer.done(id, usage))
    await next('response.done')
  }

  async function ended(...clients: readonly Client[]): Promise<void> {
    for (const { socket } of clients) socket.close(1000)
    await Promise.all(clients.map(({ closed }) => closed))
    await gateway.idle()
  }

  type Client = Awaited<ReturnType<typeof open>>
  return { admin, upstream, made, open, refused, answered, ended }
}

interface Refused {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

async function refusedOf(response: IncomingMessage): Promise<Refused> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const { statusCode: status, headers } = response
  return { status, headers, text: String(Buffer.concat(chunks)) }
}

t.test('[LIMIT-6] a socket is one request of the requests a minute of its key', async (t) => {
  const { upstream, made, open, refused, answered, ended } = await setup(t)
  const { key } = await made({ rpm_limit: 2 })
  const first = await open(key)
  for (const id of ['a', 'b', 'c']) await answered(first, id)
  const second = await open(key)
  const third = await refused(key)
  t.equal(third.status, 429)
  t.match(third.headers, { 'x-ratelimit-limit-requests': '2', 'retry-after': /^\d+$/ })
  t.match(third.text, /may send 2 requests a minute/)
  await answered(second, 'd')
  t.equal(upstream.requests.length, 2, 'what is refused is not relayed')
  await ended(first, second)
})

t.test('[LIMIT-6] tokens a minute count what a session has used once it ends', async (t) => {
  const { upstream, made, open, refused, answered, ended } = await setup(t)
  const { key } = await made({ tpm_limit: 100_000 })
  const first = await open(key)
  for (const id of ['a', 'b']) await answered(first, id, answer.usage(60_000, 10_000))
  await ended(first)
  const second = await refused(key)
  t.equal(second.status, 429, '140,000 of 100,000 are used')
  t.match(second.headers, { 'x-ratelimit-remaining-tokens': '0' })
  t.equal(upstream.requests.length, 1, 'what is refused is not relayed')
})

t.test(
  '[BILL-9] a session ends at the answer its budget does not cover, and the next one is refused',
  async (t) => {
    const { admin, upstream, made, open, refused, answered, ended } = await setup(t)
    const probe = await made({ budget_quota: 100_000_000, budget_period: 'day' })
    const asked = await open(probe.key)
    await answered(asked, 'probe')
    await ended(asked)
    const { budget_used: price } = await admin.must('GET', `/api/token/${probe.id}`)
    t.equal(price, 18)

    const small = await made({ budget_quota: 1, budget_period: 'day' })
    const none = await refused(small.key)
    t.equal(none.status, 403)
    t.match(none.text, /The budget of this API key/)

    const { key, id } = await made({ budget_quota: 40_000, budget_period: 'day' })
    const client = await open(key)
    let answers = 0
    let isOver = false
    const over = client.closed.then((code) => {
      isOver = true
      return code
    })
    while (!isOver && answers < 40) {
      const name = `r${answers}`
      client.socket.send(JSON.stringify({ type: 'response.create' }))
      const went = await Promise.race([client.session.next('response.create'), over])
      if (typeof went === 'number') break
      client.session.send(answer.created(name))
      client.session.send(answer.done(name, answer.usage(1000, 250)))
      const done = await Promise.race([client.next('response.done'), over])
      if (typeof done === 'number') break
      answers += 1
    }
    await over
    const read = await admin.must('GET', `/api/token/${id}`)
    t.comment(`${answers} responses, used ${read.budget_used}, closed with ${await over}`)
    t.ok(answers > 0 && answers <= 20, `${answers} responses`)
    t.ok(read.budget_used <= 40_000 + 2000, `used ${read.budget_used}`)
    const opened = upstream.requests.length
    t.equal((await refused(key)).status, 403)
    t.equal(upstream.requests.length, opened)
  },
)
