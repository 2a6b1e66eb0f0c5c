/**
 * The upstream of the benchmarks: answers at once. A body with `stream` gets events, `x-bench-events` of them every
 * `x-bench-interval` milliseconds (0: all at once); anything else one JSON completion of about 1 KB.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'All is well with the relay. '.repeat(26) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 420, completion_tokens: 180, total_tokens: 600 },
})

const chunk = (choices: unknown, usage: unknown = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o-mini', choices, usage })}\n\n`
const delta = chunk([{ index: 0, delta: { content: ' relay' }, finish_reason: null }])
const tail = `${chunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}${chunk([], {
  prompt_tokens: 420,
  completion_tokens: 200,
  total_tokens: 620,
})}data: [DONE]\n\n`

/** Share of requests that fail. */
const failing = Number(process.env.BENCH_FAILING ?? 0)

const server = createServer((request, response) => {
  let streams = false
  request.on('data', (piece: Buffer) => {
    streams ||= piece.includes('"stream":true')
  })
  request.on('end', () => {
    if (Math.random() < failing) response.writeHead(500).end()
    else if (streams) stream(request, response)
    else whole(response)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('disconnect', () => process.exit(0))

function whole(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(completion),
  })
  response.end(completion)
}

function stream(request: IncomingMessage, response: ServerResponse): void {
  const events = Number(request.headers['x-bench-events'] ?? process.env.BENCH_EVENTS ?? 200)
  const interval = Number(process.env.BENCH_INTERVAL ?? 50)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (interval === 0) {
    response.end(delta.repeat(events) + tail)
    return
  }
  let left = events
  const timer = setInterval(() => {
    response.write(delta)
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    response.end(tail)
  }, interval)
  response.write(delta)
  response.on('close', () => clearInterval(timer))
}
