/** Streams that close behind their last reason to stop: whole answers, although the terminator never comes. */
import t from 'tap'
import create from '../../../../plugins/formats/chat/index.js'
import { cuts, streamFixture } from './fixture.js'

const chat = create()
const names = ['openai-text', 'openai-parallel-tools', 'deepseek-reasoning', 'two-answers-crlf']
const sendRequest = (name: string) => ({ choices: name.startsWith('two') ? 2 : 1 })

/** The fixture up to its terminator, with or without the blank line in front of that. */
function unterminated(name: string): { readonly bytes: Buffer; readonly bare: Buffer } {
  const whole = streamFixture(name)
  const bytes = whole.subarray(0, whole.indexOf('data: [DONE]'))
  return { bytes, bare: Buffer.from(bytes.toString().trimEnd()) }
}

function decoded(name: string, pieces: readonly Buffer[]): string {
  const decoder = chat.decodeStream(sendRequest(name))
  const events = pieces.flatMap((piece) => decoder.push(piece))
  return JSON.stringify([...events, ...decoder.flush()])
}

function watched(name: string, pieces: readonly Buffer[]) {
  const watch = chat.watch({ wantsUsage: true, limits: sendRequest(name) })
  const out = Buffer.concat([...pieces.map((piece) => watch.push(piece)), watch.flush()])
  return { watch, out: out.toString() }
}

t.test(
  '[FMT-10] a stream that ends behind a reason to stop is complete, however it is cut',
  async (t) => {
    for (const name of names) {
      const expected = decoded(name, [streamFixture(name)])
      t.match(expected, '{"type":"end"}')
      const { bytes, bare } = unterminated(name)
      for (const stream of [bytes, bare]) {
        for (const pieces of cuts(stream)) {
          const events = decoded(name, pieces)
          if (events !== expected) t.equal(events, expected, name)
          const { watch, out } = watched(name, pieces)
          const wasReported =
            out.endsWith('\n\ndata: [DONE]\n\n') || out.endsWith('\r\ndata: [DONE]\n\n')
          if (!watch.ended || !wasReported) t.fail(`${name}: the client sees the end`)
          if (!out.startsWith(bare.toString())) t.fail(`${name}: what came went on`)
          if (watch.usage === undefined) t.fail(`${name}: the usage is read`)
        }
      }
    }
  },
)

t.test('[FMT-10] a stream cut before every answer has its reason to stop is broken', async (t) => {
  for (const name of names) {
    const { bytes } = unterminated(name)
    const frameEnd = endOfLastStop(bytes)
    for (let end = 0; end < bytes.length; end += 1) {
      const cut = [bytes.subarray(0, end)]
      const whole = end >= frameEnd
      const events = decoded(name, cut)
      if (events.includes('{"type":"end"}') !== whole) t.fail(`${name}: decoded, cut at ${end}`)
      const { watch, out } = watched(name, cut)
      if (watch.ended !== whole) t.fail(`${name}: watched, cut at ${end}`)
      if (out.includes('[DONE]') !== whole) t.fail(`${name}: complete, cut at ${end}`)
    }
  }
})

t.test('an answer of several is not complete with the first', async (t) => {
  const bytes = streamFixture('two-answers-crlf')
  const first = bytes.subarray(
    0,
    bytes.lastIndexOf('data: {"id": "chatcmpl-7"', bytes.indexOf('"length"')),
  )
  t.match(first.toString(), '"finish_reason": "stop"')
  t.notMatch(decoded('two', [first]), '{"type":"end"}')
  t.equal(watched('two', [first]).watch.ended, false)
})

/** Behind the JSON of the last chunk with a reason to stop, in bytes. */
function endOfLastStop(bytes: Buffer): number {
  const text = bytes.toString('latin1')
  const stops = [...text.matchAll(/"finish_reason": ?"/g)]
  return text.lastIndexOf('}', text.indexOf('\n', stops.at(-1)!.index)) + 1
}
