/** Clients that leave at each moment of an answer (S8, S9, M9, M11). */
import t from 'tap'
import type { Script } from '../kit/upstream.js'
import { dialectOf, hostileGateway, pairs, speak } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream } = gateway

/** Where the upstream stands when the client leaves. */
const moments = [
  'before the head',
  'before content',
  'behind the first event',
  'inside an event',
] as const
type Moment = (typeof moments)[number]

/** Writes as far as the moment, tells so, and goes on when it is let. */
function until(moment: Moment, reached: () => void, left: Promise<void>): Script {
  return async (request, response) => {
    const { opening, text, closing, usage } = dialectOf(request)
    const [last, ...rest] = [text('there.'), ...closing('Hello there.', usage(10, 3))]
    const half = Math.floor(last!.length / 2)
    const message = {
      'before the head': [],
      'before content': [': quiet\n\n'],
      'behind the first event': [...opening(), text('Hello ')],
      'inside an event': [...opening(), text('Hello '), last!.slice(0, half)],
    }[moment].join('')
    const all = [...opening(), text('Hello '), last, ...rest].join('')
    if (moment !== 'before the head') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      if (message !== '') response.write(message)
    }
    reached()
    await left
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(moment === 'before content' ? all : all.slice(message.length))
  }
}

for (const pair of pairs) {
  t.test(
    `[BILL-1] ${pair.name} that leaves is settled once, by what the upstream counted`,
    async (t) => {
      for (const moment of moments) {
        const { quota, rows } = await gateway.charged(() => leave(moment, ''))
        t.equal(quota, 22n, moment)
        t.equal(rows.length, 1, moment)
      }
    },
  )

  t.test(
    `[BILL-1] ${pair.name} that leaves a channel which then cuts its upstream pays what came`,
    async (t) => {
      for (const moment of moments) {
        const { quota, rows } = await gateway.charged(() => leave(moment, 'strict'))
        const came = moment.includes('event')
        t.equal(rows.length, came ? 1 : 0, moment)
        t.ok(came ? quota > 0n && quota < 30n : quota === 0n, `${moment}: ${quota}`)
      }
    },
  )

  /** Sends, reads what there is at the moment, and goes. */
  async function leave(moment: Moment, variant: '' | 'strict'): Promise<void> {
    let reached: () => void = () => {}
    let letGo: () => void = () => {}
    const there = new Promise<void>((resolve) => {
      reached = resolve
    })
    const left = new Promise<void>((resolve) => {
      letGo = resolve
    })
    upstream.requests.length = 0
    upstream.script(until(moment, reached, left))
    const abort = new AbortController()
    const pending = gateway.send(pair, { stream: true, variant, signal: abort.signal })
    pending.catch(() => {})
    await there
    if (moment.includes('event')) await (await pending).body!.getReader().read()
    abort.abort()
    if (variant === 'strict') await upstream.requests[0]!.aborted
    letGo()
    await gateway.gateway.idle()
  }
}

t.test('the process still serves', async (t) => {
  upstream.script(speak)
  for (const pair of pairs) t.equal((await gateway.send(pair)).status, 200)
})
