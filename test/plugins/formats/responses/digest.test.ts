/** Frames made small enough to be read: the same JSON, its strings cut short. */
import t from 'tap'
import { Digest } from '../../../../plugins/formats/responses/digest.js'

function digested(bytes: Buffer, size: number): string {
  const digest = new Digest()
  for (let from = 0; from < bytes.length; from += size) {
    digest.add(bytes, from, Math.min(from + size, bytes.length))
  }
  return String(digest.taken())
}

t.test('what has no long string stays as it is', async (t) => {
  const text = 'event: x\ndata: {"a":["\\"\\\\",1,{"\\u0001":null}],"b":"北京"}\n\n'
  for (const size of [1, 3, 1000]) t.equal(digested(Buffer.from(text), size), text)
})

t.test('long strings are cut wherever they can be, and what follows them is kept', async (t) => {
  for (const unit of ['x', '\\', '"', '\u0001', '北', '🚀', '\\"\u0001']) {
    for (let shift = 0; shift < 8; shift += 1) {
      const long = 'y'.repeat(shift) + unit.repeat(2000)
      const bytes = Buffer.from(JSON.stringify({ long, short: unit, count: [1, long, 2] }))
      for (const size of [7, 1031, bytes.length]) {
        const text = digested(bytes, size)
        const { short, count, long: cut } = JSON.parse(text)
        t.strictSame([short, count[0], count[2]], [unit, 1, 2], `${JSON.stringify(unit)} ${shift}`)
        t.ok(text.length < 2200 && cut.length >= 150, 'and little is left of them')
      }
    }
  }
})

t.test(
  '[FMT-3] what stands deep is left out, so that the end of a long response can be read',
  async (t) => {
    const one = { token: 'x"]}', logprob: -1, top_logprobs: [{ bytes: [1, 2], token: '[' }] }
    const frame = (logprobs: readonly object[]) => ({
      response: {
        output: [{ content: [{ type: 'output_text', text: 'Hi', logprobs, annotations: [{}] }] }],
        usage: { input_tokens: 3 },
      },
    })
    const bytes = Buffer.from(JSON.stringify(frame(Array.from({ length: 20_000 }, () => one))))
    for (const size of [1009, bytes.length]) {
      t.strictSame(JSON.parse(digested(bytes, size)), {
        response: {
          output: [
            { content: [{ type: 'output_text', text: 'Hi', logprobs: [], annotations: [] }] },
          ],
          usage: { input_tokens: 3 },
        },
      })
    }
  },
)
