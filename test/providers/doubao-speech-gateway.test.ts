/** Doubao Speech through a whole gateway: OpenAI's requests in its words, its lines of sound as one file, its codes by meaning. */
import t from 'tap'
import { channelTypeNumber } from '../../kernel/toolkit/provider/index.js'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded, type Script } from '../kit/upstream.js'
import { isRecord, strictly, type VendorRule } from '../kit/vendor.js'

const models = ['seed-tts-2.0', 'seed-tts-1.0', 'seed-icl-2.0'] as const
const type = channelTypeNumber('doubao-speech/speech')
const gateway = await scriptedGateway(t, {
  channel: { type, key: '123|token-of-old', models: models.join(',') },
})
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', Object.fromEntries(models.map((name) => [name, 1])))

const read = '2026-11-27'
const source = 'volcengine.com/docs/6561/1598757'
const objectIn = (value: unknown) => (isRecord(value) ? value : {})
const paramsOf = ({ json: sent }: Recorded) => objectIn(objectIn(sent).req_params)
const audioOf = (request: Recorded) => objectIn(paramsOf(request).audio_params)
const resourceOf = ({ headers }: Recorded) => String(headers['x-api-resource-id'])

const rules: readonly VendorRule[] = [
  {
    rule: 'X-Api-Key, or X-Api-App-Id and X-Api-Access-Key',
    ...{ source, read },
    broken: ({ headers }) =>
      headers.authorization !== undefined ||
      (headers['x-api-key'] === undefined) !== (headers['x-api-access-key'] !== undefined) ||
      (headers['x-api-app-id'] === undefined) !== (headers['x-api-access-key'] === undefined),
  },
  {
    rule: 'speaker is required, and belongs to the generation of the resource',
    ...{ source, read },
    broken: (request) => {
      const speaker = String(paramsOf(request).speaker)
      const ending = resourceOf(request) === 'seed-tts-2.0' ? /_uranus_bigtts$/ : /_moon_bigtts$/
      return resourceOf(request).startsWith('seed-tts') && !ending.test(speaker)
    },
  },
  {
    rule: 'format is mp3, ogg_opus or pcm; speech_rate is -50 to 100',
    ...{ source, read },
    broken: (request) => {
      const { format, speech_rate: rate = 0 } = audioOf(request)
      const isWrong = !Number.isInteger(rate) || Number(rate) < -50 || Number(rate) > 100
      return isWrong || !['mp3', 'ogg_opus', 'pcm'].includes(String(format))
    },
  },
  {
    rule: 'additions is a JSON string; context_texts are for 2.0 only',
    ...{ source, read },
    broken: (request) => {
      const { additions } = paramsOf(request)
      if (additions === undefined) return false
      const isObeyed = resourceOf(request) === 'seed-tts-2.0'
      return (
        typeof additions !== 'string' || (!isObeyed && 'context_texts' in JSON.parse(additions))
      )
    },
  },
]

const lines =
  (...values: readonly object[]): Script =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    for (const value of values) response.write(`${JSON.stringify(value)}\n`)
    response.end()
  }
const piece = (text: string) => ({
  ...{ code: 0, message: '' },
  data: Buffer.from(text).toString('base64'),
})
const done = (words?: number) => ({
  ...{ code: 20_000_000, message: 'ok', data: null },
  ...(words !== undefined && { usage: { text_words: words } }),
})

function speak(body: object): Promise<Response> {
  return fetch(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'seed-tts-2.0', input: 'Hello', voice: 'alloy', ...body }),
  })
}

t.test('[SVC-3] pieces of sound are one file, charged by what the service counts', async (t) => {
  upstream.script(strictly(rules, lines(piece('one'), piece('two'), done(7))))
  const answer = await speak({ instructions: 'Slowly', speed: 1.5 })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'audio/mpeg')
  t.equal(await answer.text(), 'onetwo')
  const asked = upstream.requests.at(-1)!
  t.equal(asked.path, '/api/v3/tts/unidirectional')
  t.match(asked.headers, { 'x-api-app-id': '123', 'x-api-access-key': 'token-of-old' })
  t.match(asked.headers['x-api-request-id'], /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  t.strictSame(asked.json, {
    req_params: {
      text: 'Hello',
      speaker: 'zh_female_vv_uranus_bigtts',
      audio_params: { speech_rate: 50, format: 'mp3', sample_rate: 24_000 },
      additions: '{"context_texts":["Slowly"]}',
    },
  })
  t.match((await gateway.logs())[0], { prompt_tokens: 7, completion_tokens: 0, quota: 7 })
})

t.test('[SVC-3] samples become a WAV file, and what is not counted is counted here', async (t) => {
  upstream.script(strictly(rules, lines(piece('12'), piece('34'), done())))
  const answer = await speak({ model: 'seed-tts-1.0', voice: 'onyx', response_format: 'wav' })
  t.equal(answer.headers.get('content-type'), 'audio/wav')
  const file = Buffer.from(await answer.arrayBuffer())
  t.equal(file.toString('latin1', 0, 4), 'RIFF')
  t.equal(file.readUInt32LE(24), 24_000)
  t.equal(file.toString('latin1', 44), '1234')
  t.match((await gateway.logs())[0], { prompt_tokens: 5, quota: 5 })
})

t.test('[FMT-17] what it cannot say is refused by name', async (t) => {
  upstream.requests.length = 0
  const cases = [
    ['response_format', 'flac', 'seed-tts-2.0'],
    ['speed', 3, 'seed-tts-2.0'],
    ['stream_format', 'sse', 'seed-tts-2.0'],
    ['instructions', 'Slowly', 'seed-tts-1.0'],
    ['voice', 'alloy', 'seed-icl-2.0'],
  ] as const
  for (const [param, value, model] of cases) {
    const answer = await speak({ model, [param]: value })
    t.equal(answer.status, 400, param)
    t.match(await answer.json(), { error: { param } })
  }
  t.equal(upstream.requests.length, 0)
})

t.test('[ERR-2] an error in a line is a failure by its meaning, and costs nothing', async (t) => {
  const before = await gateway.balance()
  const codes = [
    [lines({ code: 40_402_003, message: 'exceed max limit' }), 400, 'input'],
    [lines(piece('one'), { code: 45_000_001, message: 'speaker not found' }), 400, 'voice'],
    [json(403, { code: 45_000_000, message: 'speaker permission denied' }), 403, 'voice'],
    [lines(piece('one')), 502, undefined],
  ] as const
  for (const [script, status, param] of codes) {
    upstream.script(strictly(rules, script))
    const answer = await speak({})
    t.equal(answer.status, status)
    t.match(await answer.json(), { error: param === undefined ? {} : { param } })
  }
  t.equal(await gateway.balance(), before)
})
