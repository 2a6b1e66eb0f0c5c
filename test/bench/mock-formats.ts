/**
 * An upstream of every format: streams the same answer in the words of the path it is queried on, one event every
 * `BENCH_INTERVAL` milliseconds. The words are written once, so that it costs next to nothing.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Event } from '../../kernel/contract/event.js'
import type { Format } from '../../kernel/contract/format.js'
import type { RequestId } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'

const count = Number(process.env.BENCH_EVENTS ?? 100)
const interval = Number(process.env.BENCH_INTERVAL ?? 20)
const at = { choice: 0, part: 0 }

function* answer(): Generator<Event> {
  yield { type: 'start', id: 'bench', model: 'bench', created: 1_700_000_000 }
  yield { type: 'open', at, part: { kind: 'text' } }
  for (let word = 0; word < count; word++) yield { type: 'delta', at, text: ' relay' }
  yield { type: 'close', at }
  yield { type: 'stop', choice: 0, reason: 'end', word: 'stop' }
  yield { type: 'usage', usage: { input: 420, output: count }, raw: {}, final: true }
  yield { type: 'end' }
}

/** What is written at each tick: a piece of content with whatever frames stand around it. */
function piecesOf(format: Format): readonly Buffer[] {
  const encoder = format.encodeStream({ model: 'bench', wantsUsage: true })
  const pieces: Buffer[] = []
  let waiting: Buffer[] = []
  for (const event of answer()) {
    waiting.push(...encoder.push(event))
    if (event.type !== 'delta') continue
    pieces.push(Buffer.concat(waiting))
    waiting = []
  }
  return [...pieces, Buffer.concat([...waiting, ...encoder.flush()])]
}

/** The same in one piece. */
function wholeOf(format: Format): Buffer {
  const reader = { model: 'bench', requestId: 'req_bench' as RequestId, call: undefined }
  return Buffer.from(JSON.stringify(format.encodeReply([...answer()], reader)))
}

const formats = {
  '/v1/chat/completions': chat(),
  '/v1/messages': messages(),
  '/v1/responses': responses(),
  '/v1beta/models': generative(),
}
const known = Object.entries(formats).map(([prefix, format]) => {
  return { prefix, pieces: piecesOf(format), whole: wholeOf(format) }
})

/** Share of requests that fail. */
const failing = Number(process.env.BENCH_FAILING ?? 0)

const server = createServer((request, response) => {
  const { url = '' } = request
  let streams = url.includes(':stream')
  request.on('data', (piece: Buffer) => {
    streams ||= piece.includes('"stream":true')
  })
  request.on('end', () => {
    const format = known.find(({ prefix }) => url.startsWith(prefix))
    if (format === undefined) response.writeHead(404).end()
    else if (Math.random() < failing) response.writeHead(500).end()
    else if (streams) write(response, format.pieces)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(format.whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('disconnect', () => process.exit(0))

function write(response: ServerResponse, all: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let next = 0
  const timer = setInterval(() => {
    response.write(all[next])
    next += 1
    if (next < all.length) return
    clearInterval(timer)
    response.end()
  }, interval)
  response.on('close', () => clearInterval(timer))
}
