/** DashScope: its places, thinking that would refuse an answer in one piece, rerank in its own form. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import create from '../../providers/dashscope/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const at = (baseUrl: string) => ({ id: 1, type: 17, baseUrl, settings: {} })

t.test('a host and a base out of the documentation are the same place', async (t) => {
  const host = 'https://dashscope.aliyuncs.com'
  const url = (base: string, operation: OperationName, format?: Adapter['format']) =>
    adapterOf(provider, operation, format).address(
      { kind: 'none' },
      at(base),
      { key: 'k' },
      { now: 0, forwarded: { headers: {} }, model: 'm', stream: false },
    ).url
  for (const base of [host, `${host}/compatible-mode/v1`, `${host}/compatible-mode`]) {
    t.equal(url(base, 'chat'), `${host}/compatible-mode/v1/chat/completions`)
    t.equal(url(base, 'chat', 'messages'), `${host}/apps/anthropic/v1/messages`)
    t.equal(url(base, 'chat', 'responses'), `${host}/compatible-mode/v1/responses`)
    t.equal(url(base, 'embeddings'), `${host}/compatible-mode/v1/embeddings`)
    t.equal(url(base, 'rerank'), `${host}/api/v1/services/rerank/text-rerank/text-rerank`)
  }
})

const adjust = (wire: JsonObject) =>
  adapterOf(provider, 'chat').adjust!(wire, at('https://h.example'))

t.test('hybrid models are reported not to think where one piece is wanted', async (t) => {
  for (const model of ['qwen3-8b', 'qwen3-0.6b', 'qwen3-235b-a22b']) {
    t.strictSame(adjust({ model }), { model, enable_thinking: false })
    t.strictSame(adjust({ model, stream: false }), { model, stream: false, enable_thinking: false })
  }
})

t.test(
  'who streams, states something of thinking or asks another model is left alone',
  async (t) => {
    for (const wire of [
      { model: 'qwen3-8b', stream: true },
      { model: 'qwen3-8b', enable_thinking: true },
      { model: 'qwen3-8b', enable_thinking: false },
      { model: 'qwen3-235b-a22b-thinking-2507' },
      { model: 'qwen3-30b-a3b-instruct-2507' },
      { model: 'qwen3-max' },
      { model: 'qwen-plus' },
    ]) {
      const frozen = Object.freeze(wire)
      t.equal(adjust(frozen), frozen)
    }
  },
)

t.test('a rerank states what is queried and how in two places', async (t) => {
  const fields = {
    model: 'qwen3-rerank',
    query: '',
    documents: ['a', { text: 'b' }],
    top_n: 0,
    return_documents: false,
    instruct: 'x',
  }
  const body = adapterOf(provider, 'rerank').shape!(
    { kind: 'json', value: fields },
    at('https://h.example'),
    'qwen3-rerank',
  )
  t.strictSame(body, {
    kind: 'json',
    value: {
      model: 'qwen3-rerank',
      input: { query: '', documents: ['a', { text: 'b' }] },
      parameters: { top_n: 0, return_documents: false, instruct: 'x' },
    },
  })
})

t.test('models that only stream are streamed, whatever the client wants', async (t) => {
  for (const model of ['qwq-plus', 'qvq-max-latest', 'qwen-omni-turbo', 'qwen3-omni-flash']) {
    const streamed = { model, stream: true, stream_options: { include_usage: true } }
    t.strictSame(adjust({ model }), streamed)
    t.strictSame(adjust({ model, stream: false }), streamed)
    const frozen = Object.freeze({ model, stream: true })
    t.equal(adjust(frozen), frozen)
  }
})

t.test('a picture is wanted by a message and parameters', async (t) => {
  const images = adapterOf(provider, 'images')
  const shaped = (fields: JsonObject) =>
    images.shape!({ kind: 'json', value: fields }, at('https://h.example'), 'qwen-image')
  const model = 'qwen-image-2.0'
  const messages = [{ role: 'user', content: [{ text: 'A house' }] }]
  const asked = { model, prompt: 'A house', response_format: 'b64_json', quality: 'auto' }
  t.strictSame(shaped({ ...asked, n: 2, size: '1664x928', seed: 0, watermark: false }), {
    kind: 'json',
    value: {
      model,
      input: { messages },
      parameters: { n: 2, seed: 0, watermark: false, size: '1664*928' },
    },
  })
  t.strictSame(shaped({ ...asked, size: 'auto' }), {
    kind: 'json',
    value: { model, input: { messages }, parameters: {} },
  })
  t.throws(() => shaped({ ...asked, stream: true }), { code: 'not_expressible', param: 'stream' })
  const more = shaped({ ...asked, quality: 'hd', user: 'u' })
  const wire = more.kind === 'json' ? more.value : {}
  t.strictSame(images.refuses!(wire, at('https://h.example'), model), ['quality', 'user'])
  t.notOk(images.serves!(at('https://h.example'), 'wan2.2-t2i-plus'))
})

t.test('an edit has its pictures in front of the text, and typed parameters', async (t) => {
  const edits = adapterOf(provider, 'edits')
  const file = (field: string) => ({
    ...{ field, filename: 'a.jpg', mime: 'image/jpeg' },
    bytes: Buffer.from('abc'),
  })
  const fields = { model: 'qwen-image-edit', prompt: 'Red', n: '2', watermark: 'false' }
  const shaped = (names: readonly string[]) =>
    edits.shape!({ kind: 'form', fields, files: names.map(file) }, at('https://h.example'), 'm')
  const image = { image: 'data:image/png;base64,YWJj' }
  t.strictSame(shaped(['image[]', 'image[]']), {
    kind: 'json',
    value: {
      model: 'qwen-image-edit',
      input: { messages: [{ role: 'user', content: [image, image, { text: 'Red' }] }] },
      parameters: { n: 2, watermark: false },
    },
  })
  t.throws(() => shaped(['image', 'mask']), { code: 'not_expressible' })
  const named = { model: 'qwen-image-edit', prompt: 'Red', image: ['https://h.example/a.png'] }
  t.match(edits.shape!({ kind: 'json', value: named }, at('https://h.example'), 'm'), {
    value: { input: { messages: [{ content: [{ image: named.image[0] }, { text: 'Red' }] }] } },
  })
})

const speech = adapterOf(provider, 'speech')

function spoken(fields: JsonObject, model = 'qwen3-tts-flash'): JsonObject {
  const value = { model, input: 'Hi', voice: 'Cherry', ...fields }
  const body = speech.shape!({ kind: 'json', value }, at('https://h.example'), model)
  return body.kind === 'json' ? body.value : {}
}

t.test('[SVC-3] speech is wanted by a text, and a voice of the service', async (t) => {
  for (const [voice, name] of [
    ['alloy', 'Cherry'],
    ['onyx', 'Ethan'],
    ['Jennifer', 'Jennifer'],
    [{ id: 'qwen-tts-vd-a' }, 'qwen-tts-vd-a'],
  ] as const) {
    t.match(spoken({ voice }), { input: { text: 'Hi', voice: name } })
  }
  t.strictSame(spoken({ response_format: 'wav', speed: 1, language_type: 'English' }), {
    model: 'qwen3-tts-flash',
    input: { text: 'Hi', voice: 'Cherry', language_type: 'English' },
  })
  const told = { instructions: 'Slowly', optimize_instructions: true }
  t.match(spoken(told, 'qwen3-tts-instruct-flash'), { input: told })
  for (const [param, value] of [
    ['response_format', 'mp3'],
    ['speed', 1.5],
    ['stream_format', 'sse'],
    ['instructions', 'Slowly'],
  ] as const) {
    t.throws(() => spoken({ [param]: value }), { code: 'not_expressible', param })
  }
  const served = (model: string) => speech.serves!(at('https://h.example'), model)
  for (const model of ['qwen-tts', 'qwen3-tts-flash-2025-11-27']) t.ok(served(model))
  for (const model of ['qwen3-tts-flash-realtime', 'cosyvoice-v2']) t.notOk(served(model))
})

t.test('[SVC-3] speech is counted in characters, or in tokens of text and of sound', async (t) => {
  const read = (usage: JsonObject) => {
    const body = { output: { audio: { url: 'http://h.example/a.wav' } }, usage }
    const whole = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) }
    return speech.answer!(whole, { kind: 'none' }, 'qwen3-tts-flash')
  }
  const found = { url: 'http://h.example/a.wav', type: 'audio/wav' }
  t.strictSame(read({ input_tokens: 0, output_tokens: 0, characters: 195 }), {
    ...found,
    usage: { input: 195, output: 0 },
  })
  t.strictSame(read({ input_tokens: 76, output_tokens: 1045, characters: 0 }), {
    ...found,
    usage: { input: 76, output: 0, outputAudio: 1045 },
  })
  t.strictSame(read({}), found)
})

t.test('[SVC-3] a recording is sent with its type and what is known of it', async (t) => {
  const transcriptions = adapterOf(provider, 'transcriptions')
  const model = 'qwen3-asr-flash'
  const shaped = (fields: JsonObject, mime = 'application/octet-stream') => {
    const file = { field: 'file', filename: 'a.wav', mime, bytes: Buffer.from('RIFF') }
    const body = { kind: 'form' as const, fields: { model, ...fields }, files: [file] }
    const made = transcriptions.shape!(body, at('https://h.example'), model)
    return made.kind === 'json' ? made.value : {}
  }
  const user = { role: 'user', content: [{ audio: 'data:audio/wav;base64,UklGRg==' }] }
  t.strictSame(shaped({}), { model, input: { messages: [user] } })
  t.match(shaped({}, 'audio/mpeg'), {
    input: { messages: [{ content: [{ audio: /^data:audio\/mpeg;/ }] }] },
  })
  const wire = shaped({ language: 'en', prompt: 'Waybill', temperature: '0' })
  t.strictSame(wire, {
    model,
    input: { messages: [{ role: 'system', content: [{ text: 'Waybill' }] }, user] },
    parameters: { asr_options: { language: 'en' } },
    temperature: '0',
  })
  t.strictSame(transcriptions.refuses!(wire, at('https://h.example'), model), ['temperature'])
  for (const [param, value] of [
    ['response_format', 'srt'],
    ['stream', 'true'],
  ] as const) {
    t.throws(() => shaped({ [param]: value }), { code: 'not_expressible', param })
  }
  const served = (name: string) => transcriptions.serves!(at('https://h.example'), name)
  for (const name of [model, 'qwen3-asr-flash-2026-02-10', 'qwen3-asr-flash-us']) t.ok(served(name))
  for (const name of ['qwen3-asr-flash-filetrans', 'paraformer-v2']) t.notOk(served(name))
})

t.test('a recording without speech has an empty text', async (t) => {
  const output = { choices: [{ message: { content: [] } }] }
  const read = (value: JsonObject, fields: JsonObject) =>
    adapterOf(provider, 'transcriptions').answer!(
      { status: 200, headers: {}, body: Buffer.from(JSON.stringify(value)) },
      { kind: 'form', fields, files: [] },
      'qwen3-asr-flash',
    )
  t.strictSame(read({ output }, {}), { json: { text: '' } })
  t.match(read({ output }, { response_format: 'text' }), { type: /^text\/plain/ })
})

t.test('[FMT-9] only models that have an interface are called by it', async (t) => {
  const serves = (format: Adapter['format'], model: string) =>
    adapterOf(provider, 'chat', format).serves!(at('https://h.example'), model)
  for (const [model, messages, responses] of [
    ['qwen3.8-max', true, true],
    ['qwen3.6-plus-2026-04-02', true, true],
    ['qwen3.5-397b-a17b', true, true],
    ['deepseek-v4-pro', true, true],
    ['qwen-plus', true, true],
    ['qwen-plus-2025-09-11', true, false],
    ['qwen-turbo', true, false],
    ['qwen3-vl-plus', true, false],
    ['qwen3-coder-next', true, false],
    ['qwen-plus-character', false, true],
    ['qwen3-8b', false, false],
    ['qwq-plus', false, false],
    ['qwen3.5-omni-plus', false, false],
    ['kimi-k2.5', false, false],
    ['deepseek-r1', false, false],
  ] as const) {
    t.equal(serves('messages', model), messages, `${model} by messages`)
    t.equal(serves('responses', model), responses, `${model} by responses`)
  }
})

/** What is refused, and what goes out once that is left out. */
function sent(format: Adapter['format'], wire: JsonObject) {
  const { refuses, adjust: last } = adapterOf(provider, 'chat', format)
  const lost = refuses!(wire, at('https://h.example'), String(wire.model))
  const kept = Object.fromEntries(Object.entries(wire).filter(([name]) => !lost.includes(name)))
  return { lost, wire: last!(kept, at('https://h.example')) }
}

t.test(
  'a tool that must be called switches thinking off, by default and when it was on',
  async (t) => {
    const forced = { tool_choice: 'required', stream: true }
    for (const model of ['qwen3.5-plus', 'qwen3-8b']) {
      t.strictSame(sent('chat', { model, ...forced }), {
        lost: ['enable_thinking'],
        wire: { model, ...forced, enable_thinking: false },
      })
    }
    t.strictSame(sent('chat', { model: 'qwen-plus', ...forced, enable_thinking: true }), {
      lost: ['enable_thinking'],
      wire: { model: 'qwen-plus', ...forced },
    })
    t.strictSame(sent('chat', { model: 'qwen3-8b', tool_choice: 'required' }), {
      lost: [],
      wire: { model: 'qwen3-8b', tool_choice: 'required', enable_thinking: false },
    })
    for (const wire of [
      { model: 'qwen-plus', ...forced },
      { model: 'qwen3.5-plus', ...forced, enable_thinking: false },
      { model: 'qwen3.5-plus', ...forced, tool_choice: 'auto' },
    ]) {
      t.strictSame(sent('chat', wire), { lost: [], wire })
    }
    const named = { model: 'qwq-plus', stream: true }
    const choice = { type: 'function', function: { name: 'look' } }
    t.strictSame(sent('chat', { ...named, tool_choice: choice }), {
      lost: ['tool_choice'],
      wire: named,
    })
  },
)

t.test('messages clients that force a tool lose thinking too', async (t) => {
  const choice = { type: 'tool', name: 'look' }
  t.strictSame(sent('messages', { model: 'qwen3.6-plus', tool_choice: choice }), {
    lost: ['thinking'],
    wire: { model: 'qwen3.6-plus', tool_choice: choice, thinking: { type: 'disabled' } },
  })
  const plain = { model: 'qwen-plus', tool_choice: choice }
  t.strictSame(sent('messages', { ...plain, thinking: { type: 'enabled' } }), {
    lost: ['thinking'],
    wire: plain,
  })
  t.strictSame(sent('messages', plain), { lost: [], wire: plain })
})
