/** xAI's edits, speech and transcripts through the whole gateway: OpenAI's forms in, the service's own out. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { isRecord, strictly, type VendorRule } from '../kit/vendor.js'

const read = '2026-11-27'

const editsAreJson: VendorRule = {
  rule: 'Expected request with Content-Type: application/json',
  source: 'docs.x.ai/developers/model-capabilities/images/editing',
  read,
  broken: ({ path, headers, json: body }) =>
    path === '/v1/images/edits' &&
    (headers['content-type'] !== 'application/json' ||
      !(isRecord(body?.image) || Array.isArray(body?.images)) ||
      body?.size !== undefined),
}

const speechHasItsOwnWords: VendorRule = {
  rule: 'language is required; text, voice_id and output_format are the fields',
  source: 'docs.x.ai/developers/model-capabilities/audio/text-to-speech',
  read,
  broken: ({ path, json: body }) =>
    path === '/v1/tts' &&
    (typeof body?.language !== 'string' || typeof body.text !== 'string' || 'input' in body),
}

const fileIsLast: VendorRule = {
  rule: 'file must be the last field in the multipart form',
  source: 'docs.x.ai/developers/rest-api-reference/inference/speech-to-text',
  read,
  broken: ({ path, text }) => {
    const names = [...text.matchAll(/; name="([^"]+)"/g)].map(([, name]) => name)
    return path === '/v1/stt' && names.at(-1) !== 'file'
  },
}

const rules = [editsAreJson, speechHasItsOwnWords, fileIsLast]
const models = ['grok-imagine-image', 'grok-tts', 'grok-voice-transcribe-2.0']
const gateway = await scriptedGateway(t, { channel: { type: 48, models: models.join() } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', Object.fromEntries(models.map((name) => [name, 1])))
await admin.option('ModelPrice', { 'grok-imagine-image': 0.02 })
const authorization = `Bearer ${key}`
const transcript = readFileSync(new URL('../fixtures/xai/transcript.json', import.meta.url))
const png = readFileSync(new URL('../fixtures/xai/pixel.png', import.meta.url))
const sent = () => upstream.requests.at(-1)
t.teardown(upstream.takes('edits here are JSON with addresses, unlike OpenAI’s'))

const posted = (path: string, body: object | FormData) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    ...(body instanceof FormData
      ? { headers: { authorization }, body }
      : {
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
  })

function formOf(
  fields: Readonly<Record<string, string>>,
  files: readonly [string, Buffer, string][],
) {
  const form = new FormData()
  for (const [field, bytes, name] of files) {
    form.append(field, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name)
  }
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  return form
}

t.test('an uploaded picture goes out as a data URL, and its edit has a price', async (t) => {
  upstream.script(strictly(rules, json(200, { data: [{ url: 'https://imgen.x.ai/a.jpeg' }] })))
  const fields = { model: 'grok-imagine-image', prompt: 'Red', n: '1', size: '1024x1024' }
  const answer = await posted('/v1/images/edits', formOf(fields, [['image', png, 'a.png']]))
  t.match(await answer.json(), { data: [{ url: 'https://imgen.x.ai/a.jpeg' }] })
  t.strictSame(sent()?.json, {
    ...{ model: 'grok-imagine-image', prompt: 'Red', n: 1, aspect_ratio: '1:1' },
    image: { url: `data:image/png;base64,${png.toString('base64')}`, type: 'image_url' },
  })
  t.match((await gateway.logs())[0], { quota: 10_000 })
})

t.test('several pictures are a list', async (t) => {
  upstream.script(strictly(rules, json(200, { data: [{ b64_json: '/9j/' }] })))
  const pictures = ['a.png', 'b.png'].map(
    (name) => ['image[]', png, name] as [string, Buffer, string],
  )
  const answer = await posted(
    '/v1/images/edits',
    formOf({ model: 'grok-imagine-image', prompt: 'Both' }, pictures),
  )
  t.equal(answer.status, 200)
  t.match(sent()?.json, { images: [{ type: 'image_url' }, { type: 'image_url' }] })
  t.notOk('image' in (sent()?.json ?? {}))
})

t.test('speech is billed by the character, and instructions are reported as lost', async (t) => {
  upstream.script(
    strictly(rules, (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.end('ID3 sound')
    }),
  )
  const answer = await posted('/v1/audio/speech', {
    ...{ model: 'grok-tts', input: 'Grüezi!', voice: 'nova', instructions: 'Cheerfully.' },
    response_format: 'mp3',
  })
  t.equal(await answer.text(), 'ID3 sound')
  t.equal(answer.headers.get('content-type'), 'audio/mpeg')
  t.equal(answer.headers.get('x-waybill-lost'), 'instructions')
  t.equal(sent()?.path, '/v1/tts')
  t.strictSame(sent()?.json, {
    ...{ text: 'Grüezi!', voice_id: 'eve', language: 'auto', output_format: { codec: 'mp3' } },
  })
  t.match((await gateway.logs())[0], { prompt_tokens: 7, quota: 7 })
})

t.test('a recording stands last in its form, and is charged by its seconds', async (t) => {
  upstream.script(strictly(rules, json(200, JSON.parse(transcript.toString('utf8')))))
  const fields = { model: 'grok-voice-transcribe-2.0', language: 'en', prompt: 'Bridges' }
  const form = formOf(fields, [['file', Buffer.from('RIFF'), 'a.wav']])
  const answer = await posted('/v1/audio/transcriptions', form)
  t.strictSame(await answer.json(), {
    text: 'How old is the Brooklyn Bridge?',
    usage: { type: 'duration', seconds: 1.85 },
  })
  t.equal(answer.headers.get('x-waybill-lost'), 'prompt')
  t.match(sent()?.text, /name="format"\r\n\r\ntrue\r\n/)
  t.notMatch(sent()?.text, 'Bridges')
  t.match((await gateway.logs())[0], { prompt_tokens: 31 })
})

t.test('[ERR-2] a bad key is the channel’s fault on these paths too', async (t) => {
  const error =
    'Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.'
  upstream.script(json(400, { code: 'Client specified an invalid argument', error }))
  const answer = await posted('/v1/audio/speech', { model: 'grok-tts', input: 'Hi', voice: 'eve' })
  t.ok(answer.status >= 500)
  t.notMatch(await answer.text(), 'xa***')
})
