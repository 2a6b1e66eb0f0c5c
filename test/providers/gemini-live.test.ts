/** Gemini's Live API through the whole gateway: its clients speak realtime events, and its upstream takes its own messages alone. */
import t, { type Test } from 'tap'
import { socketGateway } from '../kit/socket-gateway.js'
import { type LiveSide, liveSide, liveUsage, sound } from '../kit/vendors/gemini-live.js'

const model = 'gemini-2.5-flash-native-audio-preview-12-2025'
const later = 'gemini-3.1-flash-live-preview'
const gateway = await socketGateway(t)
const { admin, upstream } = gateway
upstream.greeting = []
const ratios = { ModelRatio: 1, CompletionRatio: 4, AudioRatio: 8, AudioCompletionRatio: 2 }
for (const [option, ratio] of Object.entries(ratios)) {
  await admin.option(option, { [model]: ratio, [later]: ratio })
}
const models = `${model},${later}`
await gateway.serve({ type: 24, name: 'gemini', key: 'google-key', models })

/** A session with a client of it, and its end towards the service. */
async function session(t: Test, name = model) {
  const index = upstream.sessions.length
  const client = await gateway.open({ model: name })
  const live = liveSide(t, await upstream.session(index))
  t.match(await client.next('session.created'), { session: { model: name } })
  return { client, live }
}

/** The same, set up. */
async function ready(t: Test, fields: object = {}, name = model) {
  const { client, live } = await session(t, name)
  client.send({ type: 'session.update', session: { type: 'realtime', ...fields } })
  await live.setUp()
  await client.next('session.updated')
  return { client, live }
}

type Client = Awaited<ReturnType<typeof session>>['client']

async function leave(client: Client, live: LiveSide): Promise<void> {
  client.socket.close(1000)
  await live.closed
}

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

/** A typed question, up to the request for its answer. */
function ask(client: Client, text: string): void {
  const content = [{ type: 'input_text', text }]
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  })
  client.send({ type: 'response.create' })
}

t.test('[RT-1] the socket of the service is opened with the key in a header', async (t) => {
  const { client, live } = await session(t)
  t.equal(live.url, '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent')
  t.equal(live.headers['x-goog-api-key'], 'google-key')
  await leave(client, live)
})

t.test(
  '[RT-1] the first event of the client becomes the setup, and what follows waits',
  async (t) => {
    const { client, live } = await session(t)
    const parameters = { type: 'object', properties: {}, additionalProperties: false }
    client.send({
      type: 'session.update',
      session: {
        ...{ type: 'realtime', instructions: 'Be brief.', max_output_tokens: 300 },
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            transcription: { model: 'whisper-1' },
            turn_detection: { type: 'server_vad', threshold: 0.5, silence_duration_ms: 400 },
          },
          output: { voice: 'alloy' },
        },
        tools: [{ type: 'function', name: 'look', parameters }],
      },
    })
    client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    t.strictSame(await live.setUp(), {
      model: `models/${model}`,
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Schedar' } } },
        maxOutputTokens: 300,
      },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: parameters }] }],
      realtimeInputConfig: { automaticActivityDetection: { silenceDurationMs: 400 } },
      outputAudioTranscription: {},
      inputAudioTranscription: {},
    })
    const { session: holds } = await client.next('session.updated')
    t.match(holds, { audio: { input: { turn_detection: { silence_duration_ms: 400 } } } })
    t.notMatch(JSON.stringify(holds), 'threshold', 'what has no equal does not hold')
    t.strictSame(await live.next('realtimeInput'), {
      audio: { data: 'AAAA', mimeType: 'audio/pcm;rate=24000' },
    })
    await leave(client, live)
  },
)

t.test('[BILL-9] a spoken answer costs exactly what the service counts', async (t) => {
  const spent = await cost(async () => {
    const { client, live } = await ready(t, {
      audio: { input: { transcription: { model: 'any' } } },
    })
    client.send({ type: 'input_audio_buffer.append', audio: sound(4800) })
    await live.next('realtimeInput')
    live.say({ inputTranscription: { text: 'Hello' } })
    live.say({ outputTranscription: { text: 'Hi ' } })
    live.speak(4800)
    live.say({ outputTranscription: { text: 'there.' } })
    live.say({ generationComplete: true })
    live.say({ turnComplete: true }, liveUsage({ text: 30, audio: 20 }, { text: 5, audio: 12 }))
    const { response } = await client.next('response.done')
    t.match(response, {
      status: 'completed',
      output: [{ type: 'message', content: [{ transcript: 'Hi there.' }] }],
      usage: { input_tokens: 50, output_tokens: 17, total_tokens: 67 },
    })
    t.match(await client.next('response.output_audio.delta'), { delta: sound(4800) })
    t.match(await client.next('response.output_audio_transcript.done'), { transcript: 'Hi there.' })
    t.match(await client.next('conversation.item.input_audio_transcription.completed'), {
      transcript: 'Hello',
    })
    await leave(client, live)
  })
  t.equal(spent, 30n + 20n * 8n + 5n * 4n + 12n * 16n)
  t.match((await gateway.logs())[0], { prompt_tokens: 50, completion_tokens: 17 })
})

t.test('[RT-1] text is sent as input of the user, by which the model begins', async (t) => {
  for (const name of [model, later]) {
    const { client, live } = await ready(t, {}, name)
    ask(client, 'What is it?')
    t.strictSame(await live.next('realtimeInput'), { text: 'What is it?' })
    await leave(client, live)
  }
})

t.test('[BILL-9] functions are called and their results sent, each answer paid once', async (t) => {
  const spent = await cost(async () => {
    const { client, live } = await ready(t, { tools: [{ type: 'function', name: 'look' }] })
    ask(client, 'Where?')
    await live.next('realtimeInput')
    live.call(
      [{ id: 'c1', name: 'look', args: { at: 'sky' } }],
      liveUsage({ text: 40 }, { text: 6 }),
    )
    t.match(await client.next('response.function_call_arguments.done'), {
      ...{ call_id: 'c1', name: 'look', arguments: '{"at":"sky"}' },
    })
    const { response } = await client.next('response.done')
    t.match(response, { output: [{ type: 'function_call', call_id: 'c1' }] })
    const output = 'blue'
    const item = { type: 'function_call_output', call_id: 'c1', output }
    client.send({ type: 'conversation.item.create', item })
    client.send({ type: 'response.create' })
    t.strictSame(await live.next('toolResponse'), {
      functionResponses: [{ id: 'c1', name: 'look', response: { output } }],
    })
    live.say({ turnComplete: true })
    live.speak(480)
    live.say({ turnComplete: true }, liveUsage({ text: 60 }, { audio: 10 }))
    t.match((await client.next('response.done')).response, { usage: { input_tokens: 60 } })
    await leave(client, live)
  })
  t.equal(spent, 40n + 6n * 4n + 60n + 10n * 16n)
})

t.test('[BILL-9] a call counted behind its end is paid by that count, once', async (t) => {
  const spent = await cost(async () => {
    const { client, live } = await ready(t, { tools: [{ type: 'function', name: 'look' }] })
    ask(client, 'Where?')
    await live.next('realtimeInput')
    live.call([{ id: 'c1', name: 'look', args: {} }])
    t.notMatch(JSON.stringify(await client.next('response.done')), '"usage"')
    live.say({ turnComplete: true }, liveUsage({ text: 900 }, { text: 300 }))
    live.speak(480)
    live.say({ turnComplete: true }, liveUsage({ text: 1 }, { audio: 1 }))
    const { response } = await client.next('response.done')
    t.match(response, { usage: { input_tokens: 1, output_tokens: 1 } })
    t.equal(client.received.filter(({ type }) => type === 'response.done').length, 2)
    await leave(client, live)
  })
  t.equal(spent, 900n + 300n * 4n + 1n + 16n)
})

t.test('[BILL-9] a call that is never counted is charged by estimate', async (t) => {
  const spent = await cost(async () => {
    const { client, live } = await ready(t, { tools: [{ type: 'function', name: 'look' }] })
    ask(client, 'Where is the thing that I have lost?')
    await live.next('realtimeInput')
    live.call([{ id: 'c1', name: 'look', args: { at: 'home' } }])
    await client.next('response.done')
    await leave(client, live)
  })
  t.ok(spent > 20n && spent < 200n, `${spent}`)
})

t.test(
  '[RT-1] whoever interrupts the model is heard, and its answer ends as cancelled',
  async (t) => {
    const { client, live } = await ready(t)
    client.send({ type: 'input_audio_buffer.append', audio: sound(48_000) })
    await live.next('realtimeInput')
    live.speak(480)
    live.say({ interrupted: true })
    t.match(await client.next('input_audio_buffer.speech_started'), { audio_start_ms: 1000 })
    live.say({ turnComplete: true }, liveUsage({ audio: 25 }, { audio: 4 }))
    t.match((await client.next('response.done')).response, {
      status: 'cancelled',
      status_details: { reason: 'turn_detected' },
      usage: { input_tokens: 25 },
    })
    await leave(client, live)
  },
)

t.test('[RT-1] the client cancels an answer where the model takes that', async (t) => {
  const { client, live } = await ready(t)
  live.speak(480)
  await client.next('response.created')
  client.send({ type: 'response.cancel' })
  t.strictSame(await live.next('clientContent'), { turnComplete: false })
  live.say({ interrupted: true, turnComplete: true }, liveUsage({ text: 1 }, { audio: 1 }))
  t.match((await client.next('response.done')).response, {
    status_details: { type: 'cancelled', reason: 'client_cancelled' },
  })
  await leave(client, live)

  const other = await ready(t, {}, later)
  other.live.speak(480)
  await other.client.next('response.created')
  other.client.send({ type: 'response.cancel' })
  t.match(await other.client.next('error'), { error: { param: 'response.cancel' } })
  other.live.say({ turnComplete: true }, liveUsage({ text: 1 }, { audio: 1 }))
  t.match((await other.client.next('response.done')).response, { status: 'completed' })
  await leave(other.client, other.live)
})

t.test('[RT-1] without detection the client says when speech begins and ends', async (t) => {
  const { client, live } = await ready(t, { audio: { input: { turn_detection: null } } })
  client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  t.strictSame(await live.next('realtimeInput'), { activityStart: {} })
  t.match(await live.next('realtimeInput'), { audio: { data: 'AAAA' } })
  client.send({ type: 'input_audio_buffer.commit' })
  t.match(await client.next('input_audio_buffer.committed'), { item_id: /^item_/ })
  client.send({ type: 'response.create' })
  t.strictSame(await live.next('realtimeInput'), { activityEnd: {} })
  await leave(client, live)
})

t.test(
  '[RT-1] what the service cannot do is an error that names it, and the session goes on',
  async (t) => {
    const refused: readonly (readonly [object, string])[] = [
      [{ tool_choice: 'required' }, 'session.tool_choice'],
      [{ output_modalities: ['text'] }, 'session.output_modalities'],
      [{ audio: { input: { format: { type: 'audio/pcmu' } } } }, 'session.audio.input.format'],
      [{ audio: { output: { speed: 2 } } }, 'session.audio.output.speed'],
      [{ audio: { input: { noise_reduction: {} } } }, 'session.audio.input.noise_reduction'],
      [{ tools: [{ type: 'mcp' }] }, 'session.tools'],
    ]
    const { client, live } = await session(t)
    for (const [fields, param] of refused) {
      client.send({ type: 'session.update', event_id: param, session: fields as never })
      t.match(await client.next('error'), {
        error: { type: 'invalid_request_error', code: 'not_expressible', param, event_id: param },
      })
    }
    client.send({ type: 'session.update', session: { instructions: 'One.' } })
    await live.setUp()
    await client.next('session.updated')
    client.send({ type: 'session.update', session: { instructions: 'One.' } })
    await client.next('session.updated')
    const events: readonly (readonly [object, RegExp])[] = [
      [{ type: 'session.update', session: { instructions: 'Two.' } }, /session/],
      [{ type: 'conversation.item.truncate' }, /conversation\.item\.truncate/],
      [{ type: 'response.create', response: { instructions: 'Shout.' } }, /response\.instructions/],
      [{ type: 'response.create' }, /needs input/],
      [
        { type: 'conversation.item.create', item: { type: 'message', role: 'assistant' } },
        /item\.role/,
      ],
    ]
    for (const [event, words] of events) {
      client.send(event as never)
      t.match(await client.next('error'), { error: { message: words } })
    }
    ask(client, 'Still there?')
    t.strictSame(await live.next('realtimeInput'), { text: 'Still there?' })
    await leave(client, live)
  },
)

t.test('[RT-1] a service that closes over a setup ends the session with an error', async (t) => {
  const { client, live } = await session(t)
  client.send({ type: 'session.update', session: {} })
  await live.next('setup')
  live.close(1008)
  t.match(await client.next('error'), { error: { code: 'upstream_broke_off' } })
  t.equal(await client.closed, 1011)
})

t.test('[BILL-9] an answer that breaks off is charged by estimate', async (t) => {
  const spent = await cost(async () => {
    const { client, live } = await ready(t)
    live.speak(48_000)
    await client.next('response.output_audio.delta')
    live.close(1011)
    await client.closed
  })
  t.equal(spent, 20n * 16n, 'a second of speech at 20 tokens')
})
