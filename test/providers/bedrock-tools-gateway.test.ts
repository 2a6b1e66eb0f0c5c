/** Tools and documents by Converse behind the whole gateway, in front of an upstream as strict as the service. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { strictly } from '../kit/vendor.js'
import { converseRules } from './bedrock-rules.js'

const upstreamModels = {
  nova: 'us.amazon.nova-pro-v1:0',
  mistral: 'mistral.mistral-large-2407-v1:0',
  llama: 'us.meta.llama4-scout-17b-instruct-v1:0',
  qwen: 'qwen.qwen3-32b-v1:0',
} as const
type Model = keyof typeof upstreamModels
const models = Object.keys(upstreamModels) as Model[]

const gateway = await scriptedGateway(t, {
  channel: {
    type: 33,
    key: 'ABSKkey|us-east-1',
    models: models.join(','),
    model_mapping: JSON.stringify(upstreamModels),
  },
})
const ratios = Object.fromEntries(models.map((model) => [model, 1]))
await gateway.admin.option('ModelRatio', ratios)
await gateway.admin.option('CompletionRatio', ratios)
const { upstream } = gateway

const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
const said = (content: object[], stopReason = 'end_turn') => ({
  output: { message: { role: 'assistant', content } },
  ...{ stopReason, usage },
})

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(strictly(converseRules, json(200, said([{ text: 'Noon.' }]))))
})

const parameters = { type: 'object', properties: { zone: { type: 'string' } } }
const tool = { type: 'function', function: { name: 'now', description: '', parameters } }
const call = {
  id: 'call:1',
  type: 'function',
  function: { name: 'now', arguments: '{"zone":"CET"}' },
}
const history = [
  { role: 'user', content: 'What time is it?' },
  { role: 'assistant', content: '', tool_calls: [call, { ...call, id: 'b' }] },
  { role: 'tool', tool_call_id: 'call:1', content: '12:00' },
  { role: 'user', content: 'Well?' },
  { role: 'tool', tool_call_id: 'b', content: '' },
]

t.test('a round of tools is taken by every model, with and without tools offered', async (t) => {
  for (const model of models) {
    for (const over of [{ tools: [tool] }, {}, { tools: [tool], tool_choice: 'none' }]) {
      const answer = await gateway.chat({ model, messages: history, ...over })
      t.equal(answer.status, 200, `${model} ${JSON.stringify(over)} ${await answer.text()}`)
      const isTold = !('tools' in over) || 'tool_choice' in over
      t.equal(answer.headers.get('x-waybill-lost'), isTold ? 'toolCall' : null)
    }
  }
})

t.test(
  '[FMT-9] an order to call a tool reaches models that take one, others refuse it',
  async (t) => {
    const named = { type: 'function', function: { name: 'now' } }
    const rows: [Model, unknown, boolean][] = [
      ['nova', 'required', true],
      ['nova', named, true],
      ['mistral', 'required', true],
      ['mistral', named, false],
      ['llama', 'required', false],
      ['qwen', named, false],
      ['llama', 'auto', true],
    ]
    for (const [model, tool_choice, isTaken] of rows) {
      const messages = [{ role: 'user', content: 'hello' }]
      const answer = await gateway.chat({ model, messages, tools: [tool], tool_choice })
      t.equal(answer.status, isTaken ? 200 : 400, `${model} ${JSON.stringify(tool_choice)}`)
      const body = await answer.json()
      if (!isTaken) t.match(body, { error: { code: 'not_expressible', param: 'toolChoice' } })
    }
  },
)

t.test('documents of one name, and one without words', async (t) => {
  const file = (filename: string) => ({
    type: 'file',
    file: { filename, file_data: `data:application/pdf;base64,${btoa('%PDF')}` },
  })
  const content = [file('Q3: report.pdf'), file('q3 report pdf'), file('Q3: report.pdf')]
  const answer = await gateway.chat({ model: 'nova', messages: [{ role: 'user', content }] })
  t.equal(answer.status, 200, await answer.text())
})

t.test('schemas as clients’ libraries make them', async (t) => {
  const schemas = [
    { properties: { at: { $ref: '#/$defs/At' } }, $defs: { At: { type: 'string' } } },
    { ...parameters, additionalProperties: false, $schema: 'https://json-schema.org/draft-07' },
    undefined,
  ]
  for (const model of models) {
    for (const schema of schemas) {
      const tools = [{ type: 'function', function: { name: 'now', parameters: schema } }]
      const answer = await gateway.chat({ model, messages: history.slice(0, 1), tools })
      t.equal(answer.status, 200, `${model} ${await answer.text()}`)
    }
  }
})

t.test(
  '[FMT-9] a model that calls tools in whole answers alone still answers a stream',
  async (t) => {
    const toolUse = { toolUseId: 'tooluse_1', name: 'now', input: { zone: 'CET' } }
    const whole = said([{ text: 'I will look.' }, { toolUse }], 'tool_use')
    upstream.script(strictly(converseRules, json(200, whole)))
    const messages = history.slice(0, 1)
    const answer = await gateway.chat({ model: 'llama', messages, tools: [tool], stream: true })
    t.match(answer.headers.get('content-type'), 'text/event-stream')
    const text = await answer.text()
    t.match(text, '"name":"now"')
    t.match(text, '"finish_reason":"tool_calls"')
    t.ok(text.endsWith('data: [DONE]\n\n'))
    t.match((await gateway.logs())[0], { prompt_tokens: 5, completion_tokens: 2, quota: 7 })
  },
)

t.test('a mark for an hour is kept for minutes, and that is said', async (t) => {
  const cache_control = { type: 'ephemeral', ttl: '1h' }
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      ...{ model: 'nova', max_tokens: 10 },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'long', cache_control }] }],
    }),
  })
  t.equal(answer.status, 200, await answer.text())
  t.equal(answer.headers.get('x-waybill-lost'), 'cache.ttl')
})
