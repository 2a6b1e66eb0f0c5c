/** Baidu under the number of its retired first version: what it documents as that one's successor, through a whole gateway. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'

const read = '2026-11-27'

const onlyV2: VendorRule = {
  rule: 'The first version was taken down on 2026-08-31',
  source: 'cloud.baidu.com/doc/qianfan/s/rmse4vxp8',
  read,
  broken: ({ path }) => !/^\/v2\/(?:chat\/completions|completions|embeddings|rerank)$/.test(path),
}

const bearer: VendorRule = {
  rule: 'invalid_iam_token',
  source: 'ai.baidu.com/ai-doc/WENXINWORKSHOP/0m2vwrjws (an API key of the second version)',
  read,
  broken: ({ headers }) => !String(headers.authorization).startsWith('Bearer bce-v3/ALTAK-'),
}

const v2 = 'bce-v3/ALTAK-aBcDeFgH/614fb0123456789'
const model = 'ernie'
const gateway = await scriptedGateway(t, {
  channel: {
    ...{ type: 15, key: `${v2}|app-7`, models: model },
    model_mapping: JSON.stringify({ [model]: 'ernie-4.0-8k' }),
  },
})
const { upstream, admin } = gateway
await admin.option('ModelRatio', { [model]: 1 })

const ask = () => gateway.chat({ model, messages: [{ role: 'user', content: 'Hello' }] })

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(strictly([onlyV2, bearer], json(200, chat.whole('Hi.', 10, 2))))
})

t.test('a key of the second version is served, with its application', async (t) => {
  const answer = await ask()
  t.equal(answer.status, 200, await answer.text())
  t.match(upstream.requests[0], {
    path: '/v2/chat/completions',
    headers: { appid: 'app-7' },
    json: { model: 'ernie-4.0-8k' },
  })
})

t.test('a pair of the first version is refused and sent nowhere', async (t) => {
  const secret = '0rDSjzQ20XUj5itV6WRtznPQSzr5pVw2'
  await admin.must('PUT', '/api/channel/', {
    id: gateway.channelId,
    key: `Va5yQRHlA4Fq5eR3LT0vuXV4|${secret}`,
  })
  const answer = await ask()
  t.not(answer.status, 200)
  t.notMatch(await answer.text(), secret)
  t.equal(upstream.requests.length, 0)
})
