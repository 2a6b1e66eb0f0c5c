/** The public page of models and prices, and the ratios for other gateways. */
import t from 'tap'
import { channel, member, root, shelf } from '../models/shelf.js'

const gateway = await shelf(t)
const { must, call } = gateway

for (const [key, value] of Object.entries({
  ModelRatio: '{"a-1":1.25,"a-2":2,"free":1,"hidden":1}',
  ModelPrice: '{"picture":0.04}',
  CompletionRatio: '{"a-1":4}',
  CacheRatio: '{"a-1":0.1}',
  CreateCacheRatio: '{}',
  FreeModels: '["free"]',
})) {
  await must('PUT', '/api/option/', { key, value })
}
const acme = (await must('POST', '/api/vendors/', { name: 'Acme', icon: 'A' })).id
await must('POST', '/api/vendors/', { name: 'Of nothing shown' })
const entry = { description: 'text', icon: 'I', tags: 'x,y', vendor_id: acme }
await must('POST', '/api/models/', { ...entry, model_name: 'a-', name_rule: 1 })
await must('POST', '/api/models/', { model_name: 'hidden', status: 0 })
await must('POST', '/api/models/', {
  model_name: 'picture',
  endpoints: { own: '/v1/own', odd: {} },
})

t.beforeEach(() => {
  gateway.channels = [
    channel(1, { models: ['a-1', 'picture', 'free', 'hidden', 'unpriced'] }),
    channel(2, { models: ['a-1', 'a-2'], groups: ['vip'] }),
    channel(3, { models: ['a-2'], groups: ['secret'] }),
    channel(4, { models: ['a-2'], enabled: false }),
  ]
  gateway.usable = { default: ['default'], vip: ['default', 'vip'] }
  gateway.caller = undefined
})

const page = async () => (await call('GET', '/api/pricing')).body
const names = (body: { data: { model_name: string }[] }) => body.data.map((row) => row.model_name)
const chat = ['openai', 'openai-response', 'anthropic', 'gemini']

t.test(
  'nobody signed in sees what an ordinary user does, in the shape of the family',
  async (t) => {
    const { success, message, ...body } = await page()
    t.strictSame([success, message], [true, ''])
    const usual = {
      description: '',
      icon: '',
      tags: '',
      vendor_id: 0,
      owner_by: '',
      model_price: 0,
    }
    t.strictSame(body.data, [
      {
        ...entry,
        model_name: 'a-1',
        quota_type: 0,
        model_ratio: 1.25,
        model_price: 0,
        owner_by: 'Acme',
        completion_ratio: 4,
        cache_ratio: 0.1,
        enable_groups: ['default'],
        supported_endpoint_types: chat,
      },
      {
        ...usual,
        model_name: 'free',
        quota_type: 0,
        model_ratio: 0,
        completion_ratio: 1,
        enable_groups: ['default'],
        supported_endpoint_types: chat,
      },
      {
        ...usual,
        model_name: 'picture',
        quota_type: 1,
        model_ratio: 0,
        model_price: 0.04,
        completion_ratio: 1,
        enable_groups: ['default'],
        supported_endpoint_types: ['own', 'odd'],
      },
    ])
    const { data, ...beside } = body
    t.strictSame(beside, {
      vendors: [{ id: acme, name: 'Acme', description: '', icon: 'A' }],
      group_ratio: { default: 0.5 },
      usable_group: { default: 'The default' },
      supported_endpoint: {
        openai: { path: '/v1/chat/completions', method: 'POST' },
        'openai-response': { path: '/v1/responses', method: 'POST' },
        anthropic: { path: '/v1/messages', method: 'POST' },
        gemini: { path: '/v1beta/models/{model}:generateContent', method: 'POST' },
        own: { path: '/v1/own', method: 'POST' },
      },
      auto_groups: ['default'],
    })
  },
)

t.test(
  'a rate card stands beside the fields of the family, whose programs see the least it costs',
  async (t) => {
    const rates = [
      { when: { resolution: '1080p' }, price: '0.10' },
      { when: { resolution: '*' }, price: '0.07' },
    ]
    const card = { unit: 'second', rates, minimum: '5' }
    const clip = { rate_card: card }
    gateway.caller = root
    await must('PUT', '/api/prices/', { changes: { 'a-2': clip, picture: { rate_card: card } } })
    gateway.caller = member
    const [, video, , picture] = (await page()).data
    t.match(video, { model_name: 'a-2', quota_type: 1, model_ratio: 0, model_price: 0.35 })
    t.strictSame(video.rate_card, card)
    t.match(picture, { model_name: 'picture', quota_type: 1, model_price: 0.04 })
    t.notOk('rate_card' in picture, 'a fixed price goes before it')
    gateway.caller = root
    await must('PUT', '/api/prices/', {
      changes: { 'a-2': { rate_card: null }, picture: { rate_card: null } },
    })
  },
)

t.test('who is signed in sees the groups they may use, each model once', async (t) => {
  gateway.caller = member
  const body = await page()
  t.strictSame(names(body), ['a-1', 'a-2', 'free', 'picture'])
  t.strictSame(body.data[0].enable_groups, ['default', 'vip'])
  t.strictSame(body.data[1].enable_groups, ['vip'], 'groups of others stay unknown')
  t.strictSame(body.group_ratio, { default: 0.5, vip: 0.5 })
  t.strictSame(body.auto_groups, ['default', 'vip'])
  t.notMatch(JSON.stringify(body), /secret/)
})

t.test('what has no price cannot be called and is shown to nobody', async (t) => {
  t.notOk(names(await page()).includes('unpriced'))
  gateway.caller = root
  t.notOk(names(await page()).includes('unpriced'))
  t.notOk(names(await page()).includes('hidden'))
})

t.test('with nothing to show the page is empty and whole', async (t) => {
  gateway.channels = []
  t.match(await page(), { success: true, data: [], vendors: [], supported_endpoint: {} })
})

t.test('the ratios of all models are shown only where the operator states so', async (t) => {
  t.match(await call('GET', '/api/ratio_config'), { status: 403, body: { success: false } })
  gateway.caller = root
  t.equal((await call('GET', '/api/ratio_config')).status, 403, 'rank changes nothing')
  await must('PUT', '/api/option/', { key: 'ExposeRatioEnabled', value: true })
  gateway.caller = undefined
  const expected = {
    model_ratio: { 'a-1': 1.25, 'a-2': 2, free: 1, hidden: 1 },
    completion_ratio: { 'a-1': 4 },
    cache_ratio: { 'a-1': 0.1 },
    create_cache_ratio: {},
    model_price: { picture: 0.04 },
  }
  t.strictSame(await must('GET', '/api/ratio_config'), expected)
  gateway.caller = root
  await must('PUT', '/api/prices/', { changes: { 'a-2': { model_ratio: 3 } } })
  t.equal((await must('GET', '/api/ratio_config')).model_ratio['a-2'], 3, 'as of now')
  await must('PUT', '/api/option/', { key: 'ExposeRatioEnabled', value: false })
  t.equal((await call('GET', '/api/ratio_config')).status, 403)
})
