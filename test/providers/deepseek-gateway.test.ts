/** DeepSeek through the whole gateway: a tool that must be called, in each of the three formats. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json, type Recorded } from '../kit/upstream.js'
import { strictly } from '../kit/vendor.js'
import { forcedTools } from '../kit/vendors/deepseek.js'

const model = 'deepseek-v4-flash'
const gateway = await scriptedGateway(t, { channel: { type: 43, models: model } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [model]: 1 })
const user = { role: 'user', content: 'Look.' }
const schema = { type: 'object', properties: {} }
const tools = [{ type: 'function', function: { name: 'look', parameters: schema } }]
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Blue.' }],
  usage: { input_tokens: 10, output_tokens: 2 },
}

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(
    strictly([forcedTools], (request: Recorded, reply) => {
      const isMessages = request.path.includes('/messages')
      json(200, isMessages ? message : chat.whole('Blue.', 10, 2))(request, reply)
    }),
  )
})

const sent = () => upstream.requests.at(-1)

t.test('a chat client forces a tool: thinking is off, and reported as lost', async (t) => {
  for (const choice of ['required', { type: 'function', function: { name: 'look' } }]) {
    const answer = await gateway.chat({
      ...{ model, messages: [user], tools, tool_choice: choice },
      ...{ reasoning_effort: 'high', thinking: { type: 'enabled' } },
    })
    t.equal(answer.status, 200, JSON.stringify(choice))
    const lost = answer.headers.get('x-waybill-lost')?.split(', ') ?? []
    t.strictSame(lost.sort(), ['reasoning_effort', 'thinking'])
    t.match(sent()?.json, { thinking: { type: 'disabled' }, tool_choice: choice })
    t.notMatch(sent()?.json, { reasoning_effort: 'high' })
  }
})

t.test('thinking is on by default, so it is lost where nothing was requested too', async (t) => {
  const answer = await gateway.chat({ model, messages: [user], tools, tool_choice: 'required' })
  t.equal(answer.headers.get('x-waybill-lost'), 'thinking')
})

t.test('where no tool is forced, or thinking is off already, nothing is lost', async (t) => {
  for (const fields of [
    { tools, tool_choice: 'auto' },
    { tools, tool_choice: 'none' },
    { tools, tool_choice: 'required', thinking: { type: 'disabled' } },
    { tools, tool_choice: 'required', reasoning_effort: 'none' },
    {},
  ]) {
    const answer = await gateway.chat({ model, messages: [user], ...fields })
    t.equal(answer.status, 200, JSON.stringify(fields))
    t.equal(answer.headers.get('x-waybill-lost'), null)
  }
})

t.test('a messages client forces a tool', async (t) => {
  for (const choice of [{ type: 'any' }, { type: 'tool', name: 'look' }]) {
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...{ model, max_tokens: 100, messages: [user], tool_choice: choice },
        tools: [{ name: 'look', input_schema: schema }],
      }),
    })
    t.equal(answer.status, 200, choice.type)
    t.equal(answer.headers.get('x-waybill-lost'), 'thinking')
    t.equal(sent()?.path, '/anthropic/v1/messages')
    t.match(sent()?.json, { thinking: { type: 'disabled' }, tool_choice: choice })
  }
})

t.test('a responses client that forces a tool is converted to chat', async (t) => {
  const answer = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model, input: 'Look.', tool_choice: 'required' },
      tools: [{ type: 'function', name: 'look', parameters: schema }],
    }),
  })
  t.equal(answer.status, 200)
  t.equal(sent()?.path, '/chat/completions')
  t.match(sent()?.json, { thinking: { type: 'disabled' }, tool_choice: 'required' })
})
