/**
 * The official `openai` SDK, unchanged but for base address and key, through the gateway to a mock upstream this
 * project did not write.
 */
import { LLMock } from '@copilotkit/aimock'
import OpenAI from 'openai'
import t from 'tap'
import { startGateway } from '../kit/gateway.js'

const mock = new LLMock({ port: 0 })
await mock.start()
t.teardown(() => mock.stop())

const gateway = await startGateway(t)
await gateway.admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
await gateway.admin.option('CompletionRatio', { 'gpt-4o-mini': 4 })
await gateway.admin.channel({
  type: 1,
  name: 'aimock',
  key: 'upstream-key',
  base_url: mock.url,
  models: 'gpt-4o-mini',
  group: 'default',
})
const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
const model = 'gpt-4o-mini'
const ask = (content: string) => ({ model, messages: [{ role: 'user' as const, content }] })

t.beforeEach(() => mock.clearFixtures())

t.test(
  '[SVC-1] [FMT-7] a chat completion comes back whole and is charged to the unit',
  async (t) => {
    mock.onMessage(/hello/, {
      content: 'Hi there!',
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    })
    const before = await gateway.balance()
    const completion = await client.chat.completions.create(ask('hello'))
    t.equal(completion.object, 'chat.completion')
    t.equal(completion.choices[0]?.message.content, 'Hi there!')
    t.equal(completion.usage?.total_tokens, 120)
    t.equal(before - (await gateway.balance()), 180n, '100 + 20 x 4')
    const [row] = await gateway.logs()
    t.match(row, { quota: 180, prompt_tokens: 100, completion_tokens: 20, model_name: model })
  },
)

t.test(
  '[FMT-10] a stream arrives in pieces, ends with its terminator and is charged to the unit',
  async (t) => {
    mock.onMessage(
      /hello/,
      {
        content: 'A rather longer answer than before.',
        usage: { prompt_tokens: 50, completion_tokens: 10 },
      },
      { chunkSize: 5 },
    )
    const before = await gateway.balance()
    const stream = await client.chat.completions.create({
      ...ask('hello'),
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let chunks = 0
    let usage: unknown
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      chunks += 1
      usage = chunk.usage ?? usage
    }
    t.equal(text, 'A rather longer answer than before.')
    t.ok(chunks > 3)
    t.match(usage, { prompt_tokens: 50, completion_tokens: 10 })
    t.equal(before - (await gateway.balance()), 90n, '50 + 10 x 4')
  },
)

t.test('usage the client did not ask for is billed but not shown (M12)', async (t) => {
  mock.onMessage(/hello/, { content: 'Short.', usage: { prompt_tokens: 30, completion_tokens: 2 } })
  const before = await gateway.balance()
  const stream = await client.chat.completions.create({ ...ask('hello'), stream: true })
  for await (const chunk of stream) t.notOk(chunk.usage)
  t.equal(before - (await gateway.balance()), 38n, '30 + 2 x 4')
})

t.test('a tool call streams through and its result goes back', async (t) => {
  mock.on({ hasToolResult: true }, { content: 'It is sunny in Oslo.' })
  mock.onMessage(/weather/, {
    toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}', id: 'call_1' }],
  })
  const runner = client.chat.completions.runTools({
    ...ask('what is the weather?'),
    stream: true,
    tools: [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'Tells the weather.',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
          parse: JSON.parse,
          function: ({ city }: { city: string }) => `sunny in ${city}`,
        },
      },
    ],
  })
  t.equal(await runner.finalContent(), 'It is sunny in Oslo.')
  const sent = mock.getRequests().at(-1)?.body as { messages: { role: string; content: string }[] }
  t.equal(sent.messages.find(({ role }) => role === 'tool')?.content, 'sunny in Oslo')
})

t.test(
  '[ERR-1] an upstream refusal reaches the SDK as its own error class and costs nothing',
  async (t) => {
    mock.onMessage(/hello/, {
      error: { message: 'max_tokens is too large', type: 'invalid_request_error' },
      status: 400,
    })
    const before = await gateway.balance()
    const error = await client.chat.completions.create(ask('hello')).catch((reason) => reason)
    t.ok(error instanceof OpenAI.BadRequestError)
    t.equal(error.status, 400)
    t.match(error.requestID, /^req_[0-9A-Z]{26}$/)
    t.equal(await gateway.balance(), before)
  },
)

t.test('[AUTH-1] a wrong key is an authentication error', async (t) => {
  const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0 })
  const error = await stranger.chat.completions.create(ask('hello')).catch((reason) => reason)
  t.ok(error instanceof OpenAI.AuthenticationError)
})

t.test(
  'an SDK that aborts its stream leaves the gateway alive and is charged by policy',
  async (t) => {
    mock.onMessage(
      /hello/,
      { content: 'word '.repeat(200), usage: { prompt_tokens: 10, completion_tokens: 200 } },
      { chunkSize: 5, latency: 2 },
    )
    const before = await gateway.balance()
    const stream = await client.chat.completions.create({ ...ask('hello'), stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    stream.controller.abort()
    t.equal(
      before - (await gateway.balance()),
      810n,
      'read on and billed as reported: 10 + 200 x 4',
    )
    mock.clearFixtures()
    mock.onMessage(/hello/, { content: 'Still here.' })
    t.equal(
      (await client.chat.completions.create(ask('hello'))).choices[0]?.message.content,
      'Still here.',
    )
  },
)

t.test('the model list shows what the key reaches', async (t) => {
  const models = await client.models.list()
  t.strictSame(
    models.data.map(({ id }) => id),
    [model],
  )
})
