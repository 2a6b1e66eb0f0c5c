/** DashScope through the whole gateway: one answer out of a model that only streams. */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json, type Recorded } from '../kit/upstream.js'

const gateway = await scriptedGateway(t, {
  channel: { type: 17, model_mapping: JSON.stringify({ [model]: 'qvq-max' }) },
})
const { upstream } = gateway

t.test('a client that wants one piece gets it, with its usage', async (t) => {
  upstream.script((request: Recorded, reply) => {
    const { stream } = request.json as { stream?: boolean }
    return stream === true
      ? events(
          chat.role(),
          chat.delta('Hello'),
          chat.delta(' there'),
          chat.stop(),
          chat.usage(10, 2),
        )(request, reply)
      : json(400, { error: { message: 'This model only support stream mode.' } })(request, reply)
  })
  const answer = await gateway.chat(ask())
  t.equal(answer.headers.get('content-type'), 'application/json')
  t.match(await answer.json(), {
    choices: [{ message: { content: 'Hello there' } }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  })
  t.match((await gateway.logs())[0], { prompt_tokens: 10, completion_tokens: 2, quota: 18 })
})
