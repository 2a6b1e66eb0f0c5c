/** OpenAI's models on Bedrock behind the whole gateway: responses as they are, and other clients converted to them. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'

const gpt = 'us.openai.gpt-5.6-sol'
const oss = 'openai.gpt-oss-20b-1:0'
const gateway = await scriptedGateway(t, {
  channel: { type: 33, key: 'ABSKkey|us-east-1', models: `${gpt},${oss}` },
})
await gateway.admin.option('ModelRatio', { [gpt]: 1, [oss]: 1 })
await gateway.admin.option('CompletionRatio', { [gpt]: 4, [oss]: 4 })
const { upstream } = gateway

const onItsRoute: VendorRule = {
  rule: "The model isn't supported on this route",
  source: 'docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.md',
  read: '2026-11-27',
  broken: ({ path, json: body }) => {
    const { model } = (body ?? {}) as { model?: string }
    if (path === '/v1/responses') return model !== 'openai.gpt-oss-20b'
    return path === '/openai/v1/responses' ? model !== gpt : !path.includes('gpt-oss')
  },
}

const reply = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: gpt },
  output: [
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
    },
  ],
  usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
}

function responses(body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  return fetch(`${gateway.url}/v1/responses`, request)
}

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(strictly([onItsRoute], json(200, reply)))
})

t.test('a client of responses is passed through, and charged', async (t) => {
  const body = { model: gpt, input: 'Hello', temperature: 1, text: { verbosity: 'low' } }
  const answer = await responses(body)
  t.same(await answer.json(), reply)
  t.match(upstream.requests[0], { path: '/openai/v1/responses', json: body })
  t.equal(upstream.requests[0]?.headers.authorization, 'Bearer ABSKkey')
  t.match((await gateway.logs())[0], { prompt_tokens: 9, completion_tokens: 2, quota: 17 })
})

t.test('[FMT-9] a chat client is converted to responses, tools and effort included', async (t) => {
  const tools = [{ type: 'function', function: { name: 'now', parameters: { type: 'object' } } }]
  const messages = [{ role: 'user', content: 'hello' }]
  const answer = await gateway.chat({ model: gpt, messages, tools, reasoning_effort: 'high' })
  t.match(await answer.json(), { choices: [{ message: { content: 'Hello there' } }] })
  t.match(upstream.requests[0], {
    path: '/openai/v1/responses',
    json: { model: gpt, reasoning: { effort: 'high' }, tools: [{ type: 'function', name: 'now' }] },
  })
})

t.test(
  'an open model is named there without its version, and is Converse’s for others',
  async (t) => {
    t.equal((await responses({ model: oss, input: 'Hello' })).status, 200)
    t.match(upstream.requests[0], { path: '/v1/responses', json: { model: 'openai.gpt-oss-20b' } })
    const whole = {
      output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
      ...{ stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 2 } },
    }
    upstream.script(strictly([onItsRoute], json(200, whole)))
    const answer = await gateway.chat({
      model: oss,
      messages: [{ role: 'user', content: 'hello' }],
    })
    t.match(await answer.json(), { choices: [{ message: { content: 'Hi.' } }] })
    t.match(upstream.requests[1]?.path, /\/converse$/)
  },
)
