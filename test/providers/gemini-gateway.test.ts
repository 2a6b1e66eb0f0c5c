/** Gemini's speech and transcripts through the whole gateway: OpenAI's forms in, content that is generated out. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { isRecord, strictly, type VendorRule } from '../kit/vendor.js'

const kindsOfAudio: VendorRule = {
  rule: 'Unsupported MIME type',
  source: 'ai.google.dev/gemini-api/docs/audio (Supported audio formats)',
  read: '2026-11-27',
  broken: ({ text }) => {
    const [, kind] = /"mimeType":"audio\/([^"]+)"/.exec(text) ?? []
    return kind !== undefined && !['wav', 'mp3', 'aiff', 'aac', 'ogg', 'flac'].includes(kind)
  },
}

const keyInHeader: VendorRule = {
  rule: 'API key not valid. Please pass a valid API key.',
  source: 'ai.google.dev/gemini-api/docs/api-key',
  read: '2026-11-27',
  broken: ({ headers, json: body }) =>
    headers['x-goog-api-key'] === undefined || !isRecord(body) || !Array.isArray(body.contents),
}

const model = 'gemini-3-flash'
const speaker = 'gemini-3.8-flash-tts'
const gateway = await scriptedGateway(t, { channel: { type: 24, models: `${model},${speaker}` } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [model]: 1, [speaker]: 1 })
await admin.option('AudioRatio', { [model]: 2 })
await admin.option('CompletionRatio', { [model]: 4 })

const recorded = (name: string) => {
  const path = new URL(`../fixtures/gemini/${name}.json`, import.meta.url)
  return strictly(
    [kindsOfAudio, keyInHeader],
    json(200, JSON.parse(readFileSync(path).toString('utf8'))),
  )
}
const sent = () => upstream.requests.at(-1)

function transcribed(fields: Readonly<Record<string, string>>): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(4)], { type: 'audio/mpeg' }), 'a.mp3')
  for (const [field, value] of Object.entries({ model, ...fields })) form.append(field, value)
  const headers = { authorization: `Bearer ${key}` }
  return fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
}

t.test('[BILL-5] an uploaded recording is written down and billed by its tokens', async (t) => {
  upstream.script(recorded('transcript'))
  const answer = await transcribed({ language: 'en' })
  t.match(await answer.json(), {
    text: 'How old is the Brooklyn Bridge?',
    usage: { type: 'tokens', input_tokens: 101, output_tokens: 29 },
  })
  t.equal(sent()?.path, `/v1beta/models/${model}:generateContent`)
  const [log] = await gateway.logs()
  t.match(log, { prompt_tokens: 101, completion_tokens: 29 })
  t.equal(log?.quota, 41 + 60 * 2 + 29 * 4)
})

t.test('as text it costs the same', async (t) => {
  upstream.script(recorded('transcript'))
  const answer = await transcribed({ response_format: 'text' })
  t.equal(await answer.text(), 'How old is the Brooklyn Bridge?\n')
  t.equal((await gateway.logs())[0]?.quota, 41 + 60 * 2 + 29 * 4)
})

t.test('times are refused before anything is sent', async (t) => {
  const before = upstream.requests.length
  const answer = await transcribed({ response_format: 'verbose_json' })
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: { param: 'response_format' } })
  t.equal(upstream.requests.length, before)
})

t.test('a voice of OpenAI speaks in one of the service’s own', async (t) => {
  upstream.script(recorded('speech'))
  const answer = await fetch(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: speaker, input: 'Hi', voice: 'onyx', response_format: 'wav' }),
  })
  t.equal(answer.headers.get('content-type'), 'audio/wav')
  t.match(sent()?.text, '"voiceName":"Algenib"')
})
