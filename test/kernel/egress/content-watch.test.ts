/** An answer that trickles nothing is ended, however steadily its bytes come (S6). */
import t from 'tap'
import type { ByteConsumer, ByteSource } from '../../../kernel/contract/bytes.js'
import { ContentWatch } from '../../../kernel/egress/content-watch.js'
import { readAll } from '../../../kernel/toolkit/body/read-body.js'
import type { EgressError } from '../../../kernel/toolkit/errors/egress-error.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'

const silenceMs = 300_000
const events = 'text/event-stream; charset=utf-8'

/** A source that gives what a test states, and its watched form with a consumer that writes down what it hears. */
function trickle(contentType: string | undefined, takes: () => boolean = () => true) {
  const clock = new FakeClock()
  const heard: string[] = []
  let consumer: ByteConsumer
  let aborted = 0
  const source: ByteSource = {
    consume: (given) => {
      consumer = given
    },
    resume() {},
    abort() {
      aborted += 1
    },
  }
  const watched = new ContentWatch(source, { clock, silenceMs, contentType })
  watched.consume({
    data: () => takes(),
    end: () => void heard.push('end'),
    fail: ({ code, blame }) => void heard.push(`${blame}: ${code}`),
  })
  return {
    clock,
    heard,
    watched,
    give: (text: string) => consumer.data(Buffer.from(text)),
    end: () => consumer.end(),
    aborted: () => aborted,
  }
}

t.test('[ERR-2] blanks, comments and empty events do not keep an answer alive', async (t) => {
  const table: readonly (readonly [type: string | undefined, piece: string])[] = [
    [events, ': ping\n\n'],
    [events, ':\n'],
    [events, '\n'],
    [events, '\r\n'],
    [events, 'data:\n\n'],
    [events, 'data: \r\n\r\n'],
    [events, 'event: ping\n\n'],
    [events, 'id: 1\nretry: 5\n\n'],
    [events, ': data: x\r: data: y\r'],
    ['application/json', '\n'],
    ['application/json', '   \t\r\n'],
    [undefined, ' '],
  ]
  for (const [type, piece] of table) {
    for (const cut of ['whole', 'by the byte']) {
      const { clock, heard, give, aborted } = trickle(type)
      for (let second = 0; second < 299; second += 1) {
        for (const part of cut === 'whole' ? [piece] : piece) give(part)
        clock.advance(1000)
      }
      t.strictSame(heard, [], 'not yet')
      clock.advance(1000)
      t.strictSame(heard, ['upstream: upstream_timeout'], `${type} ${JSON.stringify(piece)} ${cut}`)
      t.equal(aborted(), 1)
      t.equal(clock.pending, 0)
    }
  }
})

t.test('[ERR-2] content keeps an answer alive, however slowly it comes', async (t) => {
  const table: readonly (readonly [type: string | undefined, piece: string])[] = [
    [events, 'data: {"a":1}\n\n'],
    [events, ': c\n\nevent: e\ndata:x\n\n: c\n\n'],
    [events, 'data: [DONE]\r\n\r\n'],
    ['application/json', ' 1'],
    ['audio/mpeg', '\u0000'],
    [undefined, 'x'],
  ]
  for (const [type, piece] of table) {
    for (const cut of ['whole', 'by the byte']) {
      const { clock, heard, give, end } = trickle(type)
      for (let round = 0; round < 5; round += 1) {
        for (const part of cut === 'whole' ? [piece] : piece) give(part)
        clock.advance(silenceMs - 1)
      }
      end()
      t.strictSame(heard, ['end'], `${type} ${JSON.stringify(piece)} ${cut}`)
      t.equal(clock.pending, 0)
    }
  }
})

t.test('[ERR-2] too much of nothing ends an answer at once', async (t) => {
  const { heard, give, aborted } = trickle(events)
  const pings = ': ping\n\n'.repeat(1024)
  for (let bytes = 0; bytes <= limits.blankBytesMax; bytes += pings.length) give(pings)
  t.strictSame(heard, ['upstream: upstream_too_large'])
  t.equal(aborted(), 1)
})

t.test('[ERR-2] while the reader pauses, nothing has to come', async (t) => {
  const { clock, heard, give, watched } = trickle(events, () => false)
  give('data: x\n\n')
  clock.advance(5 * silenceMs)
  t.strictSame(heard, [])
  watched.resume()
  clock.advance(silenceMs)
  clock.advance(silenceMs)
  t.strictSame(heard, ['upstream: upstream_timeout'])
})

t.test('[ERR-2] a reply in more pieces than an honest upstream makes is refused', async (t) => {
  let consumer: ByteConsumer | undefined
  let aborted = false
  const source: ByteSource = {
    consume: (given) => {
      consumer = given
    },
    resume() {},
    abort: () => {
      aborted = true
    },
  }
  const read = readAll(source, limits.replyBytesMax)
  let pieces = 0
  while (consumer!.data(Buffer.from('a'))) pieces += 1
  const refused = (error: EgressError) => error.failure.code
  t.equal(await read.then(() => 'taken', refused), 'upstream_too_large')
  t.ok(pieces < 10_000, `${pieces} pieces`)
  t.ok(aborted)
})
