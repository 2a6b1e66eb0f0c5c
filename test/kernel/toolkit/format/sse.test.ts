/** Events out of bytes, whatever the cuts: the rules of the standard (S1 to S4). */
import fc from 'fast-check'
import t from 'tap'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import {
  type Frame,
  FrameScanner,
  parseFrame,
  SseFramer,
  sseData,
  sseEvent,
} from '../../../../kernel/toolkit/format/sse.js'

const table: readonly (readonly [name: string, input: string, events: readonly string[]])[] = [
  ['one line', 'data: a\n\n', [':a']],
  ['no space', 'data:a\n\n', [':a']],
  ['only the first space is dropped', 'data:  a\n\n', [': a']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [':a', ':b']],
  ['CR', 'data: a\r\rdata: b\r\r', [':a', ':b']],
  ['mixed ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\n\r', [':a', ':b', ':c']],
  ['several lines', 'data: a\ndata: b\ndata:\n\n', [':a\nb\n']],
  ['named', 'event: ping\ndata: {}\n\n', ['ping:{}']],
  ['the last name counts', 'event: x\nevent: y\ndata: 1\n\n', ['y:1']],
  ['comments', ': keep-alive\n\ndata: a\n: more\n\n', [':a']],
  ['ids and times', 'id: 7\nretry: 10\ndata: a\n\nid: 8\n\n', [':a']],
  ['a name without data is no event', 'event: ping\n\ndata: a\n\n', [':a']],
  ['a field without colon', 'data\n\nfoo\n\n', [':']],
  ['unknown fields', 'datax: a\ndata: b\n\n', [':b']],
  ['byte order mark', '\ufeffdata: a\n\n', [':a']],
  ['a later mark is no mark', 'data: a\n\n\ufeffdata: b\n\n', [':a']],
  ['blank lines between', '\n\ndata: a\n\n\n\ndata: b\n\n', [':a', ':b']],
  ['a mark behind a blank line is no mark', '\n\ufeffdata: a\n\ndata: b\n\n', [':b']],
  ['wide characters', 'data: 汉字 🎉 é\n\n', [':汉字 🎉 é']],
  ['what was cut off is no event', 'data: a\n\ndata: b\n', [':a']],
]

function framed(pieces: readonly Buffer[], flush = false): Frame[] {
  const framer = new SseFramer()
  const frames = pieces.flatMap((piece) => framer.push(piece))
  return flush ? [...frames, ...framer.flush()] : frames
}

function dispatched(frames: readonly Frame[]): string[] {
  return frames.filter(({ comment }) => !comment).map(({ event, data }) => `${event}:${data}`)
}

function cutAt(bytes: Buffer, at: number): Buffer[] {
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

t.test('each rule of the standard, cut at every byte (S1) (S2) (S3)', async (t) => {
  for (const [name, input, events] of table) {
    const bytes = Buffer.from(input)
    for (let at = 0; at <= bytes.length; at += 1) {
      const frames = framed(cutAt(bytes, at))
      t.strictSame(dispatched(frames), events, `${name}, cut at ${at}`)
    }
    t.strictSame(dispatched(framed([...bytes].map((byte) => Buffer.from([byte])))), events, name)
  }
})

t.test('the frames of a stream in a row are its bytes, however it is cut', async (t) => {
  const line = fc.constantFrom('data: é', 'data:', ': c', 'event: x', 'id: 1', '', '汉')
  const end = fc.constantFrom('\n', '\r', '\r\n')
  const stream = fc.array(fc.tuple(line, end).map((pair) => pair.join('')))
  const cuts = fc.array(fc.nat(200))
  fc.assert(
    fc.property(stream, cuts, (lines, places) => {
      const bytes = Buffer.from(lines.join(''))
      const sorted = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length].sort(
        (one, other) => one - other,
      )
      const pieces = sorted.slice(1).map((to, index) => bytes.subarray(sorted[index], to))
      const frames = framed(pieces, true)
      t.ok(Buffer.concat(frames.map((frame) => frame.bytes)).equals(bytes))
      const whole = framed([bytes], true).filter(({ cut }) => !cut)
      const some = frames.filter(({ cut }) => !cut)
      t.strictSame(dispatched(some), dispatched(whole))
    }),
    { numRuns: 150 },
  )
})

t.test('a CRLF cut in two behind a frame ends it at once', async (t) => {
  const framer = new SseFramer()
  t.equal(dispatched(framer.push(Buffer.from('data: a\r\n\r'))).length, 1)
  t.strictSame(dispatched(framer.push(Buffer.from('\ndata: b\n\n'))), [':b'])
})

t.test('[S3] blank lines in a row are one frame, whose bytes are all there', async (t) => {
  const text = `${'\n'.repeat(1000)}data: a\n\n${'\n'.repeat(1000)}data: b\n\n`
  const frames = framed([Buffer.from(text)])
  t.equal(frames.length, 4)
  t.equal(Buffer.concat(frames.map(({ bytes }) => bytes)).toString(), text)
})

t.test('what the end of input cut off is marked as such', async (t) => {
  const [frame] = framed([Buffer.from('data: [DONE]')], true)
  t.match(frame, { data: '[DONE]', cut: true })
  t.strictSame(framed([Buffer.from('data: a\n\n')], true).length, 1)
})

t.test('an event above the cap ends with one clean error (S4)', async (t) => {
  const framer = new SseFramer({ maxBytes: 20 })
  t.equal(framer.push(Buffer.from('data: 12345678901\n\n')).length, 1)
  framer.push(Buffer.from('data: 123456789'))
  t.throws(() => framer.push(Buffer.from('0123456789')), { code: 'upstream_too_large' })
  const whole = new SseFramer({ maxBytes: 20 })
  t.throws(() => whole.push(Buffer.from(`data: ${'x'.repeat(30)}\n\n`)), Refusal)
})

t.test('the scanner finds ends without looking into frames', async (t) => {
  const scanner = new FrameScanner()
  const chunk = Buffer.from('data: a\n\ndata: b\r\n\r\ndata: c\n')
  t.equal(scanner.next(chunk, 0), 9)
  t.equal(scanner.next(chunk, 9), 20)
  t.equal(scanner.next(chunk, 20), -1)
  t.equal(scanner.next(Buffer.from('\n'), 0), 1)
  t.equal(scanner.next(Buffer.from('data: d\r\n\r'), 0), 10)
  t.equal(scanner.next(Buffer.from('\ndata: e\n\n'), 0), 1, 'the rest of a CRLF stands alone')
})

t.test('frames are written so that they read back', async (t) => {
  t.strictSame(parseFrame(sseData({ a: 'é\n' })), {
    event: '',
    data: '{"a":"é\\n"}',
    comment: false,
  })
  t.strictSame(parseFrame(sseEvent('stop', {})), { event: 'stop', data: '{}', comment: false })
})
