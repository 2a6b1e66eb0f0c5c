/** Whole chat replies: fields both ways, usage, errors in disguise, and the fold of a stream. */
import t from 'tap'
import type { Event, Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/chat/index.js'
import { bodyFixture, streamFixture } from './fixture.js'

const chat = create()

const twins = [
  'openai-text',
  'openai-parallel-tools',
  'deepseek-reasoning',
  'moonshot-usage-in-choice',
  'two-answers-crlf',
]

function streamEvents(bytes: Buffer): Event[] {
  const decoder = chat.decodeStream()
  return [...decoder.push(bytes), ...decoder.flush()]
}

function reply(message: JsonObject, fields: JsonObject = {}): JsonObject {
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }
  return {
    id: 'r',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [choice],
    ...fields,
  }
}

const again = (body: JsonObject) => chat.encodeReply(chat.decodeReply(body), { model: 'm' })

t.test('[FMT-7] a stream and a body of one answer fold to the same reply', async (t) => {
  for (const name of twins) {
    const body = bodyFixture(name)
    const model = String(body.model)
    const folded = chat.encodeReply(streamEvents(streamFixture(name)), { model })
    t.strictSame(folded, chat.encodeReply(chat.decodeReply(body), { model }), name)
    const { choices, id, created } = folded as JsonObject
    t.match(
      { choices, id, created },
      { choices: plainChoices(body), id: body.id, created: body.created },
    )
  }
})

/** What a client reads of the answers: fields without a value are left out by the encoder. */
function plainChoices(body: JsonObject): unknown[] {
  return (body.choices as JsonObject[]).map(({ index, message, finish_reason }) => ({
    index,
    message: Object.fromEntries(
      Object.entries(message as JsonObject).filter(
        ([key, value]) => (value !== null || key === 'content') && key !== 'annotations',
      ),
    ),
    finish_reason,
  }))
}

t.test('[FMT-7] every field of a message comes back', async (t) => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
  const messages: readonly JsonObject[] = [
    { content: 'Hi' },
    { content: '' },
    { content: 'So.', reasoning_content: 'Hm.' },
    { content: null, refusal: 'No.' },
    { content: null, tool_calls: [call, { ...call, id: 'c2' }] },
    { content: null, tool_calls: [{ ...call, extra_content: { vendor: { signature: 'S' } } }] },
    { content: 'Both.', tool_calls: [call] },
    { content: '', audio: { id: 'a1', data: 'AAEC', transcript: 'Good day.' } },
    {
      content: 'See',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }],
    },
    { content: '', images: [{ type: 'image_url', image_url: { url: 'https://h.example/a.png' } }] },
    {
      content: 'x',
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://h.example' } }],
    },
  ]
  for (const message of messages) {
    const body = reply(message)
    const finish = message.tool_calls === undefined ? 'stop' : 'tool_calls'
    const choices = [
      { index: 0, message: { role: 'assistant', ...message }, finish_reason: finish },
    ]
    t.strictSame(again(body), { ...body, choices }, JSON.stringify(message))
  }
  t.match(again(reply({ content: 'Hi' }, { system_fingerprint: 'fp_1' })), {
    system_fingerprint: 'fp_1',
  })
})

t.test('[FMT-7] chat counts and disjoint counts, both ways', async (t) => {
  const table: readonly (readonly [name: string, raw: JsonObject, usage: Usage])[] = [
    [
      'plain',
      { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
      { input: 9, output: 4 },
    ],
    ['zeros are reported', { prompt_tokens: 0, completion_tokens: 0 }, { input: 0, output: 0 }],
    ['missing stays missing', { completion_tokens: 4 }, { output: 4 }],
    ['nothing reported', {}, {}],
    [
      'details are parts of the totals',
      {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: {
          cached_tokens: 60,
          audio_tokens: 10,
          image_tokens: 5,
          text_tokens: 85,
        },
        completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 8, text_tokens: 42 },
      },
      {
        input: 25,
        cacheRead: 60,
        inputAudio: 10,
        inputImage: 5,
        output: 42,
        reasoning: 20,
        outputAudio: 8,
      },
    ],
    [
      'cache hits beside the counts',
      { prompt_tokens: 20, prompt_cache_hit_tokens: 12 },
      { input: 8, cacheRead: 12 },
    ],
    [
      'cached beside the counts',
      { prompt_tokens: 20, cached_tokens: 16 },
      { input: 4, cacheRead: 16 },
    ],
    [
      'cache written',
      { prompt_tokens: 20, prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 7 } },
      { input: 10, cacheRead: 3, cacheWrite5m: 7 },
    ],
    [
      'reasoning beside the completion, as the total tells',
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 115,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      { input: 10, output: 105, reasoning: 100 },
    ],
  ]
  for (const [name, raw, usage] of table) {
    t.strictSame(chat.readReply(reply({ content: '' }, { usage: raw })).usage, usage, name)
  }
  const written = again(reply({ content: 'x' }, { usage: table[4]![1] })) as JsonObject
  t.match(written.usage, {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 60, audio_tokens: 10, image_tokens: 5 },
    completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 8 },
  })
})

t.test('hostile counts never lower another count or slip through as words (M21)', async (t) => {
  const table: readonly (readonly [raw: JsonObject, usage: Usage])[] = [
    [{ prompt_tokens: '12', completion_tokens: null }, {}],
    [{ prompt_tokens: [1], completion_tokens: true }, {}],
    // Kept for the kernel, which clamps and flags.
    [
      { prompt_tokens: -5, completion_tokens: 1e18 },
      { input: -5, output: 1e18 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 1e18 } },
      { input: 0, cacheRead: 10 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: -50 } },
      { input: 10, cacheRead: -50 },
    ],
    [{ prompt_tokens: 10, prompt_tokens_details: 'x', cached_tokens: '5' }, { input: 10 }],
  ]
  for (const [raw, usage] of table) {
    t.strictSame(chat.readReply(reply({ content: '' }, { usage: raw })).usage, usage)
  }
})

t.test('reading a verbatim reply counts its text and finds its usage', async (t) => {
  for (const name of twins) {
    const body = bodyFixture(name)
    const reading = chat.readReply(body)
    const result = chat.decodeReply(body).find(({ type }) => type === 'usage')
    t.match(reading, result?.type === 'usage' ? { usage: result.usage, raw: result.raw } : {})
    t.ok(reading.estimatedTokens > 0)
    t.equal(reading.failure, undefined)
  }
  t.strictSame(chat.readReply(reply({ content: 'Hi' })), { estimatedTokens: 1 })
})

t.test(
  'a 200 that is an error in truth is a failure, with the blame its words give (M14)',
  async (t) => {
    const table: readonly (readonly [body: JsonObject, blame: string, status: number])[] = [
      [{ error: { message: 'x', code: 503 } }, 'upstream', 503],
      [{ error: { message: 'x', code: '429' } }, 'channel', 429],
      [{ error: { message: 'bad', type: 'invalid_request_error' } }, 'client', 400],
      [{ error: { message: 'x', code: 'insufficient_quota' } }, 'channel', 402],
      [
        { error: { message: 'x', code: 'invalid_api_key', type: 'invalid_request_error' } },
        'channel',
        401,
      ],
      [{ error: 'broken' }, 'upstream', 502],
      [{ error: {}, choices: [] }, 'upstream', 502],
      [{ object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }, 'client', 400],
      [{ code: 50_000, msg: 'busy' }, 'upstream', 502],
      [{ hello: 1 }, 'upstream', 200],
    ]
    for (const [body, blame, status] of table) {
      const { failure, estimatedTokens } = chat.readReply(body)
      t.match(failure, { blame, status }, JSON.stringify(body))
      t.equal(estimatedTokens, 0)
      if (body.hello === undefined) {
        t.strictSame(chat.decodeReply(body), [{ type: 'failure', failure }])
      }
    }
    t.equal(chat.readReply(reply({ content: 'x' }, { error: null })).failure, undefined)
  },
)

t.test('[ERR-1] an error is four strings inside error', async (t) => {
  const error = { status: 403, message: 'm', type: 't', param: '', code: 'c' }
  const body = { error: { message: 'm', type: 't', param: '', code: 'c' } }
  t.strictSame(chat.encodeError(error), { status: 403, body })
  t.equal(chat.encodeStreamError(error).toString(), `data: ${JSON.stringify(body)}\n\n`)
})

t.test('why an answer stopped', async (t) => {
  const words = ['stop', 'length', 'tool_calls', 'content_filter', 'model_length', 'weird']
  const reasons = words.map((finish_reason) => {
    const body = { choices: [{ index: 0, message: { content: 'x' }, finish_reason }] }
    const stop = chat.decodeReply(body).find(({ type }) => type === 'stop')
    return stop?.type === 'stop' ? `${stop.reason}:${stop.word}` : ''
  })
  t.strictSame(reasons, [
    'end:stop',
    'length:length',
    'tool:tool_calls',
    'filter:content_filter',
    'length:model_length',
    'other:weird',
  ])
  const forced = { tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] }
  t.match(
    chat.decodeReply(reply(forced)).find(({ type }) => type === 'stop'),
    { reason: 'tool', word: 'stop' },
  )
})

t.test('seals of other formats ride in extra_content and come home', async (t) => {
  const at = (part: number) => ({ choice: 0, part })
  const events: Event[] = [
    { type: 'start', id: 'r' },
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), text: 'First.' },
    { type: 'delta', at: at(0), seal: 'S1', sealBy: 'messages' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(1), text: 'Second.', seal: 'S2', sealBy: 'messages' },
    { type: 'close', at: at(1) },
    { type: 'open', at: at(2), part: { kind: 'toolCall', id: 'c', name: 'f' } },
    { type: 'delta', at: at(2), json: '{}', seal: 'S3', sealBy: 'generative' },
    { type: 'close', at: at(2) },
    { type: 'stop', choice: 0, reason: 'tool', word: 'tool_use' },
    { type: 'end' },
  ]
  const body = chat.encodeReply(events, { model: 'm' }) as JsonObject
  const streamed = events.flatMap((event) => encoder.push(event))
  const gathered = gather(Buffer.concat(streamed))
  for (const message of [(body.choices as JsonObject[])[0]!.message as JsonObject, gathered]) {
    const [turn] = chat.decodeRequest({ model: 'm', messages: [message] }).turns
    t.strictSame(turn?.parts, [
      { kind: 'reasoning', text: 'First.', seal: { by: 'messages', value: 'S1' } },
      { kind: 'reasoning', text: 'Second.', seal: { by: 'messages', value: 'S2' } },
      {
        kind: 'toolCall',
        id: 'c',
        name: 'f',
        input: '{}',
        seal: { by: 'generative', value: 'S3' },
      },
    ])
  }
})

const encoder = chat.encodeStream({ model: 'm', wantsUsage: false })

/** Adds deltas up as chat clients do: texts grow, other keys keep their last value. */
function gather(bytes: Buffer): JsonObject {
  const message: Record<string, JsonObject[string]> = { role: 'assistant', content: null }
  let call: JsonObject = {}
  for (const line of bytes.toString().split('\n\n')) {
    if (!line.startsWith('data: {')) continue
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: JsonObject }[] }
    const { reasoning_content, extra_content, tool_calls } = choices[0]!.delta
    if (reasoning_content) {
      message.reasoning_content = `${message.reasoning_content ?? ''}${reasoning_content}`
    }
    if (extra_content) message.extra_content = extra_content
    const [piece] = (tool_calls ?? []) as JsonObject[]
    if (piece === undefined) continue
    const [had, more] = [call.function, piece.function] as JsonObject[]
    const input = `${had?.arguments ?? ''}${more?.arguments ?? ''}`
    call = { ...call, ...piece, function: { ...had, ...more, arguments: input } }
  }
  return { ...message, tool_calls: [call] }
}
