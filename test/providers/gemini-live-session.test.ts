/** One session of the Live API by itself: what each frame becomes. */
import t from 'tap'
import type { TranslatedFrames } from '../../kernel/contract/frames.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { objectOf } from '../../kernel/toolkit/json/index.js'
import create from '../../providers/gemini/index.js'
import { adapterOf } from '../conformance/provider.js'
import { kitWith, manifestOf } from './provider-kit.js'

const model = 'models/gemini-2.5-flash-native-audio-preview-12-2025'
const channel = {
  id: 1,
  type: 24,
  baseUrl: 'https://generativelanguage.googleapis.com',
  settings: {},
}
const context = { now: 0, forwarded: { headers: {} }, model, stream: true, requestId: 'req_1' }
const manifest = manifestOf('gemini')
const realtime = adapterOf(create(kitWith(manifest, {})), 'realtime')

const read = (frames: readonly Buffer[]): JsonObject[] =>
  frames.map((frame) => JSON.parse(String(frame)))
const written = (value: unknown) => Buffer.from(JSON.stringify(value))

/** A session that is set up, by the frames of both sides. */
function session(fields: JsonObject = {}) {
  const translator = realtime.frames!(channel, context)
  const sides = ({ toUpstream, toClient, waits }: TranslatedFrames) => {
    const events = read(toClient)
    return { up: read(toUpstream), events, types: events.map(({ type }) => type), waits }
  }
  const opened = sides(translator.opened())
  const client = (event: object) => sides(translator.fromClient(written(event)))
  const service = (message: object) => sides(translator.fromUpstream(written(message)))
  const setUp = client({ type: 'session.update', session: fields })
  return { opened, setUp, client, service, confirmed: service({ setupComplete: {} }) }
}

const say = (serverContent: object) => ({ serverContent })
const audio = { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } }

t.test('the socket is the service of the version that is set', async (t) => {
  const settings = { api_version: 'v1alpha' }
  const place = { ...channel, baseUrl: 'https://proxy.example/v1beta', settings }
  t.strictSame(realtime.socket!(place, { key: ' k ' }, context), {
    url: 'wss://proxy.example/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContent',
    headers: { 'x-goog-api-key': 'k' },
    protocols: [],
  })
  t.equal(realtime.serves!(channel, 'gemini-3.1-flash-live-preview'), true)
  t.equal(realtime.serves!(channel, 'gemini-3-flash'), false)
})

t.test('nothing more is taken of the client until the setup is confirmed', async (t) => {
  const { opened, setUp, confirmed } = session()
  t.strictSame([opened.waits, setUp.waits, confirmed.waits], [false, true, false])
  t.strictSame(opened.types, ['session.created'])
  t.strictSame(confirmed.types, ['session.updated'])
  t.strictSame(setUp.up, [
    {
      setup: {
        model,
        generationConfig: { responseModalities: ['AUDIO'] },
        outputAudioTranscription: {},
      },
    },
  ])
})

t.test('the session object before the present one is read as well', async (t) => {
  const { setUp, client } = session({
    ...{ modalities: ['text', 'audio'], voice: 'puck', input_audio_format: 'pcm16' },
    ...{ input_audio_transcription: { model: 'whisper-1' }, temperature: 0.7 },
    ...{ turn_detection: null, max_response_output_tokens: 'inf', output_audio_format: 'pcm16' },
  })
  t.match(setUp.up[0], {
    setup: {
      generationConfig: {
        temperature: 0.7,
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
      },
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      inputAudioTranscription: {},
    },
  })
  const { up } = client({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  t.strictSame(up[0], { realtimeInput: { activityStart: {} } })
})

t.test('how soon speech has ended, and whether it interrupts, is set', async (t) => {
  const turn_detection = {
    ...{ type: 'semantic_vad', eagerness: 'low', interrupt_response: false },
    prefix_padding_ms: 300,
  }
  const { setUp, confirmed } = session({ audio: { input: { turn_detection } } })
  t.match(setUp.up[0], {
    setup: {
      realtimeInputConfig: {
        automaticActivityDetection: { endOfSpeechSensitivity: 'END_SENSITIVITY_LOW' },
        activityHandling: 'NO_INTERRUPTION',
      },
    },
  })
  const [updated] = confirmed.events
  t.match(updated, {
    session: {
      audio: { input: { turn_detection: { eagerness: 'low', interrupt_response: false } } },
    },
  })
  t.notMatch(JSON.stringify([updated, setUp.up]), /padding/i)
})

t.test('counts are in the words of realtime, each in its kind', async (t) => {
  const { service } = session()
  service(say(audio))
  const usageMetadata = {
    ...{ promptTokenCount: 100, toolUsePromptTokenCount: 10, cachedContentTokenCount: 30 },
    ...{ responseTokenCount: 40, thoughtsTokenCount: 5 },
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 50 },
      { modality: 'AUDIO', tokenCount: 30 },
      { modality: 'VIDEO', tokenCount: 20 },
    ],
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
  }
  const { events } = service({ ...say({ turnComplete: true }), usageMetadata })
  t.match(events.at(-1), {
    response: {
      usage: {
        ...{ total_tokens: 155, input_tokens: 110, output_tokens: 45 },
        input_token_details: {
          ...{ text_tokens: 60, audio_tokens: 30, image_tokens: 20, cached_tokens: 30 },
          cached_tokens_details: { text_tokens: 0, audio_tokens: 30 },
        },
        output_token_details: { text_tokens: 5, audio_tokens: 40, reasoning_tokens: 5 },
      },
    },
  })
})

t.test('a count that can be none is left out, and what is too large is bounded', async (t) => {
  const { service } = session()
  service(say(audio))
  service({ usageMetadata: { promptTokenCount: 1e308, responseTokenCount: -7 } })
  service({ usageMetadata: { promptTokenCount: 1e308, responseTokenCount: 4 } })
  const { events } = service({ ...say({ turnComplete: true }), usageMetadata: {} })
  t.match(events.at(-1), { response: { usage: { input_tokens: 2 ** 41, output_tokens: 4 } } })
})

t.test('counts that come in pieces add up, and an empty one says nothing', async (t) => {
  const { service } = session()
  const details = [{ modality: 'AUDIO', tokenCount: 3 }]
  service({ usageMetadata: { promptTokenCount: 5, promptTokensDetails: details } })
  service(say(audio))
  service({ usageMetadata: { responseTokenCount: 7 } })
  service({ usageMetadata: { responseTokenCount: 1 } })
  const { events } = service({ ...say({ turnComplete: true }), usageMetadata: {} })
  t.match(events.at(-1), {
    response: {
      usage: { input_tokens: 5, output_tokens: 8, input_token_details: { audio_tokens: 3 } },
    },
  })
})

t.test(
  'a prompt that is counted behind its answer is reported with that answer again',
  async (t) => {
    const { service } = session()
    const call = { functionCalls: [{ id: 'a', name: 'one' }] }
    const { events } = service({ toolCall: call, usageMetadata: { responseTokenCount: 8 } })
    const [first] = events.slice(-1)
    t.match(first, { type: 'response.done', response: { usage: { output_tokens: 8 } } })
    const [again, ...others] = service({ usageMetadata: { promptTokenCount: 50 } }).events
    t.match(again, {
      type: 'response.done',
      response: {
        id: objectOf(first?.response)?.id,
        usage: { input_tokens: 50, output_tokens: 8 },
      },
    })
    t.strictSame(others, [])
    t.strictSame(service({ usageMetadata: { promptTokenCount: 60 } }).types, [])
    service(say(audio))
    const next = service({
      ...say({ turnComplete: true }),
      usageMetadata: { responseTokenCount: 2 },
    })
    t.match(next.events.at(-1), { response: { usage: { input_tokens: 60, output_tokens: 2 } } })
  },
)

t.test('words alone begin no answer, and those of a turn that ends are gone', async (t) => {
  const { service } = session()
  t.strictSame(service(say({ outputTranscription: { text: 'late' } })).types, [])
  t.strictSame(service(say({ turnComplete: true })).types, [])
  const { events } = service(say(audio))
  t.notMatch(JSON.stringify(events), 'late')
  t.strictSame(service({}).types, [])
  t.strictSame(service({ goAway: { timeLeft: '10s' } }).types, [])
})

t.test('sound behind an interruption belongs to another answer', async (t) => {
  const { service } = session()
  const [created] = service(say(audio)).events
  t.strictSame(service(say({ interrupted: true })).types, ['input_audio_buffer.speech_started'])
  const { types, events } = service(say(audio))
  t.equal(types.indexOf('response.done') < types.indexOf('response.created'), true)
  const second = events.find(({ type }) => type === 'response.created')
  t.not(JSON.stringify(created?.response), JSON.stringify(second?.response))
})

t.test('a call that the service has cancelled takes no result any more', async (t) => {
  const { service, client } = session()
  const functionCalls = [
    { id: 'a', name: 'one' },
    { id: 'b', name: 'two', args: { x: 1 } },
  ]
  const { events } = service({ toolCall: { functionCalls } })
  t.match(events.at(-1), { response: { output: [{ call_id: 'a' }, { call_id: 'b' }] } })
  service({ toolCallCancellation: { ids: ['a'] } })
  const result = (call_id: string, output: string) =>
    client({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output },
    })
  t.match(result('a', '1').events, [{ error: { param: 'item.call_id' } }])
  t.strictSame(result('b', '{"y":2}').types, ['conversation.item.added', 'conversation.item.done'])
  t.strictSame(client({ type: 'response.create' }).up, [
    { toolResponse: { functionResponses: [{ id: 'b', name: 'two', response: { y: 2 } }] } },
  ])
})

t.test('with detection a commit says that no more sound comes', async (t) => {
  const { client } = session()
  t.match(client({ type: 'input_audio_buffer.commit' }).events, [{ type: 'error' }])
  t.strictSame(client({ type: 'input_audio_buffer.clear' }).types, ['input_audio_buffer.cleared'])
  client({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  t.match(client({ type: 'input_audio_buffer.clear' }).events, [
    { error: { param: 'input_audio_buffer.clear' } },
  ])
  const { up } = client({ type: 'input_audio_buffer.commit' })
  t.strictSame(up, [{ realtimeInput: { audioStreamEnd: true } }])
})

t.test('a first event that sets nothing waits behind a plain setup', async (t) => {
  const translator = realtime.frames!(channel, context)
  translator.opened()
  const first = translator.fromClient(written({ type: 'input_audio_buffer.append', audio: 'AA==' }))
  t.match(read(first.toUpstream), [{ setup: { model } }])
  const { toUpstream, toClient } = translator.fromUpstream(written({ setupComplete: {} }))
  t.match(read(toUpstream), [{ realtimeInput: { audio: { data: 'AA==' } } }])
  t.strictSame(toClient, [])
})

t.test('what is no JSON object is an error for the client, from either side', async (t) => {
  const translator = realtime.frames!(channel, context)
  for (const side of ['fromClient', 'fromUpstream'] as const)
    t.match(read(translator[side](Buffer.from('[')).toClient), [{ type: 'error' }])
})

t.test('no more waits for an answer than fits', async (t) => {
  const { client } = session()
  const content = [{ type: 'input_text', text: 'x'.repeat(3_000_000) }]
  const event = {
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  }
  t.notMatch(client(event).types, ['error'])
  t.match(client(event).events, [{ error: { param: 'item' } }])
})
