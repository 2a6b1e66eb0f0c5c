/**
 * An upstream of every format: streams the same answer in the words of the path it is queried on, one event every
 * `BENCH_INTERVAL` milliseconds. The words are written once, so that it costs next to nothing.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Event } from '../../kernel/contract/event.js'
import type { Format } from '../../kernel/contract/format.js'
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

const pieces = {
  '/v1/chat/completions': piecesOf(chat()),
  '/v1/messages': piecesOf(messages()),
  '/v1/responses': piecesOf(responses()),
  '/v1beta/models': piecesOf(generative()),
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const path = request.url ?? ''
    const known = Object.entries(pieces).find(([prefix]) => path.startsWith(prefix))
    if (known === undefined) response.writeHead(404).end()
    else write(response, known[1])
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
