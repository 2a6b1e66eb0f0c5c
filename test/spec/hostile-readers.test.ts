/** A client that reads slowly, or not at all for a while, under an upstream that writes fast (S7). */
import { type EventEmitter, once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import type { Script } from '../kit/upstream.js'
import { clients, dialectOf, dialects, hostileGateway, type Pair, pairs } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream } = gateway

const mebibyte = 1024 * 1024
const eventBytes = 32 * 1024
const streamBytes = 96 * mebibyte
/** What two sockets and their buffers in the system, which it makes larger as it likes, may hold at the most. */
const heldBytesMax = 40 * mebibyte
/** What the gateway may grow by meanwhile. */
const rssBytesMax = 48 * mebibyte

/** Bytes of the stream the network took from the upstream so far. */
let sent = 0

/** Writes 96 MiB as fast as it is let, and counts. */
const flood: Script = async (request, response) => {
  const { opening, text, closing, usage } = dialectOf(request)
  const event = Buffer.from(text('x'.repeat(eventBytes)))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(opening().join(''))
  for (sent = 0; sent < streamBytes && !response.destroyed; sent += event.length) {
    if (!response.write(event)) await either(response, 'drain', 'close')
  }
  response.end(closing('', usage(10, 3)).join(''))
}

/** The first of two events; nobody listens any more then. */
async function either(emitter: EventEmitter, one: string, other: string): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(emitter, one, { signal }), once(emitter, other, { signal })])
  over.abort()
}

/** As a client reads whose buffers are small and who decides itself when to read. */
async function ask({ client, dialect }: Pair): Promise<IncomingMessage> {
  const { hostname, port } = new URL(gateway.url)
  const requested = request({
    hostname,
    port,
    path: client.path(dialect.model, true),
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...client.headers,
    },
  })
  requested.end(JSON.stringify(client.body(dialect.model, true)))
  const [answer] = (await once(requested, 'response')) as [IncomingMessage]
  return answer
}

/** Lets everybody else in this process work until nothing moves any more. */
async function untilStill(): Promise<void> {
  for (let still = 0, before = -1; still < 200; still += 1) {
    await turn()
    if (sent !== before) still = 0
    before = sent
  }
}

/** One client on each upstream, and each client on one upstream. */
const read = pairs.filter(({ client, dialect }) => {
  const place = clients.indexOf(client)
  return place === 0 || place % dialects.length === dialects.indexOf(dialect)
})

// A process finds its size while it works: the first answer of all is not measured.
t.before(async () => void (await readSlowly(read[0]!)))

for (const pair of read) {
  t.test(
    `the upstream waits for ${pair.name} that reads slowly, and memory stays flat`,
    async (t) => {
      const { rows, taken, heldMost, rssMost } = await readSlowly(pair)
      t.ok(taken > streamBytes, 'all of it came')
      t.ok(heldMost < heldBytesMax, `${Math.round(heldMost / mebibyte)} MiB were on their way`)
      t.ok(rssMost < rssBytesMax, `memory grew by ${Math.round(rssMost / mebibyte)} MiB`)
      t.equal(rows.length, 1)
    },
  )
}

/** Pauses eight times, and then takes what is left as it comes. */
async function readSlowly(pair: Pair) {
  upstream.script(flood)
  let taken = 0
  let heldMost = 0
  let rssMost = 0
  const { rows } = await gateway.charged(async () => {
    const answer = await ask(pair)
    const before = process.memoryUsage().rss
    for (let pauses = 0; ; pauses += 1) {
      if (pauses < 8) await untilStill()
      heldMost = Math.max(heldMost, sent - taken)
      rssMost = Math.max(rssMost, process.memoryUsage().rss - before)
      const upTo = pauses < 8 ? taken + mebibyte : Number.POSITIVE_INFINITY
      const ended = await readUpTo(answer, upTo - taken, (bytes) => {
        taken += bytes
      })
      if (ended) break
    }
  })
  return { rows, taken, heldMost, rssMost }
}

/** Reads so many bytes and pauses; true where the answer ended before. */
async function readUpTo(
  answer: IncomingMessage,
  bytes: number,
  took: (bytes: number) => void,
): Promise<boolean> {
  let left = bytes
  while (left > 0) {
    const piece: Buffer | null = answer.read()
    if (piece !== null) {
      took(piece.length)
      left -= piece.length
    } else if (answer.readableEnded) return true
    else await either(answer, 'readable', 'end')
  }
  return false
}
