/** Services of the table behind a whole gateway: what they refuse, keys they have not, and formats that pass as they are. */
import t from 'tap'
import { ask, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json } from '../kit/upstream.js'

const messages = [{ role: 'user', name: 'ada', content: 'Hello' }]

t.test('Groq gets no field it refuses, and the client is told which', async (t) => {
  const here = await scriptedGateway(t, { channel: { type: 'chat-compatible/groq' } })
  here.upstream.script(json(200, chat.whole('hi', 3, 1)))
  const response = await here.chat(ask({ messages, logprobs: true }))
  t.equal(response.status, 200)
  t.match(response.headers.get('x-waybill-lost'), /logprobs/)
  t.match(response.headers.get('x-waybill-lost'), /messages\.name/)
  const { path, json: sent } = here.upstream.requests.at(-1)!
  t.equal(path, '/v1/chat/completions')
  t.strictSame((sent as { messages: unknown }).messages, [{ role: 'user', content: 'Hello' }])
  t.notOk('logprobs' in (sent as object))
})

t.test('a vLLM without a key serves messages clients in their own format', async (t) => {
  const here = await scriptedGateway(t, { channel: { type: 62, key: '-' } })
  const reply = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    ...{ content: [{ type: 'text', text: 'hi' }], usage: { input_tokens: 3, output_tokens: 1 } },
    stop_sequence: null,
  }
  here.upstream.script(json(200, reply))
  const response = await fetch(`${here.url}/v1/messages`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': here.key, 'anthropic-version': '2023-06-01' },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...ask(), max_tokens: 10 }),
  })
  t.match(await response.json(), { content: [{ text: 'hi' }] })
  const request = here.upstream.requests.at(-1)!
  t.equal(request.path, '/v1/messages')
  t.notOk('authorization' in request.headers)
  t.equal((await here.logs()).at(0)?.prompt_tokens, 3)
})

t.test('a gateway of the family serves generative clients as they are', async (t) => {
  const here = await scriptedGateway(t, { channel: { type: 60 } })
  const content = { role: 'model', parts: [{ text: 'hi' }] }
  here.upstream.script(
    json(200, {
      candidates: [{ content, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
    }),
  )
  const response = await fetch(`${here.url}/v1beta/models/gpt-4o-mini:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': here.key, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  })
  t.match(await response.json(), { candidates: [{ content }] })
  const request = here.upstream.requests.at(-1)!
  t.equal(request.path, '/v1beta/models/gpt-4o-mini:generateContent')
  t.equal(request.headers.authorization, 'Bearer upstream-key')
})
