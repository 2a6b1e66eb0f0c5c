/** Claude at Foundry, and deployments by other names than their models, through a whole gateway. */
import t from 'tap'
import { type ScriptedGateway, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Recorded } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'

const read = '2026-11-27'

const onlyMessages: VendorRule = {
  rule: 'api_not_supported: Claude is served by the Messages API alone',
  source:
    'github.com/anthropics/claude-code/issues/67179, learn.microsoft.com/azure/foundry/foundry-models/concepts/claude-models (API overview)',
  read,
  broken: ({ path, json: body }) => {
    const { model } = Object(body) as { model?: string }
    return model === 'writer' && path !== '/anthropic/v1/messages'
  },
}

const versioned: VendorRule = {
  rule: 'anthropic-version: header is required',
  source: 'learn.microsoft.com/azure/foundry/foundry-models/how-to/use-foundry-models-claude',
  read,
  broken: ({ path, headers }) =>
    path.includes('/anthropic/') &&
    (headers['anthropic-version'] === undefined || headers['x-api-key'] !== 'upstream-key'),
}

const known = ['context-management-2025-06-27', 'advanced-tool-use-2025-11-20']
const knownBetas: VendorRule = {
  rule: 'Unexpected value(s) for the `anthropic-beta` header',
  source: 'github.com/anthropics/claude-code/issues/46105',
  read,
  broken: ({ headers }) =>
    String(headers['anthropic-beta'] ?? '')
      .split(',')
      .some((beta) => beta !== '' && !known.includes(beta)),
}

const noBudget: VendorRule = {
  rule: 'thinking: "enabled" is not supported for this model',
  source: 'learn.microsoft.com/azure/foundry/foundry-models/concepts/claude-models (thinking)',
  read,
  broken: ({ json: body }) => Object(Object(body).thinking).type === 'enabled',
}

const noSampling: VendorRule = {
  rule: 'temperature is deprecated for this model.',
  source: 'github.com/Comfy-Org/ComfyUI/issues/13923',
  read,
  broken: ({ path, json: body }) => path.includes('/anthropic/') && 'temperature' in Object(body),
}

const noMaxTokens: VendorRule = {
  rule: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  source: 'learn.microsoft.com/azure/foundry/openai/how-to/reasoning',
  read,
  broken: ({ path, json: body }) => path.includes('/openai/') && 'max_tokens' in Object(body),
}

const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5' },
  ...{ stop_reason: 'end_turn', stop_sequence: null },
  content: [{ type: 'text', text: 'Blue.' }],
  usage: { input_tokens: 10, output_tokens: 2 },
}
const response = {
  ...{ id: 'resp_1', object: 'response', created_at: 1_700_000_000, status: 'completed' },
  model: 'gpt-5.5',
  output: [
    {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Blue.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
}

const gateway = await scriptedGateway(t, {
  channel: {
    type: 3,
    models: 'writer,house,thinker',
    settings: {
      deployment_models: { writer: 'claude-opus-5', house: 'gpt-5.5', thinker: 'o4-mini' },
    },
  },
})
await gateway.admin.option('ModelRatio', { writer: 1, house: 1, thinker: 1 })
const { upstream } = gateway
const rules = [onlyMessages, versioned, knownBetas, noBudget, noSampling, noMaxTokens]
const sent = () => upstream.requests.at(-1)
const user = { role: 'user', content: 'Which colour?' }

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(
    strictly(rules, (request: Recorded, reply) => {
      const { path } = request
      const isMessages = path.includes('/messages')
      const body = isMessages ? message : path.includes('/responses') ? response : undefined
      json(200, body ?? chat.whole('Blue.', 10, 2))(request, reply)
    }),
  )
})

function messages({ url, key }: ScriptedGateway, body: object, headers: object = {}) {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': key, 'content-type': 'application/json' },
      ...{ 'anthropic-version': '2023-06-01', ...headers },
    },
    body: JSON.stringify({ model: 'writer', max_tokens: 100, messages: [user], ...body }),
  })
}

t.test('a messages client reaches Claude by a deployment of another name', async (t) => {
  const answer = await messages(
    gateway,
    {},
    {
      'anthropic-beta': 'claude-code-20250219,context-management-2025-06-27',
    },
  )
  t.equal(answer.status, 200, await answer.text())
  t.equal(sent()?.path, '/anthropic/v1/messages')
  t.match(sent()?.json, { model: 'writer' }, 'the upstream knows the deployment')
  t.equal(sent()?.headers['anthropic-beta'], 'context-management-2025-06-27')
})

t.test('chat and responses clients are converted', async (t) => {
  const answer = await gateway.chat({ model: 'writer', messages: [user] })
  t.equal(answer.status, 200)
  t.match(await answer.json(), { choices: [{ message: { content: 'Blue.' } }] })
  t.equal(sent()?.headers['anthropic-version'], '2023-06-01')
  const other = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'writer', input: 'Which colour?' }),
  })
  t.equal(other.status, 200)
  t.equal(sent()?.path, '/anthropic/v1/messages')
})

t.test('what the model behind the deployment refuses goes by the model', async (t) => {
  const budget = await messages(gateway, {
    ...{ max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 4096 } },
    temperature: 1,
  })
  t.equal(budget.status, 200, await budget.text())
  t.equal(budget.headers.get('x-waybill-lost'), 'temperature')
  t.match(sent()?.json, { model: 'writer', thinking: { type: 'adaptive' } })
})

t.test('[FMT-6] the limit of tokens goes by the model of a deployment', async (t) => {
  const answer = await gateway.chat({ model: 'thinker', messages: [user], max_tokens: 50 })
  t.equal(answer.status, 200)
  t.match(sent()?.json, { model: 'thinker', max_completion_tokens: 50 })
})

t.test('tools of a model that takes them on responses only go there', async (t) => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  const answer = await gateway.chat({ model: 'house', messages: [user], tools })
  t.equal(answer.status, 200)
  t.match(sent()?.path, '/openai/v1/responses')
  await gateway.chat({ model: 'house', messages: [user] })
  t.match(sent()?.path, '/openai/deployments/house/chat/completions')
})
