/**
 * Cohere behind the whole gateway: a stream to clients of two formats, a whole answer, a refusal and what all that
 * costs.
 */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { events, json } from '../kit/upstream.js'
import { recorded, recordedJson } from './cohere-recorded.js'

const gateway = await scriptedGateway(t, {
  channel: { type: 34, model_mapping: JSON.stringify({ [model]: 'command-a-03-2025' }) },
})
const { upstream } = gateway

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

t.test(
  'a chat client streams what the service streams, at the price of what it bills',
  async (t) => {
    upstream.script(events(recorded('tools.sse')))
    const charged = await cost(async () => {
      const answer = await gateway.chat(ask({ stream: true, user: 'u-1', tools: [tool] }))
      t.equal(answer.headers.get('x-waybill-lost'), 'user')
      const text = await answer.text()
      t.match(text, /"name":"get_weather"/)
      t.match(text, /"finish_reason":"tool_calls"/)
      t.match(text, /\[DONE\]\n\n$/)
    })
    t.equal(charged, 37n + 4n * 22n)
    t.match(upstream.requests.at(-1), {
      path: '/v2/chat',
      json: { model: 'command-a-03-2025', stream: true },
    })
  },
)

t.test('a whole answer is reported in the words of the client', async (t) => {
  upstream.script(json(200, recordedJson('text.json')))
  const body = await (await gateway.chat(ask())).json()
  t.match(body, {
    choices: [
      {
        message: { content: 'Bern is it.', reasoning_content: 'They ask for the capital.' },
        finish_reason: 'length',
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 14 },
  })
})

t.test(
  '[FMT-9] what the service cannot say is a 400 that names it, and nothing is sent',
  async (t) => {
    const before = upstream.requests.length
    const answer = await gateway.chat(ask({ n: 2 }))
    t.equal(answer.status, 400)
    t.match(await answer.json(), {
      error: { code: 'not_expressible', message: /sampling\.choices/ },
    })
    t.equal(upstream.requests.length, before)
  },
)

t.test('rerank is charged by what was sent, since no tokens are reported', async (t) => {
  upstream.script(json(200, recordedJson('rerank.json')))
  const charged = await cost(async () => {
    const answer = await fetch(`${gateway.url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, query: 'capital', documents: ['one', 'two', 'three'] }),
    })
    t.match(await answer.json(), { results: [{ index: 2 }, { index: 0 }] })
  })
  t.ok(charged > 0n && charged < 20n, 'a few words')
})

t.test('an error in the place of a stream is an error, and nothing is charged', async (t) => {
  upstream.script(json(200, { message: 'internal error' }))
  const charged = await cost(async () => {
    const answer = await gateway.chat(ask({ stream: true }))
    t.ok(answer.status >= 500, String(answer.status))
    await answer.text()
  })
  t.equal(charged, 0n)
})

const tool = { type: 'function', function: { name: 'get_weather' } }
