/** Doubao Speech: both kinds of keys, voices by generation, the service's own words. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/doubao-speech/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, manifestOf } from './provider-kit.js'

const speech = adapterOf(create(), 'speech')
const channel = channelOf(manifestOf('doubao-speech'))

function headersFor(key: string) {
  return speech.address(json({}), channel, { key }, context('seed-tts-2.0')).headers
}

function shaped(requested: JsonObject, model = 'seed-tts-2.0') {
  const body = speech.shape!(json({ input: 'Hello', ...requested }), channel, model)
  return body.kind === 'json' ? (body.value.req_params as JsonObject) : {}
}

t.test('a key stands alone, or is an application with its token', async (t) => {
  t.match(headersFor(' key '), { 'x-api-key': 'key', 'x-api-access-key': undefined })
  t.match(headersFor('12 | token'), {
    ...{ 'x-api-app-id': '12', 'x-api-access-key': 'token' },
    'x-api-key': undefined,
  })
  for (const bad of ['|token', '12|', '12|token|more']) {
    t.throws(() => headersFor(bad), { code: 'channel:invalid_key' }, bad)
  }
})

t.test(
  '[SVC-3] a voice of OpenAI is one of the generation, any other keeps its name',
  async (t) => {
    const speaker = (voice: unknown, model?: string) =>
      shaped({ voice } as JsonObject, model).speaker
    t.equal(speaker('onyx'), 'zh_male_m191_uranus_bigtts')
    t.equal(speaker(undefined), 'zh_female_vv_uranus_bigtts')
    t.equal(speaker('alloy', 'seed-tts-1.0-concurr'), 'zh_female_shuangkuaisisi_moon_bigtts')
    t.equal(speaker('onyx', 'volc.service_type.10029'), 'zh_male_wennuanahu_moon_bigtts')
    t.equal(speaker({ id: 'S_abc' }, 'seed-icl-2.0'), 'S_abc')
    for (const voice of ['alloy', undefined]) {
      t.throws(() => speaker(voice, 'seed-icl-2.0'), { code: 'not_expressible' })
    }
  },
)

t.test("the service's own words stand beside what a client says in OpenAI's", async (t) => {
  const { audio_params, additions } = shaped({
    audio_params: { sample_rate: 16_000, emotion: 'happy', format: 'x' },
    additions: { explicit_language: 'ja' },
    instructions: 'Slowly',
    response_format: 'pcm',
    speed: 0.5,
  })
  t.strictSame(audio_params, {
    ...{ speech_rate: -50, sample_rate: 16_000, emotion: 'happy', format: 'pcm' },
  })
  t.equal(additions, '{"explicit_language":"ja","context_texts":["Slowly"]}')
  t.equal(shaped({ additions: '{"a":1}' }).additions, '{"a":1}')
})
