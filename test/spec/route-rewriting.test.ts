/** What operators change on the way to an upstream, seen from outside: the order, the headers, the bill. */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { upstream, admin } = gateway

/** Names that are not mapped have a price of their own. */
const unmapped = ['shape-deep', 'shape-filter', 'shape-open', 'shape-raw']
const names = [model, 'claude-sonnet-4-5', ...unmapped]
await admin.option('ModelRatio', Object.fromEntries(names.map((name) => [name, 1])))

/** The only channel that serves this name; answers what the upstream was sent for one request. */
async function channel(name: string, fields: Readonly<Record<string, unknown>>): Promise<number> {
  return admin.channel({
    type: 1,
    name,
    key: 'upstream-key',
    base_url: upstream.url,
    models: name,
    group: 'default',
    model_mapping: { [name]: model },
    ...fields,
  })
}

async function sent(body: object | string, headers: Readonly<Record<string, string>> = {}) {
  const at = upstream.requests.length
  upstream.script(json(200, chat.whole('Hi.', 10, 1)))
  const answer = await gateway.chat(body, headers)
  await answer.text()
  return { status: answer.status, request: upstream.requests[at] }
}

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

t.test('[ROUTE-4] model mapping, then operations, then the hold and the charge', async (t) => {
  const operations = [
    { mode: 'set', path: 'max_tokens', value: 10, conditions: [{ path: 'model', value: model }] },
    { mode: 'set', path: 'n', value: 1 },
    { mode: 'delete', path: 'max_completion_tokens' },
  ]
  await channel('shape-order', { param_override: { operations } })
  const { key } = await admin.token({ unlimited_quota: false, remain_quota: 200 })
  const { status, request } = await sent(
    ask({ model: 'shape-order', max_tokens: 100_000, max_completion_tokens: 90_000, n: 8 }),
    { authorization: `Bearer ${key}` },
  )
  t.equal(status, 200, 'the hold is for one answer of 10 tokens')
  t.match(request?.json, { model, max_tokens: 10, n: 1 })
  t.notOk('max_completion_tokens' in request!.json!)
})

t.test('[ROUTE-4] an override that asks for more is held for', async (t) => {
  await channel('shape-more', { param_override: { max_tokens: 100_000 } })
  const { key } = await admin.token({ unlimited_quota: false, remain_quota: 1000 })
  const at = upstream.requests.length
  const answer = await gateway.chat(ask({ model: 'shape-more', max_tokens: 1 }), {
    authorization: `Bearer ${key}`,
  })
  t.equal(answer.status, 403)
  t.match(await answer.json(), { error: { code: 'pre_consume_token_quota_failed' } })
  t.equal(upstream.requests.length, at)
})

t.test(
  '[ROUTE-4] a model set by an override reaches the upstream; the price stays that of the name requested',
  async (t) => {
    await channel('shape-model', { param_override: { model: 'dearer-model' } })
    const charged = await cost(async () => {
      const { request } = await sent(ask({ model: 'shape-model' }))
      t.equal(request?.json?.model, 'dearer-model')
    })
    t.equal(charged, 14n)
    const [row] = await gateway.logs()
    t.equal(row?.model_name, 'shape-model')
  },
)

t.test('[ROUTE-4] the number of images is billed as it goes out', async (t) => {
  await admin.option('ModelPrice', { 'shape-image': 0.01 })
  await channel('shape-image', { model_mapping: {}, param_override: { n: 2 } })
  upstream.script(json(200, { created: 1, data: [{ b64_json: 'aGk=' }, { b64_json: 'aGk=' }] }))
  const post = (n: number) =>
    fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'shape-image', prompt: 'x', n }),
    }).then((answer) => answer.text())
  const [few, many] = [await cost(() => post(1)), await cost(() => post(7))]
  t.ok(few > 0n)
  t.equal(many, few, 'two are sent for, two are charged')
  t.equal(upstream.requests.at(-1)?.json?.n, 2)
})

t.test('[FMT-5] a body that needs no change goes out as the very bytes', async (t) => {
  const text = `{ "model":"${model}",  "messages":[{"role":"user","content":"h\\u0069"}], "seed":9007199254740993, "temperature":0.0, "stop":"", "logprobs":false }`
  t.equal((await sent(text)).request?.text, text)
})

t.test('[FMT-5] digits beyond 2^53 survive an override that reaches deep', async (t) => {
  await channel('shape-deep', {
    model_mapping: {},
    param_override: { operations: [{ mode: 'set', path: 'messages.-1.content', value: 'yo' }] },
  })
  const text = `{"model":"shape-deep","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":9007199254740993}}}],"seed":9007199254740993}`
  t.equal((await sent(text)).request?.text, text.replace('"hi"', '"yo"'))
})

t.test('field filters, and the settings that lift them', async (t) => {
  await channel('shape-filter', { model_mapping: {} })
  const body = ask({
    model: 'shape-filter',
    service_tier: 'flex',
    safety_identifier: 's',
    store: true,
  })
  t.same((await sent(body)).request?.json, ask({ model: 'shape-filter', store: true }))
  await channel('shape-open', {
    model_mapping: {},
    settings: { allow_service_tier: true, allow_safety_identifier: true, disable_store: true },
  })
  t.same(
    (await sent({ ...body, model: 'shape-open' })).request?.json,
    ask({ model: 'shape-open', service_tier: 'flex', safety_identifier: 's' }),
  )
})

t.test(
  '[ROUTE-4] a system prompt and an override meet a converted call in the words of its upstream',
  async (t) => {
    await admin.channel({
      type: 14,
      name: 'claude',
      key: 'k',
      base_url: upstream.url,
      models: 'shape-claude',
      group: 'default',
      model_mapping: { 'shape-claude': 'claude-sonnet-4-5' },
      setting: { system_prompt: 'Be brief.' },
      param_override: {
        operations: [
          { mode: 'append', path: 'system', value: ' Really.' },
          { mode: 'set', path: 'max_tokens', value: 50 },
        ],
      },
    })
    upstream.script(
      json(200, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Hi.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      }),
    )
    const at = upstream.requests.length
    const { key } = await admin.token({ unlimited_quota: false, remain_quota: 400 })
    const answer = await gateway.chat(ask({ model: 'shape-claude', max_tokens: 100_000 }), {
      authorization: `Bearer ${key}`,
    })
    t.equal(answer.status, 200, await answer.text())
    t.match(upstream.requests[at]?.json, {
      model: 'claude-sonnet-4-5',
      system: 'Be brief. Really.',
      max_tokens: 50,
    })
  },
)

t.test('headers of the operator reach the upstream, keys of the client never', async (t) => {
  await channel('shape-headers', {
    header_override: {
      '*': true,
      'X-Key': 'k {api_key}',
      'X-Agent': '{client_header:user-agent}',
      'X-None': '{client_header:x-none}',
    },
    param_override: {
      operations: [
        { mode: 'set_header', path: 'x-mode', value: 'on' },
        { mode: 'copy_header', from: 'x-session', to: 'session_id' },
      ],
    },
  })
  const { request } = await sent(ask({ model: 'shape-headers' }), {
    'user-agent': 'cli/1',
    'x-session': 's-1',
    'x-api-key': 'sk-client',
    cookie: 'a=b',
    'x-forwarded-for': '10.1.1.1',
  })
  t.match(request?.headers, {
    authorization: 'Bearer upstream-key',
    'x-key': 'k upstream-key',
    'x-agent': 'cli/1',
    'user-agent': 'cli/1',
    'x-session': 's-1',
    session_id: 's-1',
    'x-mode': 'on',
    'content-type': 'application/json',
  })
  for (const name of ['x-none', 'x-api-key', 'cookie', 'x-forwarded-for']) {
    t.notOk(name in request!.headers, name)
  }
  t.notMatch(JSON.stringify(request?.headers), gateway.key.slice(3))
})

t.test(
  'an error of the operator receives to the client, and nothing is relayed or charged',
  async (t) => {
    const value = { message: 'Use the other model.', status_code: 422, code: 'wrong_model' }
    await channel('shape-error', {
      param_override: { operations: [{ mode: 'return_error', value }] },
    })
    const at = upstream.requests.length
    const charged = await cost(async () => {
      const answer = await gateway.chat(ask({ model: 'shape-error' }))
      t.equal(answer.status, 422)
      t.match(await answer.json(), {
        error: {
          message: /Use the other model/,
          code: 'wrong_model',
          type: 'invalid_request_error',
        },
      })
    })
    t.equal(charged, 0n)
    t.equal(upstream.requests.length, at)
  },
)

t.test('passed through: the bytes as they came, whatever the channel would change', async (t) => {
  await channel('shape-raw', {
    setting: { pass_through_body_enabled: true, system_prompt: 'P' },
    param_override: { max_tokens: 1 },
  })
  const text =
    '{"model" : "shape-raw","messages":[{"role":"user","content":"hi"}],"service_tier":"flex","max_tokens":5}'
  t.equal((await sent(text)).request?.text, text)
})

t.test(
  '[FMT-12] the search body keeps its bytes but for the model, and an override reaches it',
  async (t) => {
    const post = async (text: string) => {
      const at = upstream.requests.length
      upstream.script(json(200, { results: [] }))
      const answer = await fetch(`${gateway.url}/v1/alpha/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: text,
      })
      await answer.text()
      return { status: answer.status, text: upstream.requests[at]?.text }
    }
    const search = (name: string, fields: object = {}) =>
      admin.channel({
        type: 58,
        name,
        key: 'k',
        base_url: upstream.url,
        models: name,
        group: 'default',
        model_mapping: { [name]: model },
        settings: {
          routes: {
            routes: [{ incoming_path: '/v1/alpha/search', upstream_path: '/v1/alpha/search' }],
          },
        },
        ...fields,
      })
    await search('shape-search')
    const text =
      '{ "model":"shape-search", "query":"x", "id":9007199254740993, "extra":{ "a": 1 } }'
    t.same(await post(text), { status: 200, text: text.replace('shape-search', model) })
    await search('shape-search-2', {
      param_override: { operations: [{ mode: 'set', path: 'extra.a', value: 2 }] },
    })
    t.match(
      (await post(text.replace('shape-search', 'shape-search-2'))).text,
      /"id":9007199254740993, "extra":|"id":9007199254740993,"extra":\{"a":2\}/,
    )
  },
)

t.test('documents that cannot be used are refused when they are saved', async (t) => {
  const rows: readonly (readonly [string, object, RegExp])[] = [
    [
      'param_override',
      { operations: [{ mode: 'set', value: 1 }] },
      /"param_override" has an operation 1 without a path/,
    ],
    [
      'header_override',
      { Host: 'x' },
      /"header_override" has the header "Host", which is set by the gateway/,
    ],
  ]
  for (const [field, document, message] of rows) {
    const fields = {
      type: 1,
      name: 'bad',
      key: 'k',
      base_url: upstream.url,
      models: 'bad',
      group: 'default',
    }
    const { status, body } = await admin.call('POST', '/api/channel/', {
      ...fields,
      [field]: document,
    })
    t.equal(status, 400)
    t.match(body.message, message)
  }
})

t.test('a stream is requested its usage before the override, which may forbid it', async (t) => {
  await channel('shape-stream', {
    param_override: { operations: [{ mode: 'delete', path: 'stream_options' }] },
  })
  const at = upstream.requests.length
  upstream.script(events(chat.role(), chat.delta('Hi.'), chat.stop(), chat.done))
  const answer = await gateway.chat(ask({ model: 'shape-stream', stream: true }))
  t.match(await answer.text(), /Hi\./)
  t.notOk('stream_options' in upstream.requests[at]!.json!)
})
