/** Speech to text: one recording, seconds or tokens, and an answer in any of its formats. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/transcriptions/index.js'
import { file, form, json, played, refusedField, sse } from './media/asking.js'
import { wav } from './media/samples.js'

const transcriptions = create()
const ask = (fields: JsonObject = {}, seconds = 6) =>
  form({ model: 'whisper-1', ...fields }, file('file', wav(seconds), 'a.wav'))

t.test('a form with one recording passes', async (t) => {
  t.same(transcriptions.check(ask()), { model: 'whisper-1', stream: false, wantsUsage: true })
  t.equal(transcriptions.check(ask({ stream: 'True' })).stream, true)
  t.equal(
    transcriptions.check(form({}, file('file', wav(1)))).model,
    'whisper-1',
    'the family falls back to it',
  )
  t.equal(refusedField(transcriptions, ask({ 'timestamp_granularities[]': ['word'] })), undefined)
})

t.test('what is wrong is named', async (t) => {
  const recording = file('file', wav(1))
  t.equal(refusedField(transcriptions, form({ model: 'whisper-1' })), 'file')
  t.equal(refusedField(transcriptions, form({}, file('audio', wav(1)))), 'file')
  t.equal(refusedField(transcriptions, form({}, file('file', Buffer.alloc(0)))), 'file')
  t.equal(refusedField(transcriptions, form({}, recording, recording)), 'file')
  t.equal(refusedField(transcriptions, json({ model: 'whisper-1', file: 'x' })), 'file')
  t.equal(refusedField(transcriptions, ask({ model: ['a', 'b'] })), 'model')
  t.equal(refusedField(transcriptions, ask({ temperature: 'warm' })), 'temperature')
  t.equal(
    refusedField(transcriptions, ask({ response_format: ['json', 'text'] })),
    'response_format',
  )
  t.equal(refusedField(transcriptions, ask({ stream: 'perhaps' })), 'stream')
})

t.test('a minute is 1,000 tokens of sound where seconds are all there is', async (t) => {
  t.same(transcriptions.estimate(ask({}, 60)), { inputAudio: 1000, output: 0 })
  t.same(transcriptions.estimate(ask({}, 6)), { inputAudio: 100, output: 0 })
  const seconds = (body: JsonObject) => transcriptions.readReply(body, ask()).usage
  const result = { inputAudio: 150, output: 0 }
  t.same(seconds({ text: 'hi', usage: { type: 'duration', seconds: 9 } }), result)
  t.same(seconds({ task: 'transcribe', duration: 9, text: 'hi' }), result, 'a verbose answer')
  t.same(seconds({ duration: '9.0', text: 'hi' }), result, 'reported as text')
  t.same(seconds({ text: 'hi', usage: { prompt_audio_seconds: 9, prompt_tokens: 4 } }), result)
  t.same(seconds({ text: 'hi' }), {}, 'to be completed from the estimate')
})

t.test('tokens are taken as the upstream counts them, each once', async (t) => {
  const usage = {
    type: 'tokens',
    input_tokens: 104,
    input_token_details: { text_tokens: 4, audio_tokens: 100 },
    output_tokens: 30,
    total_tokens: 134,
  }
  t.match(transcriptions.readReply({ text: 'hi', usage }, ask()), {
    usage: { input: 4, inputAudio: 100, output: 30 },
    raw: usage,
    estimatedTokens: 0,
  })
  t.same(
    transcriptions.readReply({ text: '', usage: { input_tokens: 7, output_tokens: 0 } }, ask())
      .usage,
    { input: 0, inputAudio: 7, output: 0 },
  )
})

t.test('a 200 without a transcript is a failure (M14)', async (t) => {
  t.match(transcriptions.readReply({ error: 'overloaded' }, ask()).failure, { blame: 'upstream' })
  t.match(transcriptions.readReply({ message: 'busy' }, ask()).failure, { blame: 'upstream' })
  t.equal(transcriptions.readReply({ segments: [] }, ask()).failure, undefined)
})

t.test('text, srt and vtt pass as they are, an empty one too', async (t) => {
  for (const [type, text] of [
    ['text/plain; charset=utf-8', 'Hello.\n'],
    ['application/x-subrip', '1\n00:00:00,000 --> 00:00:01,000\nHello.\n'],
    ['text/vtt', 'WEBVTT\n'],
    ['text/plain', ''],
  ] as const) {
    const { out, watch } = played(transcriptions.watch(type, ask()), text)
    t.equal(out.toString(), text)
    t.match(watch, { binary: true, ended: true, usage: {}, estimatedTokens: 0 })
  }
  t.match(played(transcriptions.watch('text/html', ask()), '<p>').watch.failure, {
    blame: 'upstream',
  })
})

const delta = (text: string) => sse({ type: 'transcript.text.delta', delta: text })

t.test('a stream is counted by its last event, or by its text where it breaks', async (t) => {
  const usage = { type: 'tokens', input_tokens: 60, output_tokens: 3 }
  const begun = delta('Hello ') + delta('there, my friend.')
  const whole = begun + sse({ type: 'transcript.text.done', text: 'Hello there', usage })
  for (const step of [1, 30, 10_000]) {
    const { out, watch } = played(transcriptions.watch('text/event-stream', ask()), whole, step)
    t.equal(out.toString(), whole)
    t.match(watch, { ended: true, raw: usage, usage: { inputAudio: 60, output: 3 } })
  }
  const { watch } = played(transcriptions.watch('text/event-stream', ask()), begun)
  t.match(watch, { started: true, ended: false, usage: {} })
  t.equal(watch.estimatedTokens, 6)
  const cut = whole.slice(0, -2)
  const rest = played(transcriptions.watch('text/event-stream', ask()), cut)
  t.equal(rest.watch.ended, true, 'a whole last event counts without its blank line')
  t.match(rest.out.toString(), 'transcript.text.done')
})
