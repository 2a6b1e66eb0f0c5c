/** Models that refuse tools on chat completions are queried on responses, whatever the client speaks. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json, type Recorded } from '../kit/upstream.js'
import { listIn, strictly } from '../kit/vendor.js'
import { noToolsBesideEffort } from '../kit/vendors/openai.js'

const model = 'gpt-5.6-terra'
const gateway = await scriptedGateway(t, {
  channel: { models: `${model},gpt-5.4,gpt-5.4-mini,gpt-4o` },
})
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [model]: 1, 'gpt-5.4': 1, 'gpt-5.4-mini': 1, 'gpt-4o': 1 })
await admin.option('CompletionRatio', { [model]: 4, 'gpt-5.4': 4, 'gpt-5.4-mini': 4, 'gpt-4o': 4 })

const tools = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
]
const user = { role: 'user', content: 'Look.' }

const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look',
  arguments: '{"at":"sky"}',
  status: 'completed',
}
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Blue.', annotations: [] }],
}
const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }
const response = (...output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model,
  output,
  usage,
})
const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const streamedCall = [
  event('response.created', { response: { ...response(), status: 'in_progress' } }),
  event('response.output_item.added', { output_index: 0, item: { ...call, arguments: '' } }),
  event('response.function_call_arguments.delta', { output_index: 0, delta: '{"at":"sky"}' }),
  event('response.output_item.done', { output_index: 0, item: call }),
  event('response.completed', { response: response(call) }),
]

/** Answers in the format of the path that was called. */
function speaking(output: object) {
  return strictly([noToolsBesideEffort], (request: Recorded, reply) => {
    const isResponses = request.path.includes('/responses')
    const body = isResponses ? response(output) : chat.whole('Blue.', 10, 2)
    return json(200, body)(request, reply)
  })
}

const pathOf = () => upstream.requests.at(-1)?.path

t.beforeEach(() => {
  upstream.requests.length = 0
})

t.test('a tool round of a chat client goes over responses and comes back as chat', async (t) => {
  upstream.script(speaking(call))
  const first = await gateway.chat({ model, messages: [user], tools, reasoning_effort: 'high' })
  t.equal(pathOf(), '/v1/responses')
  t.match(upstream.requests[0]?.json, {
    model,
    reasoning: { effort: 'high' },
    tools: [{ type: 'function', name: 'look' }],
  })
  const { choices } = (await first.json()) as { choices: { message: { tool_calls: object[] } }[] }
  t.match(choices, [
    {
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: '{"at":"sky"}' } }],
      },
    },
  ])
  const [row] = await gateway.logs()
  t.match(row, { prompt_tokens: 10, completion_tokens: 2, quota: 18 })

  upstream.script(speaking(message))
  const second = await gateway.chat({
    model,
    tools,
    messages: [
      user,
      choices[0]!.message,
      { role: 'tool', tool_call_id: 'call_1', content: 'blue' },
    ],
  })
  t.equal(pathOf(), '/v1/responses', 'without an effort too')
  t.match(await second.json(), {
    choices: [{ finish_reason: 'stop', message: { content: 'Blue.' } }],
  })
  const output = listIn(upstream.requests.at(-1)?.json, 'input').filter(
    ({ type }) => type === 'function_call_output',
  )
  t.match(output, [{ call_id: 'call_1', output: 'blue' }])
})

t.test('streams alike', async (t) => {
  upstream.script(strictly([noToolsBesideEffort], events(...streamedCall)))
  const answer = await gateway.chat({ model, messages: [user], tools, stream: true })
  const text = await answer.text()
  t.equal(pathOf(), '/v1/responses')
  t.match(text, '"finish_reason":"tool_calls"')
  t.ok(text.endsWith('data: [DONE]\n\n'))
  const row = (await gateway.logs()).find(({ is_stream }) => is_stream)
  t.match(row, { prompt_tokens: 10, completion_tokens: 2 })
})

t.test('what the model takes on chat completions stays there', async (t) => {
  upstream.script(speaking(message))
  const rows: [string, object, string][] = [
    [model, {}, '/v1/chat/completions'],
    [model, { tools, reasoning_effort: 'none' }, '/v1/chat/completions'],
    [model, { reasoning_effort: 'high' }, '/v1/chat/completions'],
    ['gpt-5.4', { tools }, '/v1/chat/completions'],
    ['gpt-5.4', { tools, reasoning_effort: 'low' }, '/v1/responses'],
    ['gpt-5.4-mini', { tools, reasoning_effort: 'low' }, '/v1/responses'],
    ['gpt-4o', { tools }, '/v1/chat/completions'],
  ]
  for (const [requested, fields, path] of rows) {
    upstream.script((request, reply) =>
      json(
        200,
        request.path.includes('/responses') ? response(message) : chat.whole('Blue.', 1, 1),
      )(request, reply),
    )
    const answer = await gateway.chat({ model: requested, messages: [user], ...fields })
    t.match(await answer.json(), { choices: [{ message: { content: 'Blue.' } }] })
    t.equal(pathOf(), path, `${requested} ${JSON.stringify(Object.keys(fields))}`)
  }
})

t.test('a messages client with tools is served by responses as well', async (t) => {
  upstream.script(speaking(call))
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model,
      max_tokens: 100,
      messages: [user],
      tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
    }),
  })
  t.match(await answer.json(), { stop_reason: 'tool_use', content: [{ type: 'tool_use' }] })
  t.equal(pathOf(), '/v1/responses')
})

t.test('a channel forbids it, and another one takes over', async (t) => {
  const forbidding = await scriptedGateway(t, {
    channel: { models: model, priority: 5, settings: { responses_api: 'as-sent' } },
  })
  await forbidding.admin.option('ModelRatio', { [model]: 1 })
  forbidding.upstream.script(speaking(call))
  const refused = await forbidding.chat({ model, messages: [user], tools })
  t.equal(refused.status, 400)
  t.match(await refused.json(), { error: { message: /Function tools/ } })
  t.equal(forbidding.upstream.requests[0]?.path, '/v1/chat/completions')
  forbidding.upstream.script(json(500, {}), speaking(call))
  await forbidding.admin.channel({
    type: 1,
    name: 'other',
    key: 'k',
    base_url: forbidding.upstream.url,
    models: model,
    group: 'default',
  })
  const answered = await forbidding.chat({ model, messages: [user], tools })
  t.equal(answered.status, 200, await answered.text())
  t.equal(forbidding.upstream.requests.at(-1)?.path, '/v1/responses')
})

t.test('Azure alike, at its own address of responses', async (t) => {
  const azure = await scriptedGateway(t, { channel: { type: 3, models: model } })
  await azure.admin.option('ModelRatio', { [model]: 1 })
  azure.upstream.script(speaking(call))
  const answer = await azure.chat({ model, messages: [user], tools })
  t.match(await answer.json(), { choices: [{ finish_reason: 'tool_calls' }] })
  t.equal(azure.upstream.requests[0]?.path, '/openai/v1/responses')
  azure.upstream.script(json(200, chat.whole('Blue.', 10, 2)))
  await azure.chat({ model, messages: [user] })
  t.match(azure.upstream.requests.at(-1)?.path, `/openai/deployments/${model}/chat/completions`)
})
