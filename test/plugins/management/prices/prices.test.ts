/** The editor of prices: rows over all maps, and changes that are all or nothing. */
import t from 'tap'
import { admin, channel, root, shelf } from '../models/shelf.js'

const gateway = await shelf(t)
const { must, call, stored, pricing } = gateway

const empty = {
  model_price: null,
  model_ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
  image_ratio: null,
  audio_ratio: null,
  audio_completion_ratio: null,
  rate_card: null,
}
const maps = {
  ModelRatio: '{"a-1":1.50,"b":2}',
  ModelPrice: '{"b":0.04}',
  CompletionRatio: '{"a-1":4,"c":8}',
  FreeModels: '["d"]',
  TaskRateCards: '{}',
}

t.beforeEach(async () => {
  gateway.caller = root
  gateway.channels = [channel(1, { models: ['a-1', 'c', 'new'] })]
  for (const key of ['CacheRatio', 'CreateCacheRatio', 'ImageRatio', 'AudioRatio']) {
    await must('PUT', '/api/option/', { key, value: '{}' })
  }
  await must('PUT', '/api/option/', { key: 'AudioCompletionRatio', value: '{}' })
  for (const [key, value] of Object.entries(maps)) await must('PUT', '/api/option/', { key, value })
})

t.test('one row per model over all maps, paged and searched', async (t) => {
  const page = await must('GET', '/api/prices/')
  t.strictSame(page, {
    page: 1,
    page_size: 10,
    total: 4,
    items: [
      {
        model: 'a-1',
        mode: 'ratio',
        ...empty,
        model_ratio: 1.5,
        completion_ratio: 4,
        served: true,
      },
      { model: 'b', mode: 'price', ...empty, model_ratio: 2, model_price: 0.04, served: false },
      { model: 'c', mode: 'none', ...empty, completion_ratio: 8, served: true },
      { model: 'd', mode: 'free', ...empty, served: false },
    ],
  })
  const names = async (query: string) =>
    (await must('GET', `/api/prices?${query}`)).items.map(({ model }: { model: string }) => model)
  t.strictSame(await names('p=2&page_size=3'), ['d'])
  t.strictSame(await names('keyword=A-'), ['a-1'])
  t.strictSame(await names('p=9'), [])
})

t.test('missing are the served names without a price of their own', async (t) => {
  t.strictSame(await must('GET', '/api/prices/missing'), ['c', 'new'])
  gateway.caller = admin
  await must('GET', '/api/prices/missing')
})

t.test('a change answers each model as it was and as it is', async (t) => {
  const changes = {
    'a-1': { model_ratio: 3, completion_ratio: null },
    d: null,
    new: { free: true },
  }
  const { seen, ...dry } = await must('PUT', '/api/prices/?dry_run=true', { changes })
  t.strictSame(dry, {
    saved: false,
    rows: [
      {
        model: 'a-1',
        before: {
          model: 'a-1',
          mode: 'ratio',
          ...empty,
          model_ratio: 1.5,
          completion_ratio: 4,
          served: true,
        },
        after: { model: 'a-1', mode: 'ratio', ...empty, model_ratio: 3, served: true },
      },
      { model: 'd', before: { model: 'd', mode: 'free', ...empty, served: false }, after: null },
      { model: 'new', before: null, after: { model: 'new', mode: 'free', ...empty, served: true } },
    ],
  })
  t.equal(await stored('ModelRatio'), maps.ModelRatio, 'a dry run saves nothing')
  t.strictSame(await must('PUT', '/api/prices/', { changes, seen }), { ...dry, seen, saved: true })
  t.equal(await stored('ModelRatio'), '{\n  "a-1": 3,\n  "b": 2\n}')
  t.equal(pricing.priced('new'), true)
  t.equal(pricing.priced('d'), false)
})

t.test('what was compared is saved only while the prices compared with still stand', async (t) => {
  const changes = { 'a-1': { completion_ratio: 5 }, fresh: { model_ratio: 1 } }
  const { seen } = await must('PUT', '/api/prices/?dry_run=true', { changes })
  await must('PUT', '/api/prices/', { changes: { b: { model_price: 1 } } })
  t.equal(
    (await must('PUT', '/api/prices/?dry_run=true', { changes })).seen,
    seen,
    'others count not',
  )
  await must('PUT', '/api/prices/', { changes: { 'a-1': { model_ratio: 9 } } })
  const before = await must('GET', '/api/prices/?page_size=100')
  const late = await call('PUT', '/api/prices/', { changes, seen })
  t.match({ status: late.status, field: late.body.field }, { status: 409, field: 'seen' })
  t.strictSame(await must('GET', '/api/prices/?page_size=100'), before, 'nothing of it is saved')
  const again = await must('PUT', '/api/prices/?dry_run=true', { changes })
  await must('PUT', '/api/prices/', { changes, seen: again.seen })
  t.match(pricing.current().quote('a-1'), { figures: { model_ratio: 9, completion_ratio: 5 } })
})

t.test('two admins who price different models at once lose nothing', async (t) => {
  const models = Array.from({ length: 8 }, (_, index) => `m${index}`)
  await Promise.all(
    models.map((model) =>
      must('PUT', '/api/prices/', { changes: { [model]: { model_ratio: 1, cache_ratio: 0.5 } } }),
    ),
  )
  for (const model of models) {
    t.match(
      pricing.current().quote(model),
      { figures: { model_ratio: 1, cache_ratio: 0.5 } },
      model,
    )
  }
  t.match(pricing.current().quote('b'), { mode: 'price' })
})

t.test('a whole list is taken over in one change', async (t) => {
  const names = Array.from({ length: 20_001 }, (_, index) => `whole-${index}`)
  const listed = (models: readonly string[]) => ({
    changes: Object.fromEntries(models.map((model) => [model, { model_ratio: 1 }])),
  })
  const path = '/api/prices/?dry_run=true'
  const { rows } = await must('PUT', path, listed(names.slice(0, 19_000)))
  t.equal(rows.length, 19_000)
  const tooMany = await call('PUT', path, listed(names))
  t.match([tooMany.status, tooMany.body.code], [413, 'json_too_large'])
})

t.test('[BILL-7] [BILL-8] a change that breaks the rules is refused by name', async (t) => {
  const before = await must('GET', '/api/prices/?page_size=100')
  const change = (fields: unknown, model = 'a-1') => ({ changes: { [model]: fields } })
  const rows: readonly (readonly [unknown, string, RegExp])[] = [
    [{}, 'changes', /^changes is required/],
    [{ changes: null }, 'changes', /^changes must be of type object/],
    [{ changes: {} }, 'changes', /at least 1 key/],
    [
      change({ model_ratio: -0.1 }),
      'changes.a-1.model_ratio',
      /^changes\.a-1\.model_ratio must be/,
    ],
    [change({ cache_ratio: 'x' }), 'changes.a-1.cache_ratio', /must be a number/],
    [change({ image_ratio: '' }), 'changes.a-1.image_ratio', /must be a number/],
    [change({ audio_ratio: [] }), 'changes.a-1.audio_ratio', /must be a number/],
    ['{"changes":{"a-1":{"model_price":1e400}}}', 'model_price', /"model_price" is too large/],
    [change({ model_price: 1e13 }), 'ModelPrice', /at most 12 digits before the point for "a-1"/],
    [change({ colour: 1 }), 'changes.a-1.colour', /is not allowed/],
    [change(5), 'changes.a-1', /must be of type object/],
    [change({ model_ratio: 1 }, ''), 'changes', /^The model "" is empty/],
    [change({ model_ratio: 1 }, 'm'.repeat(257)), 'changes', /longer than 256 characters/],
    [
      { changes: { 'a-1': { model_ratio: 1 }, 'a-1 ': { model_ratio: 2 } } },
      'changes',
      /^The model "a-1" stands there twice/,
    ],
  ]
  for (const [body, field, message] of rows) {
    for (const path of ['/api/prices/', '/api/prices/?dry_run=true']) {
      const answer = await call('PUT', path, body)
      t.match(answer, { status: 400, body: { success: false, field, message } }, field)
    }
  }
  t.strictSame(await must('GET', '/api/prices/?page_size=100'), before)
})

const rates = [
  { when: { resolution: '1080p', audio: 'true' }, price: '0.20' },
  { when: { resolution: '1080p', audio: '*' }, price: '0.10' },
]
const video = { unit: 'second', rates, minimum: '5', step: '1' }

t.test('a rate card is previewed, saved, listed and taken away like any price', async (t) => {
  const changes = {
    'a-1': { rate_card: video },
    clip: { rate_card: { unit: 'task', price: '0.50' } },
  }
  const { seen, rows } = await must('PUT', '/api/prices/?dry_run=true', { changes })
  t.match(rows, [
    {
      model: 'a-1',
      before: { mode: 'ratio', rate_card: null },
      after: { mode: 'card', rate_card: video, model_ratio: 1.5 },
    },
    { model: 'clip', before: null, after: { mode: 'card', served: false } },
  ])
  t.equal(await stored('TaskRateCards'), '{}', 'a dry run saves nothing')
  const other = (price: string) => ({ clip: { rate_card: { unit: 'task', price } } })
  await must('PUT', '/api/prices/', { changes, seen })
  const again = await must('PUT', '/api/prices/?dry_run=true', { changes: other('7') })
  await must('PUT', '/api/prices/', { changes: other('9') })
  const late = await call('PUT', '/api/prices/', { changes: other('7'), seen: again.seen })
  t.match(late, { status: 409, body: { field: 'seen' } }, 'a card is part of what was compared')
  await must('PUT', '/api/prices/', { changes })
  const { items } = await must('GET', '/api/prices/?keyword=clip')
  t.strictSame(items[0].rate_card, { unit: 'task', price: '0.50' })
  await must('PUT', '/api/prices/', { changes: { 'a-1': { rate_card: null }, clip: null } })
  t.equal(await stored('TaskRateCards'), '{}')
})

t.test('[BILL-6] an example shows each step of a task that a card prices', async (t) => {
  const ask = { model: 'clip', card: video, quantity: 4.2, dimensions: { resolution: '1080P' } }
  t.strictSame(await must('POST', '/api/prices/example', ask), {
    priced: true,
    unpriced: null,
    steps: {
      quantity: '4.2',
      minimum: '5',
      after_minimum: '5',
      step: '1',
      units: '5',
      rate: 2,
      price: '0.1',
      group_ratio: '1',
    },
    sum: '250000',
    quota: 250_000,
    hold: 250_000,
  })
  const unknown = await must('POST', '/api/prices/example', {
    ...ask,
    dimensions: { resolution: '4k' },
  })
  t.match(unknown, {
    priced: false,
    unpriced: { dimension: 'resolution', message: /"clip" with resolution "4k"/ },
    steps: null,
    quota: 0,
  })
  const none = await must('POST', '/api/prices/example', { ...ask, quantity: 0 })
  t.match(none, { priced: true, steps: null, quota: 0, hold: 250_000 })
})

t.test(
  '[BILL-7] [BILL-8] a card or an example that breaks the rules is refused by name',
  async (t) => {
    const card = (rate_card: unknown) => ({ changes: { 'a-1': { rate_card } } })
    const place = 'changes.a-1.rate_card'
    const changes: readonly (readonly [unknown, string, RegExp])[] = [
      [card(5), place, /must be of type object/],
      [card({}), `${place}.unit`, /is required/],
      [card({ unit: 'second', price: 1 }), `${place}.price`, /must be a string/],
      [card({ unit: 'second', price: '1', tax: '1' }), `${place}.tax`, /is not allowed/],
      [card({ unit: 'second', rates: [{ when: {} }] }), `${place}.rates.0.price`, /is required/],
      [
        card({ unit: 'second', rates: [{ when: { a: 1 }, price: '1' }] }),
        `${place}.rates.0.when.a`,
        /./,
      ],
      [
        card({ unit: 'second', price: '-1' }),
        'TaskRateCards',
        /must not be negative for price of "a-1"/,
      ],
      [card({ unit: 'second', rates: [rates[1], rates[0]] }), 'TaskRateCards', /never reached/],
    ]
    for (const [body, field, message] of changes) {
      const answer = await call('PUT', '/api/prices/', body)
      t.match(answer, { status: 400, body: { success: false, field, message } }, field)
    }
    t.equal(await stored('TaskRateCards'), '{}')
    const ask = { model: 'clip', card: video, quantity: 1 }
    const examples: readonly (readonly [unknown, string, RegExp])[] = [
      [{ ...ask, model: '' }, 'model', /./],
      [{ ...ask, quantity: -1 }, 'quantity', /greater than or equal to 0/],
      [{ ...ask, group: 'none' }, 'group', /group has no ratio/],
      [{ ...ask, dimensions: { a: 1 } }, 'dimensions.a', /must be a string/],
      [
        { ...ask, card: { unit: 'Second', price: '1' } },
        'TaskRateCards',
        /must name the unit of "clip"/,
      ],
    ]
    for (const [body, field, message] of examples) {
      const answer = await call('POST', '/api/prices/example', body)
      t.match(answer, { status: 400, body: { success: false, field, message } }, field)
    }
  },
)

t.test('the editor is for root', async (t) => {
  gateway.caller = admin
  t.equal((await call('GET', '/api/prices/')).status, 403)
  t.equal((await call('PUT', '/api/prices/', { changes: { a: null } })).status, 403)
  t.equal((await call('POST', '/api/prices/example', {})).status, 403)
})
