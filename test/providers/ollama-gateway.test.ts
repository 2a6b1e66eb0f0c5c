/** Ollama through the whole gateway: a context size on the server's own API, and everything else where it always went. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Recorded, type Script } from '../kit/upstream.js'
import { isRecord, listIn, objectsWithin, strictly, type VendorRule } from '../kit/vendor.js'

const read = '2026-11-27'
const isNative = ({ path }: Recorded) => path === '/api/chat'

const argumentsAreObjects: VendorRule = {
  rule: 'json: cannot unmarshal string into Go struct field .arguments of type api.ToolCallFunctionArguments',
  source: 'github.com/ollama/ollama/blob/main/docs/openapi.yaml (ToolCall)',
  read,
  broken: (request) =>
    isNative(request) &&
    objectsWithin(request.json).some((one) => typeof one.arguments === 'string'),
}

const contentIsText: VendorRule = {
  rule: 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
  source: 'github.com/ollama/ollama/blob/main/docs/openapi.yaml (ChatMessage)',
  read,
  broken: (request) =>
    isNative(request) &&
    listIn(request.json, 'messages').some(({ content }) => typeof content !== 'string'),
}

const noContextSizeHere: VendorRule = {
  rule: 'The OpenAI API does not have a way of setting context size for a model',
  source: 'docs.ollama.com/api/openai-compatibility#setting-the-context-size',
  read,
  broken: ({ path, json: body }) =>
    path.startsWith('/v1/') && isRecord(body) && ('num_ctx' in body || 'options' in body),
}

const rules = [argumentsAreObjects, contentIsText, noContextSizeHere]
const model = 'qwen3:8b'
const gateway = await scriptedGateway(t, { channel: { type: 4, key: '-', models: model } })
const { upstream, admin } = gateway
await admin.option('ModelRatio', { [model]: 1, large: 1 })
await admin.option('CompletionRatio', { [model]: 4, large: 4 })
await admin.channel({
  ...{ type: 4, name: 'large', key: '-', base_url: upstream.url, models: 'large' },
  ...{ group: 'default', settings: { num_ctx: 32_768 } },
})

const line = (over: object) =>
  `${JSON.stringify({ model, created_at: '2026-11-27T10:00:00Z', done: false, ...over })}\n`
const last = { done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 5 }
const message = { role: 'assistant', content: '' }

const lines: Script = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  response.write(line({ message: { ...message, content: 'Grü' } }))
  response.write(line({ message: { ...message, content: 'ezi' } }))
  response.end(line({ message, ...last }))
}

const answers: Script = (request, response) => {
  if (!isNative(request)) return json(200, chat.whole('Grüezi', 10, 2))(request, response)
  if ((request.json as { stream?: boolean }).stream === true) return lines(request, response)
  const whole = { model, message: { ...message, content: 'Grüezi' }, ...last }
  return json(200, whole)(request, response)
}

const user = { role: 'user', content: 'Hello' }
const sent = () => upstream.requests.at(-1)

const post = (path: string, body: object) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  })

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(strictly(rules, answers))
})

t.test('a client that names a context size is answered by the native API', async (t) => {
  for (const fields of [{ num_ctx: 8192 }, { options: { num_ctx: 8192 } }]) {
    const answer = await gateway.chat({ model, messages: [user], max_tokens: 20, ...fields })
    t.match(await answer.json(), {
      choices: [{ message: { content: 'Grüezi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 5 },
    })
    t.equal(sent()?.path, '/api/chat')
    t.strictSame(sent()?.json, {
      ...{ model, messages: [user], stream: false },
      options: { num_ctx: 8192, num_predict: 20 },
    })
  }
})

t.test('its lines become the stream the client asked for, and are billed as counted', async (t) => {
  const answer = await gateway.chat({ model, messages: [user], num_ctx: 8192, stream: true })
  const text = await answer.text()
  t.match(text, '"content":"Grü"')
  t.match(text, 'data: [DONE]')
  t.match((await gateway.logs())[0], { prompt_tokens: 12, completion_tokens: 5, quota: 32 })
})

t.test('a round of tools and an image are written in the form of the native API', async (t) => {
  const url = 'data:image/png;base64,AAAA'
  const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }
  const answer = await gateway.chat({
    ...{ model, num_ctx: 4096 },
    messages: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Blue.' },
    ],
    tools: [{ type: 'function', function: { name: 'look' } }],
  })
  t.equal(answer.status, 200)
  t.match(sent()?.json, {
    messages: [
      { role: 'user', content: '', images: ['AAAA'] },
      { tool_calls: [{ function: { name: 'look', arguments: { at: 1 } } }] },
      { role: 'tool', tool_name: 'look', content: 'Blue.' },
    ],
  })
})

t.test('a channel with a context size sends it with every chat and embedding', async (t) => {
  t.equal((await gateway.chat({ model: 'large', messages: [user] })).status, 200)
  t.match(sent()?.json, { options: { num_ctx: 32_768 } })
  const messages = { model: 'large', max_tokens: 9, messages: [user] }
  const answer = await post('/v1/messages', messages)
  t.match(await answer.json(), { content: [{ type: 'text', text: 'Grüezi' }] })
  t.match(sent(), { path: '/api/chat', json: { options: { num_ctx: 32_768, num_predict: 9 } } })
  upstream.script(json(200, { embeddings: [[0.5]], prompt_eval_count: 3 }))
  const vectors = await post('/v1/embeddings', {
    model: 'large',
    input: 'a',
    dimensions: 1,
  })
  t.match(await vectors.json(), { data: [{ embedding: [0.5] }], usage: { prompt_tokens: 3 } })
  t.strictSame(sent()?.json, {
    ...{ model: 'large', input: 'a', dimensions: 1 },
    options: { num_ctx: 32_768 },
  })
})

t.test('where nothing asks for it, chat goes to the path of its format', async (t) => {
  const answer = await gateway.chat({ model, messages: [user], temperature: 0 })
  t.equal(answer.status, 200)
  t.equal(sent()?.path, '/v1/chat/completions')
})

t.test(
  '[FMT-9] what the native API has no word for is refused, the machine is not the client’s',
  async (t) => {
    const url = 'https://files.example/a.png'
    const shown = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] }
    const tools = [{ type: 'function', function: { name: 'look' } }]
    for (const [field, body] of [
      ['media', { messages: [shown] }],
      ['toolChoice', { messages: [user], tools, tool_choice: 'required' }],
      ['num_ctx', { messages: [user], num_ctx: 'large' }],
      ['options', { messages: [user], options: { num_ctx: -1 } }],
    ] as const) {
      const answer = await gateway.chat({ model, num_ctx: 4096, ...body })
      t.equal(answer.status, 400, field)
      t.match(await answer.text(), field)
    }
    const options = { num_ctx: 4096, num_gpu: 0 }
    const answer = await gateway.chat({ model, messages: [user], options })
    t.equal(answer.headers.get('x-waybill-lost'), 'options.num_gpu')
    t.strictSame(sent()?.json?.options, { num_ctx: 4096 })
  },
)

t.test(
  '[ERR-2] a model that is not pulled is no fault of the client, who reads no names',
  async (t) => {
    upstream.script(json(404, { error: `model '${model}' not found, try pulling it first` }))
    const answer = await gateway.chat({ model, messages: [user], num_ctx: 4096 })
    t.ok(answer.status >= 500)
    t.notMatch(await answer.text(), 'pulling')
  },
)
