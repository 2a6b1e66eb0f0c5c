/**
 * The official `openai` SDK over every operation besides chat, unchanged but for base address and key, to a mock upstream
 * this project did not write.
 */
import { LLMock } from '@copilotkit/aimock'
import OpenAI, { toFile } from 'openai'
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { png, wav } from '../plugins/operations/media/samples.js'

const models = {
  ratio: ['text-embedding-3-small', 'omni-moderation-latest', 'tts-1', 'whisper-1'],
  fixed: ['dall-e-3', 'gpt-image-1'],
}

const picture = png()

const mock = new LLMock({ port: 0 })
await mock.start()
t.teardown(() => mock.stop())

const gateway = await startGateway(t)
await gateway.admin.option('ModelRatio', Object.fromEntries(models.ratio.map((name) => [name, 1])))
await gateway.admin.option(
  'ModelPrice',
  Object.fromEntries(models.fixed.map((name) => [name, 0.04])),
)
await gateway.admin.channel({
  type: 1,
  name: 'aimock',
  key: 'upstream-key',
  base_url: mock.url,
  models: [...models.ratio, ...models.fixed].join(','),
  group: 'default',
})
const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

/** What a call cost, once it is settled. */
async function costOf(call: () => Promise<void>): Promise<bigint> {
  const before = await gateway.balance()
  await call()
  return before - (await gateway.balance())
}

t.test('[SVC-3] embeddings', async (t) => {
  mock.onEmbedding(/relay/, { embedding: [0.25, -0.5, 1] })
  const { data } = await client.embeddings.create({
    model: 'text-embedding-3-small',
    input: 'a relay',
    encoding_format: 'float',
  })
  t.same(data[0]?.embedding, [0.25, -0.5, 1])
})

t.test('[SVC-3] images, one fixed price each', async (t) => {
  mock.onImage(/a cat/, { images: [{ url: 'https://images.example/cat.png' }] })
  const cost = await costOf(async () => {
    const { data } = await client.images.generate({ model: 'dall-e-3', prompt: 'a cat' })
    t.equal(data?.[0]?.url, 'https://images.example/cat.png')
  })
  t.equal(cost, 20_000n, '0.04 x 500,000')
})

t.test('[SVC-3] [FMT-11] an edited image arrives as the form the SDK makes', async (t) => {
  mock.onImage(/a hat/, { images: [{ b64Json: picture.toString('base64') }] })
  const { data } = await client.images.edit({
    model: 'gpt-image-1',
    prompt: 'give it a hat',
    image: await toFile(picture, 'cat.png', { type: 'image/png' }),
  })
  t.equal(data?.[0]?.b64_json, picture.toString('base64'))
})

t.test('[SVC-3] speech comes back as bytes', async (t) => {
  const audio = Buffer.from('not really audio')
  mock.onSpeech(/say it/, { audio: audio.toString('base64'), format: 'mp3' })
  const cost = await costOf(async () => {
    const answer = await client.audio.speech.create({
      model: 'tts-1',
      voice: 'alloy',
      input: 'say it aloud',
    })
    t.same(Buffer.from(await answer.arrayBuffer()), audio)
  })
  t.equal(cost, BigInt('say it aloud'.length), 'by the character')
})

t.test('[SVC-3] a transcript of an uploaded file', async (t) => {
  mock.onTranscription({ transcription: { text: 'All is well.' } })
  const { text } = await client.audio.transcriptions.create({
    model: 'whisper-1',
    file: await toFile(wav(6), 'note.wav', { type: 'audio/wav' }),
  })
  t.equal(text, 'All is well.')
})

t.test('[SVC-3] moderations', async (t) => {
  mock.onModerate(/harm/, { flagged: true, categories: { violence: true } })
  const { results } = await client.moderations.create({
    model: 'omni-moderation-latest',
    input: 'some harm',
  })
  t.equal(results[0]?.flagged, true)
})
