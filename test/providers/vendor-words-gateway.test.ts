/** What a vendor refuses, through the whole gateway: tools it leaves to the model, sampling of models that reason, a member. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { speak } from '../kit/speaking/index.js'
import { listIn, strictly } from '../kit/vendor.js'
import { openai } from '../kit/vendors/openai.js'
import type { Vendor } from '../kit/vendors/vendor.js'
import { volcengine } from '../kit/vendors/volcengine.js'
import { zhipu } from '../kit/vendors/zhipu.js'

async function at(t: Parameters<typeof scriptedGateway>[0], { type, rules, models }: Vendor) {
  const [model] = models
  const gateway = await scriptedGateway(t, { channel: { type, models: model } })
  await gateway.admin.option('ModelRatio', { [model!]: 1 })
  gateway.upstream.script(strictly(rules, speak({ text: 'Blue.' })))
  return { ...gateway, model: model!, sent: () => gateway.upstream.requests.at(-1)?.json }
}

const messages = [{ role: 'user', content: 'Look.' }]
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
})

t.test(
  '[FMT-9] Zhipu leaves tools to the model: the one that must be called is offered alone',
  async (t) => {
    const { chat, model, sent } = await at(t, zhipu)
    const tools = [tool('look'), tool('other')]
    const named = { type: 'function', function: { name: 'look' } }
    const answer = await chat({ model, messages, tools, tool_choice: named })
    t.equal(answer.status, 200, await answer.clone().text())
    t.equal(answer.headers.get('x-waybill-lost'), 'tool_choice.function')
    t.match(sent(), { tools: [{ function: { name: 'look' } }], tool_choice: 'auto' })
    t.equal(listIn(sent(), 'tools').length, 1)
    const required = await chat({ model, messages, tools, tool_choice: 'required' })
    t.equal(required.status, 200, await required.clone().text())
    t.equal(required.headers.get('x-waybill-lost'), 'tool_choice')
  },
)

t.test('[FMT-9] sampling of an OpenAI model that reasons is left out and named', async (t) => {
  const { chat, model, sent } = await at(t, openai)
  const answer = await chat({ model, messages, temperature: 0.2, top_p: 1 })
  t.equal(answer.status, 200, await answer.clone().text())
  t.equal(answer.headers.get('x-waybill-lost'), 'temperature')
  t.match(sent(), { top_p: 1 }, 'the default passes')
  t.notOk('temperature' in sent()!)
})

t.test('[FMT-9] Ark refuses the key of a cache in responses: left out and named', async (t) => {
  const { url, key, model, sent } = await at(t, volcengine)
  const answer = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'Look.', prompt_cache_key: 'a' }),
  })
  t.equal(answer.status, 200, await answer.clone().text())
  t.equal(answer.headers.get('x-waybill-lost'), 'prompt_cache_key')
  t.notOk('prompt_cache_key' in sent()!)
})
