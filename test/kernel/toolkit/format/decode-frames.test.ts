import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import { decodeFrames } from '../../../../kernel/toolkit/format/decode-frames.js'
import type { Frame } from '../../../../kernel/toolkit/format/sse.js'
import { breakingIn } from '../../../../kernel/toolkit/format/sse.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'

const note = (raw: string): Event => ({ type: 'note', of: 'chat', raw })

/** Notes what it received; `end` ends. */
function reader() {
  const results: string[] = []
  return {
    results,
    take({ data, cut }: Frame): readonly Event[] {
      results.push(cut ? `${data} cut` : data)
      return data === 'end' ? [note(data), { type: 'end' }] : [note(data)]
    },
    closed: (): readonly Event[] => [note('closed')],
  }
}

t.test('frames are reported one by one until one ends the stream', async (t) => {
  const { results, ...request } = reader()
  const stream = decodeFrames(request)
  const all = Buffer.from('data: a\n\ndata: end\n\ndata: late\n\n')
  t.same(stream.push(all), [note('a'), note('end'), { type: 'end' }])
  t.same(stream.push(Buffer.from('data: later\n\ndata: cut')), [])
  t.same(stream.flush(), [])
  t.same(results, ['a', 'end'])
})

t.test('where nothing ended it, the close of the upstream has its own word', async (t) => {
  const { results, ...request } = reader()
  const stream = decodeFrames(request)
  t.same(stream.push(Buffer.from('data: a\n\ndata: b')), [note('a')])
  t.same(stream.flush(), [note('b'), note('closed')])
  t.same(results, ['a', 'b cut'])
})

t.test('an event beyond the bound is a failure, and the last that is read (S4)', async (t) => {
  const stream = decodeFrames(reader())
  const flood = Buffer.alloc(limits.eventBytesMax + 1, 'x')
  const [failure, ...rest] = stream.push(flood)
  t.match(failure, { type: 'failure', failure: { code: 'upstream_too_large', blame: 'upstream' } })
  t.same(rest, [])
  t.same(stream.push(Buffer.from('\n\ndata: a\n\n')), [])
  t.same(stream.flush(), [])
})

t.test('what breaks into a stream stands alone, whatever was torn before it', async (t) => {
  const error = Buffer.from('data: {"error":{}}\n\n')
  t.equal(breakingIn(error, false), error)
  t.equal(breakingIn(error, true).toString(), '\n\ndata: {"error":{}}\n\n')
})
