/** API keys over HTTP, as a user's script writes them, and where requests with them go (ROUTE, OPS-3). */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

const gateway = await startGateway(t)
const { admin } = gateway
const upstream = await scriptedUpstream(t)
upstream.script(json(200, chat.whole('Hi.', 10, 10)))

const letters = [...'abcdefghi']
const ratios = { default: 1, vip: 2, lab: 3, secret: 5, ...fromNames(letters, 1) }
await admin.option('GroupRatio', ratios)
await admin.option(
  'UserUsableGroups',
  fromNames([...letters, 'default', 'vip', 'lab', 'bare'], 'x'),
)
await admin.option('ModelRatio', { m: 1 })
await admin.option('CompletionRatio', { m: 1 })
for (const group of ['default', 'vip', 'lab']) {
  const fields = { type: 1, key: `key-${group}`, base_url: upstream.url, models: 'm' }
  await admin.channel({ ...fields, name: group, group })
}
const route = (key: string, groups: readonly string[], over: object = {}) =>
  admin.must('POST', '/api/auto_route/', { key, groups, ...over })
await route('best', ['vip', 'default'])
await route('off', ['default'], { enabled: false })
await route('staff', ['default'], { user_groups: ['secret'] })

const person = { username: 'ada', password: 'correct horse battery' }
const adaId = (await admin.must('POST', '/api/user/', { ...person, role: 1 })).id
await admin.credit(adaId, 1_000_000)
const ada = management(gateway.url)
await ada.must('POST', '/api/user/login', person)

const create = ada.token
const update = (fields: object) => ada.must('PUT', '/api/token/', fields)
const read = (id: number) => ada.must('GET', `/api/token/${id}`)

const manual = (groups: readonly string[], retry_on_failure = true) => ({
  version: 1,
  mode: 'manual',
  auto_route: '',
  groups,
  retry_on_failure,
})
const smart = (auto_route: string) => ({ ...manual([]), mode: 'smart', auto_route })

function fromNames<T>(names: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

/** The group whose channel answers requests with the key. */
async function groupOf(key: string): Promise<string> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
  const response = await gateway.chat(body, { authorization: `Bearer ${key}` })
  await response.arrayBuffer()
  if (response.status !== 200) return String(response.status)
  return String(upstream.requests.at(-1)?.headers.authorization).slice('Bearer key-'.length)
}

const bad: readonly (readonly [name: string, sent: unknown, param: string])[] = [
  ['null', null, 'routing'],
  ['no object', [], 'routing'],
  ['no version', { ...manual(['vip']), version: undefined }, 'routing.version'],
  ['version 2', { ...manual(['vip']), version: 2 }, 'routing.version'],
  ['version as text', { ...manual(['vip']), version: '1' }, 'routing.version'],
  ['an unknown mode', { ...manual(['vip']), mode: 'auto' }, 'routing.mode'],
  ['an unknown auto route', smart('nowhere'), 'routing.auto_route'],
  ['a disabled auto route', smart('off'), 'routing.auto_route'],
  ['an auto route for others', smart('staff'), 'routing.auto_route'],
  ['groups of a wrong type', { ...manual([]), groups: 'vip' }, 'routing.groups'],
  ['no group', manual([]), 'routing.groups'],
  ['nine groups', manual(letters), 'routing.groups'],
  ['a group twice', manual(['vip', 'vip']), 'routing.groups'],
  ['an unknown group', manual(['nobody']), 'routing.groups'],
  ['a group of others', manual(['vip', 'secret']), 'routing.groups'],
  ['a group without a ratio', manual(['bare']), 'routing.groups'],
  ['retry as text', { ...manual(['vip']), retry_on_failure: 'true' }, 'routing.retry_on_failure'],
]

t.test(
  '[ROUTE-6] [ROUTE-14] a bad policy is refused at create and update by the name of the part, and nothing is saved',
  async (t) => {
    const { id } = await create({ routing: manual(['lab', 'vip']) })
    const before = await read(id)
    const { total } = await ada.must('GET', '/api/token/')
    for (const [name, routing, field] of bad) {
      const answers = [
        await ada.call('POST', '/api/token/', { name: 'new', routing }),
        await ada.call('PUT', '/api/token/', { id, name: 'other', routing }),
      ]
      for (const { status, body } of answers) {
        t.match(
          { status, ...body },
          { status: 400, success: false, code: 'invalid_field', field },
          name,
        )
        t.ok(body.message.startsWith(`${field} `) && body.message.endsWith('.'), body.message)
      }
    }
    t.same(await read(id), before)
    t.equal((await ada.must('GET', '/api/token/')).total, total)
  },
)

t.test(
  '[ROUTE-5] [ROUTE-11] a saved policy is followed, and the legacy fields say the same',
  async (t) => {
    const rows = [
      [manual(['lab', 'vip'], false), 'lab', false],
      [manual(['vip']), 'vip', true],
      [smart('best'), 'vip', true],
    ] as const
    const changed = await create({})
    for (const [routing, group, cross_group_retry] of rows) {
      const fields = { routing, group, cross_group_retry, routing_legacy: false }
      const made = await create({ routing })
      t.match(await read(made.id), fields)
      t.equal(await groupOf(made.key), group)
      t.match(await update({ id: changed.id, routing }), fields)
      t.equal(await groupOf(changed.key), group, 'from the next request on')
    }
  },
)

t.test('[ROUTE-7] an old script writes group and cross_group_retry alone', async (t) => {
  const { id, key } = await create({ group: 'vip', cross_group_retry: false })
  t.match(await read(id), { routing: manual(['vip'], false), routing_legacy: false })
  t.equal(await groupOf(key), 'vip')
  t.match(await update({ id, group: 'lab' }), {
    routing: manual(['lab'], false),
    cross_group_retry: false,
  })
  t.equal(await groupOf(key), 'lab')
  t.match(await update({ id, cross_group_retry: true }), { routing: manual(['lab']), group: 'lab' })
  t.match(await update({ id, group: 'best' }), { routing: smart('best'), group: 'vip' })
  t.equal(await groupOf(key), 'vip')
  t.match(await update({ id, group: '' }), { routing: manual(['default']), routing_legacy: true })
  t.equal(await groupOf(key), 'default')
  const refused = await ada.call('PUT', '/api/token/', { id, group: 'secret' })
  t.match(refused, { status: 400, body: { field: 'group', message: /"secret"/ } })
})

t.test('[ROUTE-8] routing_legacy tells a synthesized policy from a stored one', async (t) => {
  const plain = await create({})
  t.match(await read(plain.id), { routing: manual(['default']), routing_legacy: true, group: '' })
  const meant = await create({ routing: manual(['default']) })
  t.match(await read(meant.id), { routing: manual(['default']), routing_legacy: false })
  const { items } = await ada.must('GET', '/api/token/?page_size=2')
  t.match(items, [{ routing_legacy: false }, { routing_legacy: true }])
  await admin.must('PUT', '/api/user/', { id: adaId, username: 'ada', group: 'vip' })
  t.match(await read(plain.id), { routing: manual(['vip']) }, 'it follows its owner')
  t.equal(await groupOf(plain.key), 'vip')
  t.equal(await groupOf(meant.key), 'default')
  await admin.must('PUT', '/api/user/', { id: adaId, username: 'ada', group: 'default' })
})

t.test('[ROUTE-12] an update without routing and group keeps the stored policy', async (t) => {
  const { id, key } = await create({ routing: manual(['lab', 'vip'], false) })
  await update({ id, name: 'renamed', model_limits: ['m'], unlimited_quota: true })
  await ada.must('PUT', '/api/token/?status_only=true', { id, status: 2 })
  await ada.must('PUT', '/api/token/?status_only=true', { id, status: 1 })
  t.match(await read(id), { routing: manual(['lab', 'vip'], false), name: 'renamed', group: 'lab' })
  t.equal(await groupOf(key), 'lab')
})

t.test(
  '[OPS-3] cross_group_retry may be left out, false switches retries off, and nothing but a boolean is taken',
  async (t) => {
    const { id } = await create({ routing: manual(['vip', 'lab']) })
    const off = { routing: manual(['vip', 'lab'], false), cross_group_retry: false }
    t.match(await update({ id, cross_group_retry: false }), off)
    t.match(await update({ id, name: 'other' }), off)
    for (const value of [null, 1, 'true']) {
      const answer = await ada.call('PUT', '/api/token/', { id, cross_group_retry: value })
      t.match(answer, { status: 400, body: { field: 'cross_group_retry' } }, JSON.stringify(value))
    }
    t.match(await read(id), off)
  },
)

t.test(
  '[OPS-3] a client that knows no routing fields sends its records back and harms nothing',
  async (t) => {
    const plain = await create({})
    const { id } = await create({ routing: manual(['lab', 'vip'], false) })
    for (const record of [await read(id), await read(plain.id)]) {
      const more = { ...record, DeletedAt: null, auto_groups: ['x'], future: { field: 1 } }
      const { accessed_time: _, ...same } = record
      t.match(await update(more), same)
      const { routing, routing_legacy, ...old } = record
      t.match(await update({ ...old, name: 'renamed' }), { ...same, name: 'renamed' })
    }
    const made = await ada.must('POST', '/api/token/', { name: 'new', auto_groups: [], future: 1 })
    t.match(made, { name: 'new', routing_legacy: true })
  },
)

t.test("another's key answers 404 on every verb, and stays as it is (X12)", async (t) => {
  const { id, key } = await create({ name: 'hers' })
  const before = await read(id)
  const eve = { username: 'eve', password: 'correct horse battery' }
  await admin.must('POST', '/api/user/', { ...eve, role: 1 })
  const other = management(gateway.url)
  await other.must('POST', '/api/user/login', eve)
  for (const caller of [other, admin]) {
    const verbs = [
      ['GET', `/api/token/${id}`],
      ['PUT', '/api/token/', { id, name: 'mine' }],
      ['PUT', '/api/token/?status_only=true', { id, status: 2 }],
      ['DELETE', `/api/token/${id}`],
      ['POST', `/api/token/${id}/key`, {}],
    ] as const
    for (const [method, path, body] of verbs) {
      const answer = await caller.call(method, path, body)
      t.match(answer, { status: 404, body: { success: false, code: 'gone_missing' } }, method)
    }
    t.equal(await caller.must('POST', '/api/token/batch', { ids: [id] }), 0)
    t.same(await caller.must('POST', '/api/token/batch/keys', { ids: [id] }), { keys: {} })
    const found = await caller.must('GET', `/api/token/search?token=${key}`)
    t.equal(found.total, 0)
  }
  t.same(await read(id), before)
})

t.test('a key is shown once and masked from then on; no answer may be kept', async (t) => {
  const made = await ada.call('POST', '/api/token/', { name: 'shown' })
  const { id, key } = made.body.data
  t.match(key, /^sk-[A-Za-z0-9]{48}$/)
  const again = await ada.call('POST', `/api/token/${id}/key`, {})
  const several = await ada.call('POST', '/api/token/batch/keys', { ids: [id] })
  t.same([again.body.data, several.body.data], [{ key }, { keys: { [id]: key } }])
  const masked = [
    await ada.call('GET', `/api/token/${id}`),
    await ada.call('GET', '/api/token/'),
    await ada.call('GET', '/api/token/search?keyword=shown'),
    await ada.call('PUT', '/api/token/', { id, name: 'shown' }),
  ]
  for (const { body } of masked) {
    t.notMatch(JSON.stringify(body), key.slice(3))
    t.match(JSON.stringify(body), `sk-************${key.slice(-4)}`)
  }
  for (const { headers } of [made, again, several, ...masked]) {
    t.equal(headers.get('cache-control'), 'no-store')
  }
  await admin.option('TokenKeyRevealEnabled', false)
  for (const path of [`/api/token/${id}/key`, '/api/token/batch/keys']) {
    t.match(await ada.call('POST', path, { ids: [id] }), {
      status: 403,
      body: { code: 'switched_off' },
    })
  }
})

t.test(
  'the status states whether keys without a group follow the default auto route',
  async (t) => {
    const { key } = await create({})
    t.match(await ada.must('GET', '/api/status'), {
      default_use_auto_group: false,
      enable_data_export: true,
    })
    await admin.must('PUT', '/api/auto_route/', { key: 'auto', groups: ['lab'] })
    await admin.option('DefaultUseAutoGroup', true)
    t.match(await ada.must('GET', '/api/status'), { default_use_auto_group: true })
    t.equal(await groupOf(key), 'lab')
  },
)
