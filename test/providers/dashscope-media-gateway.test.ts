/** Media of DashScope through the whole gateway: speech and pictures are fetched from where they lie, recordings become text. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Recorded } from '../kit/upstream.js'
import { isRecord, listIn, strictly, type VendorRule } from '../kit/vendor.js'

const voice = 'qwen3-tts-flash'
const ear = 'qwen3-asr-flash'
const painter = 'qwen-image-2.0'
const writer = 'qwen3-8b'
const models = [voice, ear, painter, writer]
const gateway = await scriptedGateway(t, { channel: { type: 17, models: models.join(',') } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', Object.fromEntries(models.map((name) => [name, 1])))
await admin.option('ModelPrice', { [painter]: 0.01 })
const authorization = `Bearer ${key}`
const place = '/api/v1/services/aigc/multimodal-generation/generation'
upstream.takes('files are fetched', ['*'])

const inputOf = ({ json: sent }: Recorded) =>
  isRecord(sent) && isRecord(sent.input) ? sent.input : {}
const voices = ['Cherry', 'Serena', 'Ethan', 'Chelsie', 'Jennifer', 'Ryan']

const speechRules: readonly VendorRule[] = [
  {
    rule: 'voice must be one of the system voices',
    source: 'https://help.aliyun.com/zh/model-studio/qwen-tts-api',
    read: '2026-11-27',
    broken: (request) => !voices.includes(String(inputOf(request).voice)),
  },
  {
    rule: 'instructions are for qwen3-tts-instruct-flash only',
    source: 'https://help.aliyun.com/zh/model-studio/qwen-tts-api',
    read: '2026-11-27',
    broken: (request) => inputOf(request).instructions !== undefined,
  },
]

const transcriptRules: readonly VendorRule[] = [
  {
    rule: 'audio must be an address or a data URL',
    source: 'https://docs.qwencloud.com/api-reference/speech-recognition/qwen-asr/dashscope',
    read: '2026-11-27',
    broken: (request) =>
      !listIn(inputOf(request), 'messages')
        .flatMap((message) => listIn(message, 'content'))
        .some(({ audio }) => /^data:audio\/[\w-]+;base64,./.test(String(audio))),
  },
]

const versioned = { 'anthropic-version': '2023-06-01' }

function post(path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(url + path, {
    method: 'POST',
    headers: {
      authorization,
      ...versioned,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

t.test('[SVC-3] speech is returned as a WAV file, and charged by the character', async (t) => {
  const audio = { data: '', url: `${upstream.url}/a.wav`, id: 'audio_1', expires_at: 1 }
  const usage = { input_tokens: 0, output_tokens: 0, characters: 5 }
  upstream.script(
    strictly(speechRules, json(200, { output: { finish_reason: 'stop', audio }, usage })),
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('RIFF')
    },
  )
  const answer = await post('/v1/audio/speech', { model: voice, input: 'Hello', voice: 'alloy' })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'audio/wav')
  t.equal(await answer.text(), 'RIFF')
  const [asked, fetched] = upstream.requests
  t.equal(asked!.path, place)
  t.equal(fetched!.headers.authorization, undefined, 'no key goes to the address')
  t.match((await gateway.logs())[0], { prompt_tokens: 5, completion_tokens: 0, quota: 5 })

  for (const [param, value] of [
    ['response_format', 'mp3'],
    ['instructions', 'Slowly'],
  ] as const) {
    const refused = await post('/v1/audio/speech', { model: voice, input: 'Hello', [param]: value })
    t.equal(refused.status, 400)
    t.match(await refused.json(), { error: { param } })
  }
})

t.test('[SVC-3] a recording becomes text, and is charged by its seconds', async (t) => {
  const fixture = readFileSync(new URL('../fixtures/dashscope/transcript.json', import.meta.url))
  upstream.script(strictly(transcriptRules, json(200, JSON.parse(fixture.toString()))))
  const form = new FormData()
  for (const [name, value] of Object.entries({ model: ear, language: 'en', temperature: '0' })) {
    form.set(name, value)
  }
  form.set('file', new Blob(['RIFF']), 'a.mp3')
  const answer = await post('/v1/audio/transcriptions', form)
  t.equal(answer.headers.get('x-waybill-lost'), 'temperature')
  t.strictSame(await answer.json(), {
    text: 'Hello there.',
    usage: { type: 'duration', seconds: 3 },
  })
  t.match(upstream.requests.at(-1), {
    path: place,
    json: { model: ear, parameters: { asr_options: { language: 'en' } }, temperature: undefined },
  })
  // 3 s at 1000 tokens a minute.
  t.match((await gateway.logs())[0], { prompt_tokens: 50, quota: 50 })
})

t.test(
  '[SVC-3] pictures are fetched for who wants their bytes, and what is lost is told',
  async (t) => {
    const content = [{ image: `${upstream.url}/a.png` }]
    const output = { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] }
    upstream.script(json(200, { output }), (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end('png')
    })
    const answer = await post('/v1/images/generations', {
      ...{ model: painter, prompt: 'A house', response_format: 'b64_json', quality: 'hd' },
    })
    t.equal(answer.headers.get('x-waybill-lost'), 'quality')
    t.match(await answer.json(), { data: [{ b64_json: Buffer.from('png').toString('base64') }] })
    const asked = upstream.requests.findLast(({ path }) => path === place)
    t.strictSame(Object.keys(asked!.json as object), ['model', 'input', 'parameters'])
    t.match((await gateway.logs())[0], { quota: 5000 })
  },
)

t.test(
  '[FMT-9] a model without the interface of messages is called in the chat format',
  async (t) => {
    upstream.script(json(200, chat.whole('Hello there', 10, 2)))
    const answer = await post('/v1/messages', {
      ...{ model: writer, max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
    })
    t.match(await answer.json(), { content: [{ type: 'text', text: 'Hello there' }] })
    t.equal(upstream.requests.at(-1)!.path, '/compatible-mode/v1/chat/completions')
  },
)
