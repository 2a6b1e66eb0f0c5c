import t from 'tap'
import type { Opened } from '../../../kernel/contract/line/record.js'
import type { SocketReply } from '../../../kernel/contract/line/reply.js'
import { createAnswers } from '../../../kernel/pipeline/answers.js'
import { createDeliver } from '../../../kernel/pipeline/deliver.js'
import { createDisconnectPolicy } from '../../../kernel/pipeline/disconnect-policy.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeHold, quietLog } from '../../kit/fakes.js'
import { channel, opened } from '../../kit/line-fakes.js'
import { FakeSession, FakeSocket, FakeSocketSink } from '../../kit/socket-fakes.js'

function setup(over: Partial<Opened> = {}, purse = 1_000_000n) {
  const clock = new FakeClock()
  const disconnects = createDisconnectPolicy(clock)
  const sink = new FakeSocketSink()
  const hold = new FakeHold(purse)
  hold.covered = 500n
  const upstream = new FakeSocket()
  const session = new FakeSession()
  const reply: SocketReply = {
    kind: 'socket',
    socket: upstream,
    session,
    head: [{ bytes: Buffer.from('hello'), binary: false }],
  }
  const delivered = createDeliver({
    disconnects,
    answers: createAnswers(clock),
    clock,
    log: quietLog,
  })(opened({ sink, hold, reply, ...over }))
  return { clock, disconnects, sink, client: sink.socket, hold, upstream, session, delivered }
}

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

t.test('what the upstream stated before the client was let in comes first', async (t) => {
  const { client, upstream, sink, delivered, clock } = setup()
  upstream.say('and this')
  t.strictSame(client.sent, ['hello', 'and this'])
  client.say('hi')
  client.say('old')
  client.say('bad')
  t.strictSame(upstream.sent, ['hi', 'new'])
  t.equal(client.sent.at(-1), 'no')
  upstream.say('secret')
  t.equal(client.sent.length, 3, 'what is withheld is withheld')
  sink.hangUp(1005)
  t.match(await delivered, { end: 'complete', delivered: false, usage: { output: 0 } })
  t.strictSame(upstream.closedWith, [1000, ''])
  t.equal(clock.pending, 0)
})

t.test(
  '[BILL-9] what asks for an answer waits until it is covered, and all behind it too',
  async (t) => {
    const { client, upstream, session, hold, sink, delivered } = setup()
    session.confirmed = { output: 400 }
    client.say('ask')
    client.say('behind it')
    t.strictSame(upstream.sent, [], 'nothing before the ledger has answered')
    await turn()
    t.strictSame(hold.requests, [900n])
    t.strictSame(upstream.sent, ['ask', 'behind it'])
    client.say('ask')
    t.equal(upstream.sent.length, 3, 'what is covered already goes at once')
    sink.hangUp(1000)
    await delivered
  },
)

t.test('[BILL-9] the hold rises while an answer is written, never falls', async (t) => {
  const { upstream, hold, sink, delivered } = setup()
  upstream.say('begun')
  for (let piece = 0; piece < 20; piece += 1) {
    upstream.say('more')
    await turn()
  }
  upstream.say('done')
  sink.hangUp(1000)
  t.match(await delivered, { end: 'complete', usage: { output: 2000 }, delivered: true })
  t.ok(hold.requests.length > 1)
  t.strictSame(
    [...hold.requests].sort((a, b) => Number(a - b)),
    hold.requests,
  )
  t.equal(hold.cost(), 2000n)
})

t.test('an upstream that writes faster than the ledger answers is paused for it', async (t) => {
  const { upstream, client, hold, sink, delivered } = setup()
  hold.covered = 50n
  upstream.say('begun')
  upstream.say('more')
  t.equal(upstream.paused, true)
  await turn()
  t.equal(upstream.paused, false)
  t.equal(client.sent.at(-1), 'more')
  sink.hangUp(1006)
  upstream.say('done')
  await delivered
})

t.test(
  '[ERR-1] refused, the client reads why and both sockets close; what came is charged',
  async (t) => {
    const { upstream, client, delivered } = setup({}, 600n)
    upstream.say('begun')
    for (let piece = 0; piece < 6; piece += 1) {
      upstream.say('more')
      await turn()
    }
    t.match(await delivered, { end: 'outOfFunds', failure: { code: 'out_of_funds' } })
    t.equal(client.sent.at(-1), 'error out_of_funds')
    t.strictSame(client.closedWith, [1008, 'out_of_funds'])
    t.strictSame(upstream.closedWith, [1001, ''])
  },
)

t.test('between answers a short balance ends nothing, a debt does', async (t) => {
  const { upstream, client, delivered, session } = setup({}, 600n)
  upstream.say('begun')
  for (let piece = 0; piece < 5; piece += 1) session.fromUpstream(Buffer.from('more'))
  upstream.say('done')
  await turn()
  t.equal(client.closedWith, undefined)
  session.estimatedTokens += 500
  session.confirmed = { output: 1000 }
  upstream.say('a transcript')
  t.match(await delivered, { end: 'outOfFunds', usage: { output: 1000 } })
})

t.test(
  'a database that is away for a moment is waited for; nothing is sent meanwhile',
  async (t) => {
    const { client, upstream, hold, clock, sink, delivered } = setup()
    hold.covered = 0n
    hold.away = true
    client.say('ask')
    await waits(clock, 10)
    t.same(upstream.sent, [])
    t.equal(client.paused, true)
    hold.away = false
    await waits(clock, 3)
    t.same(upstream.sent, ['ask'])
    t.equal(client.paused, false)
    sink.hangUp(1000)
    t.match(await delivered, { end: 'complete' })
    t.equal(clock.pending, 0)
  },
)

t.test(
  'a database that stays away ends the session with its own code, never with one about money',
  async (t) => {
    const { client, upstream, hold, clock, delivered } = setup()
    upstream.say('begun')
    hold.away = true
    for (let piece = 0; piece < 6; piece += 1) upstream.say('more')
    await waits(clock, 40)
    t.match(await delivered, { end: 'cut', failure: { code: 'database_unavailable' } })
    t.equal(client.sent.at(-1), 'error database_unavailable')
    t.strictSame(client.closedWith, [1008, 'database_unavailable'])
    t.equal(clock.pending, 0)
  },
)

t.test('the nearer the end of the hold, the more often the cost is looked at', async (t) => {
  const { upstream, hold, session, delivered } = setup({}, 500n)
  upstream.say('begun')
  session.step = 10
  for (let piece = 0; piece < 100; piece += 1) upstream.say('more')
  t.ok(hold.requests.length > 0)
  t.ok(
    session.estimatedTokens <= 510,
    `${session.estimatedTokens} of 500 were written when it was noticed`,
  )
  await turn()
  t.match(await delivered, { end: 'outOfFunds' })
})

t.test('an owner who is disabled ends the session', async (t) => {
  const { hold, client, upstream, delivered } = setup()
  hold.disable()
  t.match(await delivered, { end: 'cut', failure: { code: 'token_disabled' } })
  t.equal(client.sent.at(-1), 'error token_disabled')
  t.strictSame(client.closedWith, [1008, 'token_disabled'])
  t.ok(upstream.closedWith)
})

t.test('each side is paused while the other does not keep up (S7)', async (t) => {
  const { client, upstream, sink, delivered } = setup()
  client.accepts = false
  upstream.say('one')
  t.equal(upstream.paused, true)
  client.drain()
  t.equal(upstream.paused, false)
  upstream.accepts = false
  client.say('two')
  t.equal(client.paused, true)
  upstream.drain()
  t.equal(client.paused, false)
  sink.hangUp(1000)
  await delivered
})

t.test('[S16] a client that does not read what its frames are refused with waits', async (t) => {
  const { client, sink, delivered } = setup()
  client.accepts = false
  client.say('bad')
  client.say('bad')
  t.equal(client.paused, true)
  t.strictSame(client.sent, ['hello', 'no'])
  client.drain()
  t.equal(client.paused, false)
  t.strictSame(client.sent, ['hello', 'no', 'no'])
  sink.hangUp(1000)
  await delivered
})

t.test(
  'a client that leaves amid an answer: the upstream is queried to end it and read on (M9, M11)',
  async (t) => {
    const { sink, client, upstream, delivered, clock } = setup()
    upstream.say('begun')
    upstream.say('more')
    client.accepts = false
    upstream.say('more')
    t.equal(upstream.paused, true)
    sink.hangUp(1006)
    t.equal(upstream.paused, false, 'the slow reader is gone')
    t.equal(upstream.sent.at(-1), 'cancel')
    const { length } = client.sent
    upstream.say('more')
    upstream.say('done')
    t.match(await delivered, { end: 'clientGone', usage: { output: 300 } })
    t.equal(client.sent.length, length)
    t.equal(clock.pending, 0)
  },
)

t.test('past the drain bounds the session ends with what was parsed (M11)', async (t) => {
  const { sink, upstream, delivered, clock } = setup()
  upstream.say('begun')
  upstream.say('more')
  sink.hangUp(1006)
  clock.advance(limits.drainMs)
  t.match(await delivered, { end: 'clientGone', usage: { output: 100 } })
  t.strictSame(upstream.closedWith, [1001, ''])
})

t.test('the policy abort ends the upstream at once', async (t) => {
  const { sink, upstream, delivered } = setup({
    channel: { ...channel(1), onClientGone: 'abort' },
  })
  upstream.say('begun')
  upstream.say('more')
  sink.hangUp(1006)
  t.match(await delivered, { end: 'clientGone', usage: { output: 100 } })
  t.notOk(upstream.sent.includes('cancel'))
})

t.test('a client that is gone before it is let in costs nothing', async (t) => {
  const sink = new FakeSocketSink()
  sink.leave()
  const { upstream, delivered } = setup({ sink })
  t.match(await delivered, { end: 'clientGone', delivered: false })
  t.strictSame(upstream.closedWith, [1001, ''])
})

t.test(
  'an upstream that breaks amid an answer or without goodbye is reported as an error',
  async (t) => {
    for (const [busy, code] of [
      [true, 1000],
      [false, 1006],
      [false, 1011],
    ] as const) {
      const { client, upstream, delivered } = setup()
      if (busy) upstream.say('begun')
      upstream.leave(code)
      t.match(await delivered, { end: 'upstreamBroke', failure: { code: 'upstream_broke_off' } })
      t.equal(client.sent.at(-1), 'error upstream_broke_off')
      t.strictSame(client.closedWith, [1011, 'upstream_broke_off'])
    }
  },
)

t.test(
  'goodbyes between answers are passed on, reporting codes never (RFC 6455 7.4)',
  async (t) => {
    for (const [given, count] of [
      [1000, 1000],
      [1005, 1000],
      [1001, 1001],
      [4001, 4001],
    ] as const) {
      const { client, upstream, delivered } = setup()
      upstream.leave(given)
      t.match(await delivered, { end: 'complete' })
      t.strictSame(client.closedWith, [count, ''])
    }
  },
)

t.test('a stop waits for the answer under way, then ends with 1001', async (t) => {
  const { sink, client, upstream, delivered } = setup()
  upstream.say('begun')
  upstream.say('more')
  sink.stop()
  t.equal(client.closedWith, undefined)
  upstream.say('done')
  t.match(await delivered, { end: 'cut', usage: { output: 100 } })
  t.equal(client.sent.at(-1), 'done')
  t.strictSame(client.closedWith, [1001, ''])
})

t.test('a stop that runs out of time ends the answer as well', async (t) => {
  const { disconnects, sink, client, upstream, delivered } = setup()
  upstream.say('begun')
  upstream.say('more')
  sink.stop()
  disconnects.endAll()
  t.match(await delivered, { end: 'cut', usage: { output: 100 } })
  t.equal(client.sent.at(-1), 'error shutting_down')
  t.strictSame(client.closedWith, [1001, 'shutting_down'])
})

t.test('[RT-1] what comes behind a large frame waits until that is read', async (t) => {
  const { client, upstream, session, sink, hold, delivered } = setup()
  for (const text of ['before', 'large', 'behind', 'ask', 'last']) client.say(text)
  t.strictSame(upstream.sent, ['before'])
  upstream.say('meanwhile')
  t.equal(client.sent.at(-1), 'meanwhile', 'the other direction goes on')
  session.reading[0]?.({ kind: 'pass', frame: Buffer.from('read') })
  await turn()
  t.strictSame(upstream.sent, ['before', 'read', 'behind', 'ask', 'last'])
  t.ok(hold.covered >= 500n)
  client.say('large')
  session.reading[1]?.({ kind: 'stop', answer: Buffer.from('no') })
  await turn()
  t.equal(client.sent.at(-1), 'no')
  client.say('large')
  client.say('never')
  sink.hangUp(1000)
  session.reading[2]?.({ kind: 'pass' })
  await turn()
  t.match(await delivered, { end: 'complete' })
  t.equal(upstream.sent.at(-1), 'last', 'nothing is sent for a client that left')
})

t.test('[RT-1] a large frame that asks for an answer waits for its cover as well', async (t) => {
  const { client, upstream, session, sink, hold, delivered } = setup()
  hold.covered = 0n
  client.say('large')
  client.say('behind')
  session.reading[0]?.({ kind: 'begin' })
  t.strictSame(upstream.sent, [])
  await turn()
  t.strictSame(upstream.sent, ['large', 'behind'])
  sink.hangUp(1000)
  await delivered
})
