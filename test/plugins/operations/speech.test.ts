/** Text to speech: fields, characters or tokens, and bytes that pass as they come. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/speech/index.js'
import { json, played, refusedField, sse } from './media/asking.js'

const speech = create()
const ask = (over: JsonObject = {}) =>
  json({ model: 'tts-1', input: 'Hello there.', voice: 'alloy', ...over })

t.test('a request is checked field by field', async (t) => {
  t.same(speech.check(ask()), { model: 'tts-1', stream: false, wantsUsage: true })
  t.equal(speech.check(json({ input: 'x' })).model, 'tts-1', 'the family falls back to it')
  t.equal(speech.check(ask({ stream_format: 'sse' })).stream, true)
  t.equal(refusedField(speech, ask({ voice: { id: 'voice_1' }, speed: null })), undefined)
  const wrong: Readonly<Record<string, JsonObject>> = {
    model: { model: ['tts-1'] },
    input: { input: '' },
    voice: { voice: 3 },
    speed: { speed: 'fast' },
    response_format: { response_format: 1 },
    instructions: { instructions: {} },
    stream_format: { stream_format: true },
  }
  for (const [field, over] of Object.entries(wrong)) t.equal(refusedField(speech, ask(over)), field)
  t.equal(refusedField(speech, ask({ input: ['a'] })), 'input')
})

t.test('older models cost by the character, whatever the script', async (t) => {
  t.same(speech.estimate(ask()), { input: 12, output: 0 })
  t.same(speech.estimate(ask({ input: '你好, 👋🏽' })), { input: 6, output: 0 })
})

t.test('models of the GPT family cost by tokens of text and of sound', async (t) => {
  const request = { model: 'gpt-4o-mini-tts', input: 'one two three four five six seven eight' }
  const { input, outputAudio } = speech.estimate(ask(request))
  t.equal(input, 8)
  t.equal(outputAudio, 50)
  const slower = speech.estimate(
    ask({ ...request, speed: 0.5, instructions: 'speak slowly please' }),
  )
  t.equal(slower.outputAudio, 100)
  t.ok(slower.input! > 8)
})

t.test('audio passes as it is: started with the first byte, ended with the upstream', async (t) => {
  const audio = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251))
  const watch = speech.watch('audio/mpeg', ask())
  t.match(watch, { binary: true, started: false, usage: undefined })
  const chunk = audio.subarray(0, 1000)
  t.equal(watch.push(chunk), chunk, 'the very buffer')
  t.match(watch, { started: true, ended: false, estimatedTokens: 0 })
  const { out } = played(watch, audio.subarray(1000), 333)
  t.ok(Buffer.concat([chunk, out]).equals(audio))
  t.equal(watch.ended, true)
  t.same(watch.usage, {}, 'to be completed from the estimate')
})

t.test('no audio, a page or JSON in its place is a failure (M14)', async (t) => {
  t.match(played(speech.watch('audio/mpeg', ask()), '').watch, { started: false, ended: false })
  const page = played(speech.watch('text/html; charset=utf-8', ask()), '<html>')
  t.match(page.watch, { started: false, failure: { blame: 'upstream' } })
  t.equal(page.out.length, 0)
  t.match(speech.readReply({ error: { message: 'no', code: 429 } }, ask()).failure, { status: 429 })
  t.match(speech.readReply({ ok: true }, ask()).failure, { blame: 'upstream' })
})

t.test('events carry the audio and tell the count at their end', async (t) => {
  const usage = { input_tokens: 14, output_tokens: 101, total_tokens: 115 }
  const stream =
    sse({ type: 'speech.audio.delta', audio: 'A'.repeat(400) }) +
    sse({ type: 'speech.audio.delta', audio: 'B'.repeat(400) }) +
    sse({ type: 'speech.audio.done', usage })
  for (const step of [1, 50, 10_000]) {
    const { out, watch } = played(speech.watch('text/event-stream', ask()), stream, step)
    t.equal(out.toString(), stream)
    t.match(watch, { ended: true, raw: usage, usage: { input: 14, output: 0, outputAudio: 101 } })
  }
  const broken = played(speech.watch('text/event-stream', ask()), stream.slice(0, 600))
  t.match(broken.watch, { started: true, ended: false, usage: {} })
  const silent = played(
    speech.watch('text/event-stream', ask()),
    sse({ type: 'speech.audio.done' }),
  )
  t.match(silent.watch, { ended: true, usage: {} })
})
