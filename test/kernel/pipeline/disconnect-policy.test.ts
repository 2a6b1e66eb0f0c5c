import t from 'tap'
import { createDisconnectPolicy } from '../../../kernel/pipeline/disconnect-policy.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeSink } from '../../kit/fakes.js'

function setup(policy: 'drain' | 'abort' = 'drain') {
  const clock = new FakeClock()
  const fixture = createDisconnectPolicy(clock)
  const sink = new FakeSink()
  const ends: string[] = []
  const watch = fixture.watch({ sink, policy, end: (reason) => ends.push(reason) })
  return { clock, fixture, sink, ends, watch }
}

t.test('a client that leaves is drained for a bounded time, then the call ends (M11)', (t) => {
  const { clock, sink, ends } = setup()
  sink.leave()
  clock.advance(limits.drainMs - 1)
  t.strictSame(ends, [])
  clock.advance(1)
  t.strictSame(ends, ['clientGone'])
  t.equal(clock.pending, 0)
  t.end()
})

t.test('past the byte bound a drained call ends (M11)', (t) => {
  const { sink, ends, watch } = setup()
  watch.read(limits.drainBytesMax * 2)
  t.strictSame(ends, [], 'bytes before the client left do not count')
  sink.leave()
  watch.read(limits.drainBytesMax)
  t.strictSame(ends, [])
  watch.read(1)
  t.strictSame(ends, ['clientGone'])
  t.end()
})

t.test('with the policy abort the call ends at once (M11)', (t) => {
  const { sink, ends } = setup('abort')
  sink.leave()
  t.strictSame(ends, ['clientGone'])
  t.end()
})

t.test('only so many calls are drained at a time (M11)', (t) => {
  const fixture = createDisconnectPolicy(new FakeClock())
  let ended = 0
  for (let call = 0; call <= limits.drainsMax; call++) {
    const sink = new FakeSink()
    fixture.watch({ sink, policy: 'drain', end: () => ended++ })
    sink.leave()
  }
  t.equal(ended, 1)
  t.end()
})

t.test('a released watch hears nothing more and keeps no timer', (t) => {
  const { clock, sink, ends, watch, fixture } = setup()
  sink.leave()
  watch.release()
  clock.advance(limits.drainMs)
  fixture.endAll()
  t.strictSame(ends, [])
  t.equal(clock.pending, 0)
  t.end()
})

t.test('when the gateway stops every open call ends', (t) => {
  const { fixture, ends } = setup()
  fixture.endAll()
  t.strictSame(ends, ['stopping'])
  t.end()
})

t.test('once the gateway stops, a call that would begin ends at once (P9)', (t) => {
  const { fixture, ends } = setup()
  fixture.endAll()
  t.strictSame(ends, ['stopping'])
  const later: string[] = []
  fixture.watch({ sink: new FakeSink(), policy: 'drain', end: (reason) => later.push(reason) })
  t.strictSame(later, ['stopping'])
  t.end()
})
