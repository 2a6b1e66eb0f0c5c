/** One JSON object a line, however it arrives. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { JsonLines } from '../../../../kernel/toolkit/provider/json-lines.js'

const at = { choice: 0, part: 0 }
const delta = (text: string): Event => ({ type: 'delta', at, text })

function reader() {
  return new JsonLines({
    line: (value) => {
      if (value === undefined) return [delta('?')]
      return [value.end === true ? { type: 'end' } : delta(String(value.text))]
    },
    closed: () => [delta('closed')],
    tooLarge: () => [delta('too large')],
  })
}

function read(pieces: readonly Buffer[]): readonly Event[] {
  const lines = reader()
  return [...pieces.flatMap((piece) => lines.push(piece)), ...lines.flush()]
}

t.test('[ERR-2] lines are read alike wherever the network cuts them', async (t) => {
  const bytes = Buffer.from('{"text":"é"}\r\n\n  \n{"text":"b"}\nnot json\n[1]\n{"text":"c"}')
  const expected = ['é', 'b', '?', '?', 'c', 'closed'].map(delta)
  t.strictSame(read([bytes]), expected)
  t.strictSame(read(Array.from(bytes, (byte) => Buffer.from([byte]))), expected)
})

t.test('[ERR-2] nothing behind the end is read', async (t) => {
  const bytes = Buffer.from('{"text":"a"}\n{"end":true}\n{"text":"b"}\nrest')
  t.strictSame(read([bytes]), [delta('a'), { type: 'end' }])
})

t.test(
  '[LIMIT-6] a line that does not end is given up at the largest size of an event',
  async (t) => {
    const lines = reader()
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const events: Event[] = []
    for (let bytes = 0; bytes <= limits.wholeEventBytesMax; bytes += piece.length) {
      events.push(...lines.push(piece))
    }
    events.push(...lines.push(Buffer.from('\n{"text":"late"}\n')), ...lines.flush())
    t.strictSame(events, [delta('too large')])
  },
)
