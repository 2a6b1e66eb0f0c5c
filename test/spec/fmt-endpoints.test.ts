/** The chat-like endpoints beside chat itself: every client format over an upstream of the chat and the messages format. */
import { request } from 'node:http'
import t from 'tap'
import { chat, events, json } from '../kit/upstream.js'
import {
  chatModel,
  cost,
  type FormatClient,
  formatClients,
  formatGateway,
  generative,
  lastWord,
  messages,
  messagesFrames,
  messagesModel,
  messagesWhole,
  post,
  readArray,
  responses,
  speak,
  words,
} from '../plugins/endpoints/clients.js'

const gateway = await formatGateway(t, { environment: { maxRequestBodyBytes: 64 * 1024 } })
const { upstream } = gateway

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(speak)
})

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const wrong = 'sk-wrong'

const upstreams = [
  { model: chatModel, path: '/v1/chat/completions' },
  { model: messagesModel, path: '/v1/messages' },
] as const

const send = (client: FormatClient, model: string, stream: boolean, over: object = {}) =>
  post(
    gateway,
    client.path(model, stream),
    { ...client.body(model, stream), ...over },
    client.headers,
  )

/** As a client may that changes nothing of an address: others take its dots and slashes away. */
function raw(path: string, body: string): Promise<{ status: number; body: unknown }> {
  const headers = { ...bearer(gateway.key), 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url)
    const ask = request({ hostname, port, path, method: 'POST', headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) })
    })
    ask.on('error', reject)
    ask.end(body)
  })
}

/** An error in the client's own frame, without what is the same in each. */
// biome-ignore lint/suspicious/noExplicitAny: each frame has fields of its own.
function errorOf(client: FormatClient, body: any): Record<string, string> {
  const { error } = body
  const framed = {
    messages: body.type === 'error',
    responses: body.type === undefined && error.status === undefined,
    generative: typeof error.status === 'string',
  }
  return framed[client.name] ? error : { frame: 'another' }
}

for (const client of formatClients) {
  for (const { model, path } of upstreams) {
    const pair = `a ${client.name} client at an upstream called at ${path}`
    t.test(`[SVC-2] [FMT-9] ${pair} reads one whole answer, charged as reported`, async (t) => {
      const before = await gateway.balance()
      const answer = await send(client, model, false)
      t.equal(answer.status, 200)
      t.match(answer.headers.get('content-type'), 'application/json')
      const reading = client.whole(await answer.json())
      t.strictSame(reading, { text: words, input: 10, output: 3, last: lastWord[client.name] })
      t.equal(upstream.requests[0]?.path, path)
      t.equal(upstream.requests[0]?.json?.model, model)
      t.equal(before - (await gateway.balance()), BigInt(cost))
    })

    t.test(
      `[SVC-2] [FMT-9] ${pair} reads a stream to its own end, charged as reported`,
      async (t) => {
        const before = await gateway.balance()
        const answer = await send(client, model, true)
        t.equal(answer.status, 200)
        t.match(answer.headers.get('content-type'), 'text/event-stream')
        const text = await answer.text()
        t.strictSame(client.stream(text), {
          text: words,
          input: 10,
          output: 3,
          last: lastWord[client.name],
        })
        t.notMatch(text, '[DONE]', 'that terminator is of the chat format alone')
        t.equal(upstream.requests[0]?.json?.stream, true)
        t.equal(before - (await gateway.balance()), BigInt(cost))
      },
    )
  }

  t.test(`[ERR-1] errors of ${client.name} stand in its frame, four strings each`, async (t) => {
    const { model, ...unnamed } = client.body(chatModel, false)
    const path = client.path(chatModel, false)
    const body = client.body(chatModel, false)
    const table: [string, unknown, Record<string, string>, number, string?][] = [
      ['malformed JSON', '{"model":', {}, 400, 'invalid_json'],
      ['no body', '', {}, 400, 'invalid_json'],
      ['a field of the wrong type', { ...unnamed, messages: 1, input: 1, contents: 1 }, {}, 400],
      ['no key', body, { authorization: '' }, 401, 'missing_credential'],
      ['a wrong key', body, { authorization: 'Bearer sk-x' }, 401, 'invalid_api_key'],
      ['an oversize body', { ...body, x: 'x'.repeat(70_000) }, {}, 413, 'body_too_large'],
    ]
    for (const [what, sent, headers, status, code] of table) {
      const answer = await post(gateway, path, sent, { ...client.headers, ...headers })
      t.equal(answer.status, status, what)
      const error = errorOf(client, await answer.json())
      t.match(error, { message: String, type: String, param: String, code: String }, what)
      if (code !== undefined) t.equal(error.code, code, what)
    }
    const unknown = await send(client, 'no-such-model', false)
    t.equal(unknown.status, 503)
    t.match(errorOf(client, await unknown.json()), { code: 'model_not_found' })
    t.equal(upstream.requests.length, 0, 'nothing was relayed')
    t.strictSame(model, client === generative ? undefined : chatModel)
  })

  t.test(
    `[ERR-2] what the upstream refuses is reported to ${client.name} in safe words`,
    async (t) => {
      const refusal = {
        message: 'no such knob',
        type: 'invalid_request_error',
        secret: 'sk-secret',
      }
      upstream.script(json(400, { error: refusal }))
      const refused = await send(client, chatModel, false)
      t.equal(refused.status, 400)
      const text = await refused.text()
      t.match(errorOf(client, JSON.parse(text)), {
        code: 'upstream_rejected',
        message: /no such knob/,
      })
      t.notMatch(text, 'sk-secret')
      upstream.script(json(500, 'a page that reveals too much'))
      const failed = await send(client, chatModel, false)
      t.equal(failed.status, 502)
      t.notMatch(await failed.text(), 'too much')
    },
  )

  t.test(`[ERR-1] a stream that breaks off tells ${client.name} so, in its frame`, async (t) => {
    upstream.script(events(chat.role(), chat.delta('Hello ')))
    const answer = await send(client, chatModel, true)
    t.equal(answer.status, 200)
    const text = await answer.text()
    t.match(text, 'upstream_broke_off')
    t.match(text, 'Hello ')
  })

  t.test(`[FMT-16] ${client.name} takes JSON alone; another declared type is a 415`, async (t) => {
    const path = client.path(chatModel, false)
    for (const type of ['multipart/form-data; boundary=x', 'text/plain', 'nonsense']) {
      const answer = await post(gateway, path, client.body(chatModel, false), {
        ...client.headers,
        'content-type': type,
      })
      t.equal(answer.status, 415, type)
      const error = errorOf(client, await answer.json())
      t.match(error, { code: 'unsupported_media_type', param: 'content-type' }, type)
    }
    const suffixed = await post(gateway, path, client.body(chatModel, false), {
      ...client.headers,
      'content-type': 'application/vnd.api+json; charset=utf-8',
    })
    t.equal(suffixed.status, 200)
  })
}

t.test('[AUTH-1] messages: x-api-key, which wins over Authorization', async (t) => {
  const { key } = gateway
  const ask = async (headers: Record<string, string>) => {
    const sent = { authorization: '', ...messages.headers, ...headers }
    return (await post(gateway, '/v1/messages', messages.body(chatModel, false), sent)).status
  }
  t.equal(await ask({ 'x-api-key': key }), 200)
  t.equal(await ask({ 'x-api-key': `Bearer ${key}` }), 200)
  t.equal(await ask({ 'x-api-key': key, ...bearer(wrong) }), 200)
  t.equal(await ask({ 'x-api-key': wrong, ...bearer(key) }), 401)
  t.equal(await ask(bearer(key)), 200)
  t.equal(await ask({ authorization: key }), 200)
  t.equal(await ask({ authorization: key.replace('sk-', '') }), 200)
  t.equal(await ask({ 'x-api-key': '', ...bearer(key) }), 200)
  t.equal(await ask({ 'x-goog-api-key': key }), 401, 'a place of another format')
})

t.test(
  '[AUTH-1] generative: the query’s key, then x-goog-api-key, then Authorization',
  async (t) => {
    const { key } = gateway
    const path = generative.path(chatModel, false)
    const ask = async (query: string, headers: Record<string, string>) => {
      const sent = { authorization: '', ...headers }
      return (await post(gateway, `${path}${query}`, generative.body(chatModel, false), sent))
        .status
    }
    t.equal(await ask(`?key=${key}`, {}), 200)
    t.equal(await ask('', { 'x-goog-api-key': key }), 200)
    t.equal(await ask('', bearer(key)), 200)
    t.equal(await ask(`?key=${key}`, { 'x-goog-api-key': wrong, ...bearer(wrong) }), 200)
    t.equal(await ask(`?key=${wrong}`, { 'x-goog-api-key': key, ...bearer(key) }), 401)
    t.equal(await ask('', { 'x-goog-api-key': wrong, ...bearer(key) }), 401)
    t.equal(await ask('?key=', bearer(key)), 200)
    t.equal(await ask('', { 'x-api-key': key }), 401, 'a place of another format')
  },
)

t.test('[AUTH-1] responses: Authorization alone', async (t) => {
  const ask = async (headers: Record<string, string>) => {
    const sent = { authorization: '', ...headers }
    return (await post(gateway, '/v1/responses', responses.body(chatModel, false), sent)).status
  }
  t.equal(await ask(bearer(gateway.key)), 200)
  t.equal(await ask({ 'x-api-key': gateway.key }), 401)
})

t.test('[FMT-1] the version header is required and a real date, under either name', async (t) => {
  const ask = (headers: Record<string, string>) =>
    post(gateway, '/v1/messages', messages.body(messagesModel, false), headers)
  for (const version of ['', '2023', '2023-6-1', '2026-02-30', '2025-13-01', '2023-06-01x']) {
    const answer = await ask({ 'anthropic-version': version })
    t.equal(answer.status, 400, version)
    t.match(
      await answer.json(),
      { type: 'error', error: { message: /anthropic-version/, param: 'anthropic-version' } },
      version,
    )
  }
  const missing = await ask({})
  t.equal(missing.status, 400)
  t.match(await missing.json(), { error: { message: /anthropic-version is required/ } })
  const neutral = await ask({ 'vendor-version': '2024-02-30' })
  t.match(await neutral.json(), { error: { param: 'vendor-version' } })
  t.equal(upstream.requests.length, 0)
  t.equal((await ask({ 'vendor-version': '2024-02-29' })).status, 200)
})

t.test('[FMT-1] version and betas of the client go on to an upstream of its format', async (t) => {
  const sent = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'one-2026,two-2026' }
  await post(gateway, '/v1/messages', messages.body(messagesModel, false), sent)
  t.match(upstream.requests[0]?.headers, { ...sent, 'x-api-key': 'messages-key' })
  await post(gateway, '/v1/messages', messages.body(chatModel, false), sent)
  t.notMatch(upstream.requests[1]?.headers, { 'anthropic-version': String })
})

t.test('[FMT-1] a messages field outside its type or range is a 400 that names it', async (t) => {
  const table: [object, string][] = [
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ temperature: 1.1 }, 'temperature'],
    [{ system: 7 }, 'system'],
    [{ model: '' }, 'model'],
    [{ messages: [] }, 'messages'],
    [{ stream: 'yes' }, 'stream'],
    [{ stop_sequences: 'x' }, 'stop_sequences'],
  ]
  for (const [over, param] of table) {
    const answer = await send(messages, messagesModel, false, over)
    t.equal(answer.status, 400, param)
    t.match(await answer.json(), { type: 'error', error: { param } }, param)
  }
  t.equal(upstream.requests.length, 0)
})

t.test('[FMT-1] a temperature is taken from 0 to 1, both included, and no further', async (t) => {
  const table: [temperature: unknown, status: number][] = [
    [-0.000001, 400],
    [0, 200],
    [1, 200],
    [1.000001, 400],
    [1.5, 400],
    [2, 400],
    ['1', 400],
  ]
  for (const [temperature, status] of table) {
    upstream.requests.length = 0
    const answer = await send(messages, messagesModel, false, { temperature })
    t.equal(answer.status, status, `${temperature}`)
    if (status === 200) t.match(upstream.requests[0]?.json, { temperature })
    else t.match(await answer.json(), { error: { param: 'temperature', message: /0 to 1/ } })
    t.equal(upstream.requests.length, status === 200 ? 1 : 0, 'a refused one is not relayed')
  }
})

t.test('[FMT-2] a messages answer has the four counts, those of the cache included', async (t) => {
  const cache = { cache_creation_input_tokens: 5, cache_read_input_tokens: 7 }
  upstream.script(json(200, messagesWhole(cache)))
  const same = await send(messages, messagesModel, false)
  t.match(await same.json(), { usage: { input_tokens: 10, output_tokens: 3, ...cache } })
  const whole = chat.whole(words, 10, 3)
  const usage = { ...whole.usage, prompt_tokens_details: { cached_tokens: 4 } }
  upstream.script(json(200, { ...whole, usage }))
  const converted = await send(messages, chatModel, false)
  t.match(await converted.json(), {
    usage: {
      input_tokens: 6,
      output_tokens: 3,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 4,
    },
  })
})

t.test(
  '[FMT-3] a messages stream without an output count is billed by what was parsed of it',
  async (t) => {
    for (const result of [{}, { output: 0 }]) {
      upstream.script(events(...messagesFrames(result)))
      await (await send(messages, messagesModel, true)).text()
      const [row] = await gateway.logs()
      t.equal(row?.prompt_tokens, 10, 'what was reported stands')
      t.ok(row!.completion_tokens > 0, 'what was not reported is counted')
      t.equal(row?.quota, 10 + 4 * row!.completion_tokens)
    }
  },
)

t.test('[FMT-3] a nonzero output count of the upstream is kept', async (t) => {
  upstream.script(events(...messagesFrames({ output: 500 })))
  await (await send(messages, messagesModel, true, { max_tokens: 1000 })).text()
  const [row] = await gateway.logs()
  t.equal(row?.completion_tokens, 500)
  t.equal(row?.quota, 10 + 4 * 500)
})

t.test(
  'a thread is refused in the words on which the maker’s client goes on without',
  async (t) => {
    t.teardown(upstream.takes('a thread that is null asks for nothing', ['thread']))
    const threads = [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]
    for (const thread of threads) {
      const answer = await send(messages, messagesModel, false, { thread })
      t.equal(answer.status, 400)
      const details = { error_code: 'thread_unsupported_request' }
      t.match(await answer.json(), { type: 'error', error: { param: 'thread', details } })
    }
    t.equal(upstream.requests.length, 0)
    t.equal((await send(messages, messagesModel, false, { thread: null })).status, 200)
  },
)

t.test('[FMT-8] the generative form is served under both versions of its path', async (t) => {
  for (const version of ['v1beta', 'v1']) {
    const path = `/${version}/models/${chatModel}:generateContent`
    const answer = await post(gateway, path, generative.body(chatModel, false))
    t.equal(answer.status, 200, version)
    t.equal(generative.whole(await answer.json()).text, words, version)
  }
  t.strictSame(upstream.requests[0]?.json?.messages, [{ role: 'user', content: 'hello' }])
})

t.test('[FMT-10] without alt=sse a generative stream is one JSON array', async (t) => {
  for (const { model } of upstreams) {
    const path = `/v1beta/models/${model}:streamGenerateContent`
    const answer = await post(gateway, path, generative.body(model, true))
    t.match(answer.headers.get('content-type'), 'application/json', model)
    t.match(readArray(await answer.text()), { text: words, output: 3, last: 'STOP' }, model)
  }
})

t.test('model names with a slash are one encoded segment of the address', async (t) => {
  await gateway.admin.option('ModelRatio', { 'org/some:model': 1 })
  await gateway.admin.channel({
    type: 53,
    name: 'slashes',
    key: 'k',
    base_url: upstream.url,
    models: 'org/some:model',
    group: 'default',
  })
  const ask = (path: string) => post(gateway, path, generative.body('', false))
  for (const spelled of ['org%2Fsome:model', 'org%2fsome%3Amodel']) {
    t.equal((await ask(`/v1beta/models/${spelled}:generateContent`)).status, 200, spelled)
  }
  t.equal(upstream.requests.at(-1)?.json?.model, 'org/some:model')
  const bare = await ask('/v1beta/models/tunedModels/some:generateContent')
  t.equal(bare.status, 404)
  t.match(await bare.json(), { error: { code: 'not_found', status: 'NOT_FOUND' } })
})

t.test('hostile model names in an address reach no upstream', async (t) => {
  const names: readonly (readonly [string, number])[] = [
    ['..', 400],
    ['.', 400],
    ['..%2F..%2Fadmin', 400],
    ['a%2F..%2Fb', 400],
    ['%2e%2e', 400],
    ['%252e%252e%252fx', 400],
    ['a%2F%2Fb', 400],
    ['a%5Cb', 400],
    ['a%3Fkey=x', 400],
    ['a%23b', 400],
    ['a%25b', 400],
    ['a%00b', 400],
    ['a%0d%0ab', 400],
    ['a%E2%80%AEb', 400],
    ['%ff', 400],
    ['%zz', 400],
    ['x'.repeat(300), 400],
    ['', 404],
    ['%2e%2e/x', 404],
    ['../../v1/x', 404],
  ]
  for (const [name, status] of names) {
    for (const verb of ['generateContent', 'streamGenerateContent', 'countTokens']) {
      const path = `/v1beta/models/${name}:${verb}`
      const answer = await raw(path, JSON.stringify(generative.body('', false)))
      t.equal(answer.status, status, `${name.slice(0, 30)} ${verb}`)
      t.match(answer.body, { error: { message: String, code: String } }, name.slice(0, 30))
    }
  }
  t.equal(upstream.requests.length, 0)
})

t.test('count_tokens estimates without a charge, and checks as messages does', async (t) => {
  const before = await gateway.balance()
  upstream.script(json(404, { error: { message: 'It cannot count.' } }))
  const { max_tokens, ...body } = messages.body(messagesModel, false)
  const count = (over: object, headers: Record<string, string> = messages.headers) =>
    post(gateway, '/v1/messages/count_tokens', { ...body, ...over }, headers)
  const answer = await count({})
  t.equal(answer.status, 200)
  const { input_tokens } = (await answer.json()) as { input_tokens: number }
  t.ok(input_tokens > 0 && input_tokens < 20)
  const longer = await count({ system: 'word '.repeat(1000) })
  t.ok(((await longer.json()) as { input_tokens: number }).input_tokens > 900)
  t.equal((await count({}, {})).status, 400, 'the version header')
  t.equal((await count({}, { ...messages.headers, 'x-api-key': wrong })).status, 401)
  t.equal((await count({}, { ...messages.headers, authorization: '' })).status, 401)
  const faulty = await count({ messages: 'hello' })
  t.match(await faulty.json(), { type: 'error', error: { param: 'messages' } })
  t.equal(upstream.requests.length, 1, 'a service that cannot count is not asked again')
  t.equal(await gateway.balance(), before)
})

t.test(
  'countTokens takes contents or a whole request, estimates, and charges nothing',
  async (t) => {
    const before = await gateway.balance()
    const contents = [{ parts: [{ text: 'word '.repeat(1000) }] }]
    const count = async (body: object, headers = {}) =>
      post(gateway, `/v1beta/models/${chatModel}:countTokens`, body, headers)
    const bodies = [
      { contents },
      { generateContentRequest: { model: `models/${chatModel}`, contents } },
      { generate_content_request: { contents } },
    ]
    for (const body of bodies) {
      const { totalTokens } = (await (await count(body)).json()) as { totalTokens: number }
      t.ok(totalTokens > 900 && totalTokens < 1200)
    }
    t.equal((await count({})).status, 400)
    t.equal((await count({ contents }, { authorization: bearer(wrong).authorization })).status, 401)
    t.equal(upstream.requests.length, 0)
    t.equal(await gateway.balance(), before)
  },
)
