/** Lists, searches and sums take turns. */
import t from 'tap'
import { createSearchGate } from '../../../../kernel/http/management/search-gate.js'
import { FakeClock } from '../../../kit/clock.js'

const atOnce = 2
const mostWaiting = 50

function gate() {
  const clock = new FakeClock()
  const search = createSearchGate(clock)
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const run = (n: number, signal?: AbortSignal) =>
    search.run(() => {
      begun.push(n)
      return new Promise<number>((resolve) => ends.set(n, () => resolve(n)))
    }, signal)
  return { clock, search, begun, ends, run }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const busy = { code: 'too_many_at_once', status: 429, headers: { 'retry-after': '1' } }

t.test('a few run at once, the others in the order they came', async (t) => {
  const { begun, ends, run } = gate()
  const all = Array.from({ length: atOnce + 2 }, (_, n) => run(n))
  await turn()
  t.same(begun, [0, 1])
  ends.get(1)!()
  t.equal(await all[1], 1)
  await turn()
  t.same(begun, [0, 1, 2])
  for (const n of [0, 2]) ends.get(n)!()
  await turn()
  ends.get(3)!()
  t.same(await Promise.all(all), [0, 1, 2, 3])
})

t.test('who would wait too long is told when to come again', async (t) => {
  const { clock, begun, ends, run } = gate()
  const running = Array.from({ length: atOnce }, (_, n) => run(n))
  const waiting = Array.from({ length: mostWaiting }, (_, n) => run(100 + n))
  await t.rejects(run(999), busy, 'more than that do not even wait')
  const refused = Promise.all(waiting.map((each) => t.rejects(each, busy)))
  clock.advance(5_000)
  await refused
  for (const end of ends.values()) end()
  await Promise.all(running)
  const next = run(7)
  await turn()
  t.equal(begun.at(-1), 7, 'places are free again')
  ends.get(7)!()
  t.equal(await next, 7)
})

t.test('who leaves while waiting is not run', async (t) => {
  const { begun, ends, run } = gate()
  const running = Array.from({ length: atOnce }, (_, n) => run(n))
  const caller = new AbortController()
  const left = t.rejects(run(8, caller.signal), busy)
  caller.abort()
  await left
  for (const end of ends.values()) end()
  await Promise.all(running)
  t.same(begun, [0, 1])
})

t.test(
  'one that fails gives its place back, and one the database ended is told what to narrow',
  async (t) => {
    const { search } = gate()
    const fail = (error: Error) => search.run(() => Promise.reject(error))
    for (let n = 0; n < 2 * atOnce; n++) {
      await t.rejects(fail(new Error('broken')), { message: 'broken' })
    }
    const ended = Object.assign(new Error('canceling statement'), { code: '57014' })
    await t.rejects(fail(ended), {
      code: 'invalid_field',
      status: 400,
      message: /narrow the span/,
    })
    t.equal(await search.run(() => 5), 5)
  },
)
