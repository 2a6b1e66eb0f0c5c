import t from 'tap'
import { createDisconnectPolicy } from '../../../kernel/pipeline/disconnect-policy.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeSink } from '../../kit/fakes.js'

function scene(policy: 'drain' | 'abort' = 'drain') {
  const clock = new FakeClock()
  const desk = createDisconnectPolicy(clock)
  const sink = new FakeSink()
  const ends: string[] = []
  const watch = desk.watch({ sink, policy, end: (reason) => ends.push(reason) })
  return { clock, desk, sink, ends, watch }
}

t.test('a client that leaves is drained for a bounded time, then the call ends (M11)', (t) => {
  const { clock, sink, ends } = scene()
  sink.leave()
  clock.advance(limits.drainMs - 1)
  t.strictSame(ends, [])
  clock.advance(1)
  t.strictSame(ends, ['clientGone'])
  t.equal(clock.pending, 0)
  t.end()
})

t.test('past the byte bound a drained call ends (M11)', (t) => {
  const { sink, ends, watch } = scene()
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
  const { sink, ends } = scene('abort')
  sink.leave()
  t.strictSame(ends, ['clientGone'])
  t.end()
})

t.test('only so many calls are drained at a time (M11)', (t) => {
  const desk = createDisconnectPolicy(new FakeClock())
  let ended = 0
  for (let call = 0; call <= limits.drainsMax; call++) {
    const sink = new FakeSink()
    desk.watch({ sink, policy: 'drain', end: () => ended++ })
    sink.leave()
  }
  t.equal(ended, 1)
  t.end()
})

t.test('a released watch hears nothing more and keeps no timer', (t) => {
  const { clock, sink, ends, watch, desk } = scene()
  sink.leave()
  watch.release()
  clock.advance(limits.drainMs)
  desk.endAll()
  t.strictSame(ends, [])
  t.equal(clock.pending, 0)
  t.end()
})

t.test('when the gateway stops every open call ends', (t) => {
  const { desk, ends } = scene()
  desk.endAll()
  t.strictSame(ends, ['stopping'])
  t.end()
})

t.test('once the gateway stops, a call that would begin ends at once (P9)', (t) => {
  const { desk, ends } = scene()
  desk.endAll()
  t.strictSame(ends, ['stopping'])
  const later: string[] = []
  desk.watch({ sink: new FakeSink(), policy: 'drain', end: (reason) => later.push(reason) })
  t.strictSame(later, ['stopping'])
  t.end()
})
