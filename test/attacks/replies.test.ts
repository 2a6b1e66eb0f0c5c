/**
 * An upstream, or many requests to an honest one, make the process hold replies: they count in the same budget as
 * bodies that come in, and what there is no room for is refused without blame or charge (decision 0060).
 */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { management } from '../kit/management.js'
import { installation, startProcess } from '../kit/process.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat } from '../kit/upstream.js'

t.setTimeout(360_000)

const MiB = 1024 * 1024
const many = (item: string, bytes: number) => item.repeat(Math.floor(bytes / item.length))
const whole = JSON.stringify(chat.whole('Hi.', 10, 2))
/** A reply that is fine but for a member of these bytes in front. */
const padded = (padding: string) => `{"padding":${padding},${whole.slice(1)}`

type Reply = (response: ServerResponse) => void
let type = 'application/json'
let reply: Reply = (response) => response.end(whole)

const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': type })
    reply(response)
  })
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
t.teardown(() => {
  upstream.close()
  upstream.closeAllConnections()
})

const gateway = await startProcess(
  t,
  { ...(await installation(t)), MAX_BODIES_IN_FLIGHT_MB: '64' },
  ['--max-old-space-size=256'],
)
const admin = management(gateway.url)
await admin.setUp()
await admin.credit(1, 1_000_000_000)
await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
await admin.option('CompletionRatio', { 'gpt-4o-mini': 1 })
await admin.channel({
  type: 1,
  name: 'large',
  key: 'k',
  base_url: origin,
  models: 'gpt-4o-mini',
  group: 'default',
})
const { key } = await admin.token()

async function send(more: object = {}) {
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask({ model: 'gpt-4o-mini', ...more })),
  })
  const { status, headers } = answer
  return { status, text: await answer.text(), retryAfter: headers.get('retry-after') }
}

const quota = async () => Number((await admin.must('GET', '/api/user/self')).quota)

/**
 * What is left once holds ended and charges, which are stored after the replies went out, came to this much, or after
 * 10 s. It is read ten times a second, which stays below what one address may send.
 */
async function quotaAfter(charges: number, before: number): Promise<number> {
  const until = Date.now() + 10_000
  let left = await quota()
  while (before - left !== charges && Date.now() < until) {
    await setTimeout(100)
    left = await quota()
  }
  return left
}

/** Below what one event may have that has to be read whole. */
const eventMebibytes = 7

/** The most resident memory of the process so far, bytes. */
function mostResident(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

/**
 * Twenty replies of so many MiB behind what each begins with; who is left, as many as fit into the half of the room that
 * is one user's, is ended once the others were refused.
 */
function flood(begin: string, end: (left: ServerResponse) => void, mebibytes = 24): Reply {
  const fitting = Math.floor(32 / mebibytes)
  const letter = Buffer.alloc(MiB, 'x')
  const open = new Set<ServerResponse>()
  let arrived = 0
  return (response) => {
    open.add(response)
    arrived += 1
    response.on('close', () => {
      open.delete(response)
      if (arrived === 20 && open.size <= fitting) for (const left of open) end(left)
    })
    response.write(begin)
    for (let sent = 0; sent < mebibytes; sent += 1) response.write(letter)
  }
}

const twenty = (more?: object) => Promise.all(Array.from({ length: 20 }, () => send(more)))

async function refusedForRoom(t: Test, refused: readonly Awaited<ReturnType<typeof send>>[]) {
  for (const { text, retryAfter } of refused) {
    t.match(JSON.parse(text), { error: { code: 'no_room_for_answer' } })
    t.equal(retryAfter, '1')
  }
}

t.test('[SVC-1] replies that are held whole get no more room than there is', async (t) => {
  const full = await quota()
  t.equal((await send()).status, 200)
  const before = mostResident()
  const left = await quotaAfter(12, full)
  reply = flood('{"padding":"', (left) => left.end(`",${whole.slice(1)}`))
  const answers = await twenty()
  const served = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 503)
  t.equal(served.length, 1)
  t.equal(refused.length, 19)
  await refusedForRoom(t, refused)
  const more = Math.round((mostResident() - before) / MiB)
  t.ok(more < 200, `${more} MiB more`)
  t.equal(
    left - (await quotaAfter(12, left)),
    12,
    'the one that was served is paid, the others are not',
  )
  reply = (response) => response.end(whole)
  t.equal((await send()).status, 200, 'the channel is not to blame')
})

t.test('[SVC-1] what is built of a reply counts as what it weighs', async (t) => {
  reply = (response) => response.end(padded(`[${many('[],', 4 * MiB)}0]`))
  const heavy = await send()
  t.equal(heavy.status, 503)
  await refusedForRoom(t, [heavy])
  reply = (response) => response.end(padded(`"${many('x', 4 * MiB)}"`))
  t.equal((await send()).status, 200, 'as many bytes of text fit')
  reply = (response) => response.end(whole)
  t.equal((await send()).status, 200)
})

t.test('[SVC-1] one large event of a stream is held in the same room', async (t) => {
  await admin.option('ModelRatio', { 'gpt-4o-mini': 1, claude: 1 })
  await admin.channel({
    type: 14,
    name: 'events',
    key: 'k',
    base_url: origin,
    models: 'claude',
    group: 'default',
  })
  const before = mostResident()
  type = 'text/event-stream'
  const begin = 'event: message_start\ndata: {"type":"message_start","x":"'
  reply = flood(begin, (left) => left.destroy(), eventMebibytes)
  const answers = await twenty({ model: 'claude', stream: true })
  const refused = answers.filter(({ status }) => status === 503)
  t.ok(refused.length >= 16, `${refused.length}`)
  await refusedForRoom(t, refused)
  const more = Math.round((mostResident() - before) / MiB)
  t.ok(more < 200, `${more} MiB more`)
})

t.test(
  '[SVC-1] a stream under way ends with an error where there is no more room for it',
  async (t) => {
    type = 'text/event-stream'
    const events = begun.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    const large = 'event: ping\ndata: {"type":"ping","x":"'
    reply = flood(`${events.join('')}${large}`, (left) => left.destroy(), eventMebibytes)
    const spent = await quota()
    const answers = await twenty({ model: 'claude', stream: true })
    t.ok(answers.every(({ status, text }) => status === 200 && text.includes('begun ')))
    const cut = answers.filter(({ text }) => text.includes('no_room_for_answer'))
    t.ok(cut.length >= 16, 'the client reads why')
    t.ok(spent - (await quotaAfter(20, spent)) >= 20, 'what was delivered is paid')
  },
)

const usage = { input_tokens: 10, output_tokens: 1 }
/** A stream of the messages format up to its first text. */
const begun = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'begun ' } },
]
