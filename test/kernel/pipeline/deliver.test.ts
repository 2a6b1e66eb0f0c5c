import t from 'tap'
import type { Opened } from '../../../kernel/contract/line/record.js'
import type { JsonReply } from '../../../kernel/contract/line/reply.js'
import type {
  DisconnectOptions,
  DisconnectWatch,
} from '../../../kernel/contract/services/disconnect-policy.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { createDeliver } from '../../../kernel/pipeline/deliver.js'
import { createDisconnectPolicy } from '../../../kernel/pipeline/disconnect-policy.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeHold, FakeSink, FakeSource, quietLog } from '../../kit/fakes.js'
import { lineFormat, opened } from '../../kit/line-fakes.js'

type Fixture = ReturnType<typeof setup>

function setup(over: Partial<Opened> = {}, covered = 500n) {
  const clock = new FakeClock()
  const disconnects = watchedDepartures(clock)
  const sink = new FakeSink()
  const hold = new FakeHold(1_000_000n)
  hold.covered = 500n
  const state = opened({ sink, hold, ...over })
  if (state.hold instanceof FakeHold) state.hold.covered = covered
  const delivered = createDeliver({
    disconnects,
    answers: createAnswers(clock),
    clock,
    log: quietLog,
  })(state)
  return { clock, disconnects, sink, hold, source: state.source, delivered }
}

/** DisconnectPolicy that tell how many watches are not released yet. */
function watchedDepartures(clock: FakeClock) {
  const fixture = createDisconnectPolicy(clock)
  const open = new Set<object>()
  return {
    ...fixture,
    get watched() {
      return open.size
    },
    watch(options: DisconnectOptions): DisconnectWatch {
      const watch = fixture.watch(options)
      open.add(watch)
      return {
        read: (bytes) => watch.read(bytes),
        release() {
          open.delete(watch)
          watch.release()
        },
      }
    },
  }
}

/** One piece of so many tokens. */
const text = (tokens: number) => `data: ${'x'.repeat(tokens)}\n\n`

/** Lets promises that are settled already be heard. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** So many seconds go by, and whatever comes due in them is heard. */
async function waits(clock: FakeClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await turn()
    clock.advance(1000)
  }
  await turn()
}

t.test(
  'a stream that ends with its terminator is complete and billed by the reported usage',
  async (t) => {
    const { sink, source, delivered } = setup()
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
    const { sink, source, delivered } = setup()
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
    const { sink, source, delivered } = setup()
    source.push('data: hello\n\n')
    source.push('data: error\n\n')
    const end = await delivered
    t.match(end, { end: 'upstreamBroke', usage: { output: 5 } })
    t.match(sink.text, /failed upstream_error/)
    t.equal(source.aborted, true)
  },
)

t.test('a connection that breaks mid-stream bills what was delivered (M10)', async (t) => {
  const { source, delivered } = setup()
  source.push('data: hello\n\n')
  source.fail()
  t.match(await delivered, {
    end: 'upstreamBroke',
    usage: { output: 5 },
    estimated: ['input', 'output'],
  })
})

t.test('a slow client pauses the upstream until it has drained (S7)', async (t) => {
  const { sink, source, delivered } = setup()
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
    const { sink, source, delivered } = setup()
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
    const { clock, sink, source, delivered } = setup()
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
    const { delivered } = setup({ sink, channel: { ...channel, onClientGone: 'abort' } })
    t.match(await delivered, { end: 'clientGone', delivered: false, usage: {} })
  },
)

t.test('the hold is extended at 80 per cent while content flows (M27)', async (t) => {
  const { hold, source, delivered } = setup()
  source.push(`data: ${'x'.repeat(300)}\n\n`)
  t.strictSame(hold.requests, [])
  source.push(`data: ${'x'.repeat(100)}\n\n`)
  t.equal(hold.requests.length, 1)
  t.ok(hold.requests[0]! > 500n)
  source.push('data: [DONE]\n\n')
  await delivered
})

t.test(
  'a refused step is no end: what is set aside is used up to its last unit (M27)',
  async (t) => {
    const { hold, sink, source, delivered } = setup()
    hold.purse = 500n
    source.push(text(480))
    await turn()
    source.push(text(10))
    t.equal(source.paused, false)
    t.match(sink.text, text(10))
    source.push('data: [DONE]\n\n')
    t.match(await delivered, { end: 'complete', usage: { input: 10, output: 490 } })
  },
)

t.test('nothing goes on that is not covered: what came last is held back (M27)', async (t) => {
  const { hold, sink, source, delivered } = setup()
  hold.purse = 500n
  source.push(text(400))
  source.push(`${text(300)}data: [DONE]\n\n`)
  t.equal(source.paused, true, 'nothing more is read while the hold is raised')
  t.equal(sink.text, text(400))
  t.match(await delivered, { end: 'outOfFunds', usage: { input: 10, output: 400 }, quota: 410n })
  t.match(sink.text, /failed out_of_funds/)
  t.notMatch(sink.text, /DONE/)
  t.equal(source.aborted, true)
})

t.test('what was held back goes on in its place once it is covered', async (t) => {
  const { hold, sink, source, delivered } = setup()
  source.push(text(400))
  source.push(text(300))
  source.end()
  await turn()
  t.equal(sink.text, `${text(400)}${text(300)}data: failed upstream_broke_off\n\n`)
  t.ok(hold.covered > 710n)
  t.match(await delivered, { end: 'upstreamBroke', usage: { output: 700 } })
})

t.test(
  'what an upstream has counted already is covered too, as far as it can be true',
  async (t) => {
    const { hold, source, delivered } = setup({ limits: { maxOutput: 2000 } })
    hold.purse = 3_000n
    source.push('data: usage:1800\n\n')
    source.push(text(5))
    await turn()
    t.ok(hold.covered >= 1810n, `${hold.covered}`)
    source.push('data: usage:9000000\n\n')
    source.push(text(5))
    await turn()
    source.push('data: [DONE]\n\n')
    t.match(await delivered, { end: 'complete', usage: { output: 2064 }, anomaly: true })
  },
)

t.test(
  'a database that is away for some seconds pauses a stream and changes nothing',
  async (t) => {
    const { clock, hold, sink, source, delivered } = setup()
    hold.away = true
    source.push(text(450))
    t.equal(source.paused, false, 'what is covered goes on')
    source.push(text(300))
    await waits(clock, 10)
    t.equal(source.paused, true)
    t.equal(sink.text, text(450))
    hold.away = false
    await waits(clock, 2)
    t.equal(source.paused, false)
    source.push('data: [DONE]\n\n')
    t.match(await delivered, { end: 'complete', usage: { output: 750 } })
    t.notMatch(sink.text, /failed/)
    t.equal(clock.pending, 0)
  },
)

t.test(
  'a database that stays away ends the stream with its code, never with a lie about money',
  async (t) => {
    const { clock, hold, sink, source, delivered } = setup()
    hold.away = true
    source.push(text(450))
    source.push(text(300))
    await waits(clock, limits.coverWaitMs / 1000 + 1)
    const { failure, ...end } = await delivered
    t.match(end, { end: 'cut', delivered: true, usage: { input: 10, output: 450 } })
    t.equal(failure?.code, 'database_unavailable')
    t.notMatch(failure?.message, /Nothing was relayed/)
    t.match(sink.text, /failed database_unavailable/)
    t.equal(source.aborted, true)
    t.equal(clock.pending, 0)
  },
)

t.test('a hold that was lost ends the stream with the code of an outage', async (t) => {
  const { hold, sink, source, delivered } = setup()
  source.push('data: hello\n\n')
  hold.lose()
  t.match(await delivered, { end: 'cut', failure: { code: 'database_unavailable' } })
  t.match(sink.text, /failed database_unavailable/)
})

t.test('when the owner is disabled the running stream is cut', async (t) => {
  const { hold, sink, source, delivered } = setup()
  source.push('data: hello\n\n')
  hold.disable()
  t.match(await delivered, { end: 'cut', usage: { output: 5 } })
  t.match(sink.text, /failed token_disabled/)
})

t.test('when the gateway stops, streams get an error event and are settled', async (t) => {
  const { disconnects, sink, source, delivered } = setup()
  source.push('data: hello\n\n')
  disconnects.endAll()
  t.match(await delivered, { end: 'cut', delivered: true })
  t.match(sink.text, /failed shutting_down/)
})

t.test(
  'a progress mark carries the cost so far, and nothing before the first word (M8)',
  async (t) => {
    const { hold, source, delivered } = setup()
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
    const { sink, delivered } = setup({
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

t.test('what could not be stated to the upstream is named in a header', async (t) => {
  const { sink, source, delivered } = setup({ lost: ['seed', 'user'] })
  source.push('data: [DONE]\n\n')
  await delivered
  t.equal(sink.headers['x-waybill-lost'], 'seed, user')
})

const whole = (over: Partial<JsonReply> = {}): Partial<Opened> => ({
  reply: {
    kind: 'json',
    status: 200,
    headers: {},
    bytes: Buffer.from('{"whole":1}'),
    estimatedTokens: 2000,
    ...over,
  },
})

t.test(
  'a stream whose end raises the hold is read to its end, so that its connection is free (S8)',
  async (t) => {
    const { source, sink, hold, delivered } = setup()
    source.push('data: hello\n\n')
    source.push('data: usage:900\n\ndata: [DONE]\n\n')
    t.equal(source.paused, true, 'nothing more is read while the hold is raised')
    t.match(await delivered, { end: 'complete', usage: { output: 900 } })
    t.ok(hold.covered > 500n)
    t.match(sink.text, /DONE/)
    t.equal(source.paused, false)
    t.equal(source.aborted, false)
  },
)

t.test('a whole answer that costs more than was set aside raises the hold first', async (t) => {
  const { hold, sink, delivered } = setup(whole())
  t.equal(sink.started, false)
  t.match(await delivered, { end: 'complete', quota: 2010n, usage: { input: 10, output: 2000 } })
  t.equal(hold.covered, 2010n)
  t.equal(sink.text, '{"whole":1}')
})

t.test('a whole answer the hold covers is sent at once, and nobody is queried', async (t) => {
  const { hold, sink, delivered } = setup(whole({ estimatedTokens: 490 }))
  t.equal(sink.text, '{"whole":1}')
  await delivered
  t.same(hold.requests, [])
})

t.test(
  'a whole answer that is not covered is withheld; what was set aside is charged',
  async (t) => {
    const rows = { short: 'insufficient_user_quota', shortToken: 'pre_consume_token_quota_failed' }
    for (const [verdict, code] of Object.entries(rows)) {
      const hold = new FakeHold(500n)
      hold.cover = async () => verdict as 'short'
      const { sink, delivered } = setup({ ...whole(), hold }, 500n)
      t.match(await delivered, {
        end: 'outOfFunds',
        delivered: true,
        quota: 500n,
        failure: { code },
      })
      t.equal(sink.status, 403)
      t.match(sink.text, code)
      t.notMatch(sink.text, /whole":1/)
    }
  },
)

t.test(
  'a whole answer that waits in vain for the database is neither sent nor charged',
  async (t) => {
    const hold = new FakeHold(1_000_000n)
    hold.away = true
    const { clock, sink, delivered } = setup({ ...whole(), hold }, 500n)
    await waits(clock, limits.coverWaitMs / 1000 + 1)
    t.match(await delivered, { end: 'cut', delivered: false, usage: {} })
    t.equal(sink.status, 503)
    t.match(sink.text, /database_unavailable/)
    t.equal(clock.pending, 0)
  },
)

t.test(
  'of a whole answer nobody waited for, what the upstream counted is charged (M9, M10)',
  async (t) => {
    const sink = new FakeSink()
    sink.leave()
    const reported = setup({ ...whole({ usage: { input: 7, output: 30 } }), sink })
    t.match(await reported.delivered, { end: 'clientGone', delivered: true, quota: 37n })
    const silent = setup({ ...whole({ estimatedTokens: 30 }), sink })
    t.match(await silent.delivered, { end: 'clientGone', delivered: false, quota: 0n })
  },
)

t.test(
  'a failure in the middle of a stream is masked: secrets of the call go no further',
  async (t) => {
    const { sink, source, delivered } = setup({
      key: 'sk-upstream-secret',
      format: { ...lineFormat, encodeStreamError: ({ message }) => Buffer.from(message) },
    })
    source.push('data: hello\n\n')
    source.fail('upstream_error', 'refused for sk-upstream-secret')
    const { failure } = await delivered
    t.notMatch(failure?.message, /upstream-secret/)
    t.notMatch(sink.text, /upstream-secret/)
    t.match(sink.text, /refused for/)
  },
)

t.test('however a stream ends, nobody watches over its departure any more', async (t) => {
  const ends: Readonly<Record<string, (parts: Fixture) => void>> = {
    complete: ({ source }) => source.push('data: [DONE]\n\n'),
    broken: ({ source }) => source.fail(),
    'out of funds': ({ hold }) => hold.disable(),
    left: ({ sink, clock }) => {
      sink.leave()
      clock.advance(limits.drainMs)
    },
  }
  for (const [title, end] of Object.entries(ends)) {
    const parts = setup()
    parts.source.push('data: hello\n\n')
    end(parts)
    await parts.delivered
    const before = parts.sink.text
    const { aborted } = parts.source
    parts.sink.leave()
    parts.disconnects.endAll()
    t.equal(parts.disconnects.watched, 0, title)
    t.equal(parts.sink.text, before, title)
    t.equal(parts.source.aborted, aborted, title)
    t.equal(parts.clock.pending, 0, title)
  }
})
