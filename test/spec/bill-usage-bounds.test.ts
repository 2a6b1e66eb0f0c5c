/** What an upstream makes up is charged at what can be, and the operator sees it (decision 0036, M21). */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { upstream } = gateway
const mad = 1e15

for (const stream of [false, true]) {
  t.test(`[BILL-1] a mad count is bounded by the limit sent, streamed: ${stream}`, async (t) => {
    upstream.script(
      stream
        ? events(chat.delta('Hi.'), chat.stop(), chat.usage(10, mad), chat.done)
        : json(200, chat.whole('Hi.', 10, mad)),
    )
    const before = await gateway.balance()
    const answer = await gateway.chat(ask({ stream, max_tokens: 50 }))
    t.equal(answer.status, 200)
    await answer.text()
    const [row] = await gateway.logs()
    t.match(row, { prompt_tokens: 10, completion_tokens: 114, quota: 10 + 4 * 114 })
    t.equal(before - (await gateway.balance()), BigInt(10 + 4 * 114))
    t.match(JSON.parse(row!.other), {
      usage_anomaly: true,
      usage_corrected: { output: { reported: mad, charged: 114 } },
    })
  })
}

t.test('the operator sees how many there were', async (t) => {
  const { traffic } = { traffic: gateway.gateway.service('traffic') }
  t.equal(traffic.usageAnomalies(), 2)
})

t.test('[BILL-1] an honest answer beyond the hold is charged as it was counted', async (t) => {
  upstream.script(json(200, chat.whole('Thought of it.', 10, 40_000)))
  await (await gateway.chat(ask())).text()
  const [row] = await gateway.logs()
  t.match(row, { completion_tokens: 40_000, model_name: model })
  t.notMatch(JSON.parse(row!.other), { usage_anomaly: true })
})
