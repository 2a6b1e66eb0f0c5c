/** Entries about models as admins write and read them. */
import t from 'tap'
import { admin, channel, member, shelf } from './shelf.js'

const gateway = await shelf(t)
const { must, call, registry } = gateway

t.beforeEach(async () => {
  gateway.caller = admin
  gateway.channels = []
  await gateway.clear()
})

const make = (over: object = {}) => must('POST', '/api/models/', { model_name: 'a-1', ...over })
const vendor = async (name: string) => (await must('POST', '/api/vendors/', { name })).id

t.test('an entry is the record of the family, with what it means at this moment', async (t) => {
  const acme = await vendor('Acme')
  gateway.channels = [
    channel(4, { models: ['a-1', 'b'], groups: ['vip', 'default'] }),
    channel(2, { models: ['a-2'], groups: ['lab'], type: 14 }),
    channel(3, { models: ['a-3'], enabled: false }),
  ]
  gateway.caller = { ...admin, role: 100 }
  await must('PUT', '/api/prices/', {
    changes: { 'a-1': { model_ratio: 1 }, 'a-2': { model_price: 1 } },
  })
  const made = await make({
    model_name: ' a- ',
    name_rule: 1,
    description: 'text',
    icon: 'A',
    tags: 'x,y',
    vendor_id: acme,
    endpoints: '["openai", "openai", "own"]',
  })
  const { created_time, updated_time, ...record } = made
  t.ok(created_time > 1_600_000_000 && updated_time >= created_time)
  t.strictSame(record, {
    id: made.id,
    model_name: 'a-',
    name_rule: 1,
    description: 'text',
    icon: 'A',
    tags: 'x,y',
    vendor_id: acme,
    vendor_name: 'Acme',
    endpoints: '["openai","own"]',
    status: 1,
    sync_official: 1,
    kind: null,
    context_length: null,
    max_output: null,
    input_modalities: null,
    output_modalities: null,
    capabilities: null,
    known: null,
    bound_channels: [
      { id: 2, name: 'channel 2', type: 14 },
      { id: 4, name: 'channel 4', type: 1 },
    ],
    bound_count: 2,
    enable_groups: ['default', 'lab', 'vip'],
    quota_types: [0, 1],
    matched_models: ['a-1', 'a-2'],
    matched_count: 2,
  })
  t.strictSame(await must('GET', `/api/models/${made.id}`), made)
  await make({ model_name: 'a-2' })
  t.match(
    await must('GET', `/api/models/${made.id}`),
    { matched_models: ['a-1'], matched_count: 1, quota_types: [0] },
    'each served name belongs to the one entry that speaks for it',
  )
})

t.test(
  'of thousands of channels a record names the first hundred, and counts them all',
  async (t) => {
    const before = gateway.channels
    gateway.channels = Array.from({ length: 1_000 }, (_, at) =>
      channel(at + 1, { models: ['many'] }),
    )
    const { bound_channels, bound_count } = await make({ model_name: 'many' })
    t.same([bound_channels.length, bound_channels[99].id, bound_count], [100, 100, 1_000])
    gateway.channels = before
  },
)

t.test('an entry is known at once, changed in part, and gone at once', async (t) => {
  const made = await make({ description: 'kept' })
  t.equal(registry.describe('a-1').entry?.id, made.id)
  const off = await must('PUT', '/api/models/?status_only=true', {
    id: made.id,
    status: 0,
    description: 'not taken',
  })
  t.match(off, { status: 0, description: 'kept' })
  t.equal(registry.describe('a-1').hidden, true)
  t.match(await must('PUT', '/api/models/', { id: made.id, tags: 'new', status: 1 }), {
    tags: 'new',
    description: 'kept',
    status: 1,
  })
  await must('DELETE', `/api/models/${made.id}`)
  t.equal(registry.describe('a-1').entry, undefined)
  t.equal((await call('DELETE', `/api/models/${made.id}`)).status, 404)
})

t.test('endpoints are a list or an object, as JSON or as its text', async (t) => {
  const rows: readonly (readonly [unknown, string])[] = [
    ['', ''],
    ['[]', ''],
    [{}, ''],
    [['openai'], '["openai"]'],
    ['{"own": "/v1/own"}', '{"own":"/v1/own"}'],
    [{ own: { path: '/x', method: 'get' } }, '{"own":{"path":"/x","method":"get"}}'],
    ['{"openai":{}}', '{"openai":{}}'],
  ]
  for (const [index, [endpoints, kept]] of rows.entries()) {
    const made = await make({ model_name: `m${index}`, endpoints })
    t.equal(made.endpoints, kept, JSON.stringify(endpoints))
  }
})

t.test('bad values are refused by name and nothing is saved', async (t) => {
  const { id } = await make()
  const rows: readonly (readonly [string, object, number, string])[] = [
    ['POST', {}, 400, 'model_name'],
    ['POST', { model_name: '  ' }, 400, 'model_name'],
    ['POST', { model_name: 'm'.repeat(257) }, 400, 'model_name'],
    ['POST', { model_name: 'a\u200bb' }, 400, 'model_name'],
    ['POST', { model_name: 'a-1' }, 409, 'model_name'],
    ['POST', { model_name: 'x', name_rule: 4 }, 400, 'name_rule'],
    ['POST', { model_name: 'x', vendor_id: 999_999 }, 400, 'vendor_id'],
    ['POST', { model_name: 'x', status: 3 }, 400, 'status'],
    ['POST', { model_name: 'x', endpoints: null }, 400, 'endpoints'],
    ['POST', { model_name: 'x', endpoints: 'null' }, 400, 'endpoints'],
    ['POST', { model_name: 'x', endpoints: '{' }, 400, 'endpoints'],
    ['POST', { model_name: 'x', endpoints: [1] }, 400, 'endpoints'],
    ['POST', { model_name: 'x', endpoints: ['a b'] }, 400, 'endpoints'],
    ['POST', { model_name: 'x', endpoints: { own: 'no slash' } }, 400, 'endpoints'],
    [
      'POST',
      { model_name: 'x', endpoints: { own: { path: '/x', method: 'FLY' } } },
      400,
      'endpoints',
    ],
    ['PUT', { model_name: 'x' }, 400, 'id'],
    ['PUT', { id: 999_999, tags: 'x' }, 404, 'id'],
  ]
  for (const [method, body, status, field] of rows) {
    const answer = await call(method, '/api/models/', body)
    t.match(answer, { status, body: { success: false, field } }, JSON.stringify(body).slice(0, 80))
  }
  t.match(await call('PUT', '/api/models/?status_only=1', { id }), {
    status: 400,
    body: { field: 'status' },
  })
  t.equal((await must('GET', '/api/models/')).total, 1)
  await make({ name_rule: 1 })
  await make({ model_name: '😀'.repeat(256) })
})

t.test('a page counts the entries of each vendor, and a search finds them', async (t) => {
  const acme = await vendor('Acme')
  await make({ model_name: 'a-1', vendor_id: acme, tags: 'fast' })
  await make({ model_name: 'a_2', vendor_id: acme, description: 'slow' })
  await make({ model_name: 'b' })
  const list = await must('GET', '/api/models?p=1&page_size=2')
  t.match(list, { page: 1, page_size: 2, total: 3 })
  t.equal(list.items.length, 2)
  t.strictSame(list.vendor_counts, { [acme]: 2, 0: 1, all: 3 })
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['keyword=fast', ['a-1']],
    ['keyword=SLOW', ['a_2']],
    ['keyword=_', ['a_2']],
    [`vendor=${acme}`, ['a_2', 'a-1']],
    ['vendor=acme', ['a_2', 'a-1']],
    ['vendor=0', ['b']],
    ['vendor=nobody', []],
    [`vendor=${acme}&keyword=a-`, ['a-1']],
  ]
  for (const [query, names] of rows) {
    const { items } = await must('GET', `/api/models/search?${query}`)
    t.strictSame(
      items.map(({ model_name }: { model_name: string }) => model_name),
      names,
      query,
    )
  }
  const { vendor_counts } = await must('GET', `/api/models/search?vendor=0&keyword=a`)
  t.strictSame(vendor_counts, { [acme]: 2, all: 2 }, 'whichever vendor is requested')
})

t.test('missing names are those that are served and no entry speaks for', async (t) => {
  gateway.channels = [
    channel(1, { models: ['a-1', 'b', 'c-1'] }),
    channel(2, { models: ['d'], enabled: false }),
    channel(3, { models: ['b', 'e'], groups: ['group without a ratio'] }),
  ]
  await make({ model_name: 'c', name_rule: 1 })
  t.strictSame(await must('GET', '/api/models/missing'), ['a-1', 'b', 'e'])
  await make()
  t.strictSame(await must('GET', '/api/models/missing'), ['b', 'e'])
})

t.test('entries are for admins', async (t) => {
  gateway.caller = member
  for (const path of ['/api/models/', '/api/models/missing', '/api/models/1']) {
    t.equal((await call('GET', path)).status, 403, path)
  }
})
