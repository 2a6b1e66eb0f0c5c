import t from 'tap'
import type { Opened } from '../../../kernel/contract/exchange.js'
import { limits } from '../../../kernel/limits.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { createDeliver } from '../../../kernel/pipeline/deliver.js'
import { createDepartures } from '../../../kernel/pipeline/departures.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeHold, FakeSink, FakeSource } from '../../kit/fakes.js'
import { lineFormat, opened } from '../../kit/line-fakes.js'

function scene(over: Partial<Opened> = {}) {
  const clock = new FakeClock()
  const departures = createDepartures(clock)
  const sink = new FakeSink()
  const hold = new FakeHold(1_000_000n)
  hold.covered = 500n
  const state = opened({ sink, hold, ...over })
  const delivered = createDeliver(departures, createAnswers(clock))(state)
  return { clock, departures, sink, hold, source: state.source, delivered }
}

t.test(
  'a stream that ends with its terminator is complete and billed by the reported usage',
  async (t) => {
    const { sink, source, delivered } = scene()
    source.push('data: hello\n\n')
    source.push('data: usage:7\n\ndata: [DONE]\n\n')
    const end = await delivered
    t.match(end, { end: 'complete', delivered: true, usage: { input: 10, output: 7 } })
    t.equal(sink.text, 'data: hello\n\ndata: usage:7\n\ndata: [DONE]\n\n')
    t.equal(sink.ended, true)
  },
)

t.test(
  'a stream that closes without its terminator is an error to the client, never a false ending (S5)',
  async (t) => {
    const { sink, source, delivered } = scene()
    source.push('data: hello\n\n')
    source.end()
    const end = await delivered
    t.match(end, { end: 'upstreamBroke', delivered: true, usage: { input: 10, output: 5 } })
    t.match(sink.text, /failed upstream_broke_off/)
    t.notMatch(sink.text, 'DONE')
  },
)

t.test(
  'an upstream error after content becomes an error event, the delivered part is billed (M14)',
  async (t) => {
    const { sink, source, delivered } = scene()
    source.push('data: hello\n\n')
    source.push('data: error\n\n')
    const end = await delivered
    t.match(end, { end: 'upstreamBroke', usage: { output: 5 } })
    t.match(sink.text, /failed upstream_error/)
    t.equal(source.aborted, true)
  },
)

t.test('a connection that breaks mid-stream bills what was delivered (M10)', async (t) => {
  const { source, delivered } = scene()
  source.push('data: hello\n\n')
  source.fail()
  t.match(await delivered, {
    end: 'upstreamBroke',
    usage: { output: 5 },
    estimated: ['input', 'output'],
  })
})

t.test('a slow client pauses the upstream until it has drained (S7)', async (t) => {
  const { sink, source, delivered } = scene()
  sink.accepts = false
  source.push('data: hello\n\n')
  t.equal(source.paused, true)
  sink.drain()
  t.equal(source.paused, false)
  source.push('data: [DONE]\n\n')
  await delivered
})

t.test(
  'after the client left the stream is read on unwritten and its usage billed (M9, M11)',
  async (t) => {
    const { sink, source, delivered } = scene()
    source.push('data: hello\n\n')
    sink.leave()
    source.push('data: more\n\n')
    source.push('data: usage:9\n\ndata: [DONE]\n\n')
    t.match(await delivered, { end: 'clientGone', delivered: true, usage: { output: 9 } })
    t.equal(sink.text, 'data: hello\n\n')
  },
)

t.test(
  'past the drain bounds the call is aborted and the parsed tokens are billed (M11)',
  async (t) => {
    const { clock, sink, source, delivered } = scene()
    source.push('data: hello\n\n')
    sink.leave()
    clock.advance(limits.drainMs)
    t.match(await delivered, { end: 'clientGone', usage: { input: 10, output: 5 } })
    t.equal(source.aborted, true)
  },
)

t.test(
  'a client that was gone before the first byte, with nothing reported, pays nothing (M10)',
  async (t) => {
    const sink = new FakeSink()
    sink.leave()
    const { channel } = opened()
    const { delivered } = scene({ sink, channel: { ...channel, onClientGone: 'abort' } })
    t.match(await delivered, { end: 'clientGone', delivered: false, usage: {} })
  },
)

t.test('the hold is extended at 80 per cent while content flows (M27)', async (t) => {
  const { hold, source, delivered } = scene()
  source.push(`data: ${'x'.repeat(300)}\n\n`)
  t.strictSame(hold.asked, [])
  source.push(`data: ${'x'.repeat(100)}\n\n`)
  t.equal(hold.asked.length, 1)
  t.ok(hold.asked[0]! > 500n)
  source.push('data: [DONE]\n\n')
  await delivered
})

t.test(
  'a refused extension cuts the stream with an error event; the overrun is one step at most (M27)',
  async (t) => {
    const { hold, sink, source, delivered } = scene()
    hold.purse = 500n
    source.push(`data: ${'x'.repeat(600)}\n\n`)
    t.equal(source.paused, true, 'nothing more is read while the purse is asked')
    const end = await delivered
    t.match(end, { end: 'outOfFunds', usage: { output: 600 } })
    t.match(sink.text, /failed out_of_funds/)
    t.equal(source.aborted, true)
  },
)

t.test('when the owner is disabled the running stream is cut', async (t) => {
  const { hold, sink, source, delivered } = scene()
  source.push('data: hello\n\n')
  hold.disable()
  t.match(await delivered, { end: 'cut', usage: { output: 5 } })
  t.match(sink.text, /failed token_disabled/)
})

t.test('when the gateway stops, streams get an error event and are settled', async (t) => {
  const { departures, sink, source, delivered } = scene()
  source.push('data: hello\n\n')
  departures.endAll()
  t.match(await delivered, { end: 'cut', delivered: true })
  t.match(sink.text, /failed shutting_down/)
})

t.test(
  'a progress mark carries the cost so far, and nothing before the first word (M8)',
  async (t) => {
    const { hold, source, delivered } = scene()
    t.equal(hold.cost(), 0n)
    source.push(`data: ${'x'.repeat(30)}\n\n`)
    t.equal(hold.cost(), 40n)
    source.push('data: [DONE]\n\n')
    await delivered
  },
)

t.test(
  'a stream that was over when it opened still has its source read to the end (S8)',
  async (t) => {
    const watch = lineFormat.watch({ wantsUsage: false })
    const head = [watch.push(Buffer.from('data: all\n\ndata: [DONE]\n\n'))]
    const source = new FakeSource()
    const { sink, delivered } = scene({
      reply: {
        kind: 'events',
        status: 200,
        headers: {},
        source,
        mode: { kind: 'verbatim', watch, head },
      },
    })
    t.match(await delivered, { end: 'complete', usage: { output: 3 } })
    t.equal(sink.text, 'data: all\n\ndata: [DONE]\n\n')
    t.equal(source.consumed, true)
  },
)

t.test('what could not be said to the upstream is named in a header', async (t) => {
  const { sink, source, delivered } = scene({ lost: ['seed', 'user'] })
  source.push('data: [DONE]\n\n')
  await delivered
  t.equal(sink.headers['x-waybill-lost'], 'seed, user')
})
