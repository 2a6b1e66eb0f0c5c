/** Perplexity through the whole gateway: chat clients on the Agent API, which refuses what it does not know. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'
import { listIn, strictly } from '../kit/vendor.js'
import { perplexityRules as rules } from '../kit/vendors/perplexity.js'

const stream = readFileSync(new URL('../fixtures/perplexity/agent-search.sse', import.meta.url))

const whole = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'perplexity/sonar',
  output: [
    { type: 'search_results', queries: ['x'], results: [{ id: 1, url: 'https://a.example' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Sunny.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 30, output_tokens: 7, total_tokens: 37 },
}

async function channelFor(
  t: Parameters<typeof scriptedGateway>[0],
  upstream = 'sonar',
  settings = {},
) {
  const model_mapping = JSON.stringify({ [model]: upstream })
  return scriptedGateway(t, { channel: { type: 27, model_mapping, settings } })
}

t.test('a chat client’s request passes, and its answer is chat again', async (t) => {
  const gateway = await channelFor(t)
  gateway.upstream.script(strictly(rules, json(200, whole)))
  const answer = await gateway.chat(
    ask({
      max_tokens: 100,
      user: 'u',
      reasoning_effort: 'high',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'w', schema: { type: 'object' } },
      },
    }),
  )
  t.equal(answer.status, 200, await answer.clone().text())
  t.match(await answer.json(), {
    choices: [{ finish_reason: 'stop', message: { content: 'Sunny.' } }],
    usage: { prompt_tokens: 30, completion_tokens: 7 },
  })
  t.match(answer.headers.get('x-waybill-lost'), 'user')
  const { json: sent } = gateway.upstream.requests[0]!
  t.match(listIn(sent, 'tools'), [{ type: 'web_search' }], 'it searches, as it always did')
  t.match(sent, { response_format: { type: 'json_schema', json_schema: { name: 'w' } } })
})

t.test('streamed: the searches of the service are no tools of the client', async (t) => {
  const gateway = await channelFor(t)
  for (const pieces of [[stream], [stream.subarray(0, 700), stream.subarray(700)]]) {
    gateway.upstream.script(strictly(rules, events(...pieces)))
    const text = await (await gateway.chat(ask({ stream: true }))).text()
    t.match(text, 'sunny.[1]')
    t.notMatch(text, 'search_web')
    t.match(text, '"finish_reason":"stop"')
    t.ok(text.endsWith('data: [DONE]\n\n'))
  }
  const [row] = await gateway.logs()
  t.match(row, { prompt_tokens: 30, completion_tokens: 7 })
})

t.test('the tiers of before are presets, with the model named', async (t) => {
  for (const [name, preset] of [
    ['sonar-pro', 'low'],
    ['sonar-reasoning-pro', 'low'],
    ['sonar-deep-research', 'medium'],
  ] as const) {
    const gateway = await channelFor(t, name)
    gateway.upstream.script(strictly(rules, json(200, whole)))
    t.equal((await gateway.chat(ask())).status, 200)
    t.match(gateway.upstream.requests[0]?.json, { model: 'perplexity/sonar', preset }, name)
  }
})

t.test('a channel may stay with chat completions', async (t) => {
  const gateway = await channelFor(t, 'sonar', { api: 'chat-completions' })
  gateway.upstream.script(json(200, chat.whole('Sunny.', 10, 2)))
  t.match(await (await gateway.chat(ask())).json(), {
    choices: [{ message: { content: 'Sunny.' } }],
  })
  t.match(gateway.upstream.requests[0], { path: '/chat/completions', json: { model: 'sonar' } })
})
