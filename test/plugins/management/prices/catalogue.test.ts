/** The catalogue: whom it shows what, and that nothing of a channel is on it. */
import t from 'tap'
import { keptSpeeds } from '../../../../plugins/management/prices/speeds.js'
import { FakeClock } from '../../../kit/clock.js'
import { silentLog } from '../../../kit/database.js'
import { admin, channel, member, shelf } from '../models/shelf.js'

t.test('the catalogue shows what the caller reaches, with what it is', async (t) => {
  const gateway = await shelf(t)
  const { call } = gateway
  gateway.channels = [
    channel(1, { models: ['gpt-4o', 'org/odd:name'], groups: ['default'] }),
    channel(2, { models: ['gpt-4o', 'claude-opus-4-5'], groups: ['vip'] }),
  ]
  gateway.usable = { default: ['default'], vip: ['default', 'vip'] }
  const ratios = { 'gpt-4o': 1.25, 'org/odd:name': 1, 'claude-opus-4-5': 2.5 }
  const changes = Object.entries(ratios).map(([model, model_ratio]) => [model, { model_ratio }])
  await gateway.must('PUT', '/api/prices/', { changes: Object.fromEntries(changes) })
  gateway.caller = undefined
  const page = await call('GET', '/api/catalogue/')
  t.match(page.body.data, [
    {
      ...{ model_name: 'gpt-4o', vendor: 'OpenAI', vendor_mark: 'openai', kind: 'chat' },
      ...{ context_length: 128_000, capabilities: { tools: true, reasoning: false } },
    },
    {
      model_name: 'org/odd:name',
      vendor: '',
      kind: null,
      context_length: null,
      capabilities: null,
    },
  ])
  t.notMatch(JSON.stringify(page.body), /channel/)
  const detail = await call(
    'GET',
    `/api/catalogue/model?name=${encodeURIComponent('org/odd:name')}`,
  )
  t.match(detail.body.data, { model_name: 'org/odd:name', source: '', hours: [] })
  t.equal((await call('GET', '/api/catalogue/model?name=claude-opus-4-5')).status, 404)
  t.equal((await call('GET', '/api/catalogue/model')).status, 400)
  gateway.caller = member
  const seen = await call('GET', '/api/catalogue/model?name=claude-opus-4-5')
  t.match(seen.body.data, { enable_groups: ['vip'], source: /^https:/, source_date: /^202/ })
  gateway.caller = admin
  const set = { model_name: 'gpt-4o', context_length: 1_000, capabilities: { tools: false } }
  const made = await call('POST', '/api/models/', set)
  t.match(made.body.data, { context_length: 1_000, kind: null, known: { context_length: 128_000 } })
  gateway.caller = member
  t.match((await call('GET', '/api/catalogue/model?name=gpt-4o')).body.data, {
    ...{ context_length: 1_000, capabilities: { tools: false } },
    set_by_operator: ['context_length', 'capabilities'],
  })
  gateway.caller = admin
  const { id } = made.body.data
  const cleared = await call('PUT', '/api/models/', { id, context_length: null })
  t.match(cleared.body.data, { context_length: null, capabilities: { tools: false } })
  const refused = await call('PUT', '/api/models/', { id, kind: 'cook' })
  t.match(refused, { status: 400, body: { success: false, message: /kind/ } })
  await call('PUT', '/api/models/', { id, status: 0 })
  gateway.caller = member
  t.equal((await call('GET', '/api/catalogue/model?name=gpt-4o')).status, 404, 'hidden is hidden')
  t.notMatch(JSON.stringify((await call('GET', '/api/catalogue/')).body), /gpt-4o/)
})

t.test('speeds are read once for all, and kept where they cannot be read', async (t) => {
  const clock = new FakeClock()
  let reads = 0
  let fails = false
  const speeds = keptSpeeds(
    async () => {
      reads += 1
      if (fails) throw new Error('down')
      return new Map([['m', { hours: [] }]])
    },
    { clock, log: silentLog },
  )
  const all = await Promise.all([speeds(), speeds(), speeds()])
  t.equal(reads, 1)
  t.ok(all.every((found) => found.has('m')))
  clock.advance(180_001)
  fails = true
  await speeds()
  await speeds()
  t.equal(reads, 2)
  t.ok((await speeds()).has('m'))
})
