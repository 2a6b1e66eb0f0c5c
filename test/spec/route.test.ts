/**
 * Routing over a whole gateway: which channel of which group answers, and at whose price. The upstream tells channels
 * apart by their keys; every test has a model of its own, and so channels of its own.
 */
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'
import { chat, json, type Script, scriptedUpstream } from '../kit/upstream.js'

const models = ['order', 'tiers', 'failing', 'smart', 'legacy', 'left', 'bond', 'pin', 'asked']
const gateway = await startGateway(t)
const { admin } = gateway
const upstream = await scriptedUpstream(t)

await admin.option('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])))
await admin.option('CompletionRatio', Object.fromEntries(models.map((model) => [model, 1])))
await admin.option('GroupRatio', { default: 1, vip: 2, lab: 3, secret: 5 })
await admin.option('UserUsableGroups', { default: 'Default', vip: 'VIP', lab: 'Lab', bare: 'None' })

/** Ada is no admin, so that what she may use is limited. */
const person = { username: 'ada', password: 'correct horse battery' }
const adaId = (await admin.must('POST', '/api/user/', { ...person, role: 1 })).id
await admin.credit(adaId, 1_000_000)
const ada = management(gateway.url)
await ada.must('POST', '/api/user/login', person)

/** Names of channels that fail, and how. */
const failing = new Map<string, Script>()
const down = json(500, { error: { message: 'out of order' } })

t.beforeEach(() => {
  failing.clear()
  upstream.requests.length = 0
  upstream.script((request, response) => {
    const script = failing.get(nameOf(request.headers.authorization))
    return (script ?? json(200, chat.whole('Hi.', 10, 10)))(request, response)
  })
})

function nameOf(authorization = ''): string {
  return authorization.slice('Bearer key-'.length)
}

/** The channels that were queried, in order. */
const sendRequest = () =>
  upstream.requests.map(({ headers }) => nameOf(headers.authorization)).join(' ')

const channel = (name: string, model: string, group: string, over: object = {}) =>
  admin.channel({
    type: 1,
    name,
    key: `key-${name}`,
    base_url: upstream.url,
    models: model,
    group,
    ...over,
  })

interface Answer {
  readonly status: number
  readonly code: string | undefined
}

async function ask(key: string, model: string, headers: object = {}): Promise<Answer> {
  const body = { model, messages: [{ role: 'user', content: 'hello' }] }
  const response = await gateway.chat(body, { authorization: `Bearer ${key}`, ...headers })
  const answer = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: answer.error?.code }
}

const ok: Answer = { status: 200, code: undefined }

const manual = (groups: readonly string[], retry_on_failure = false) => ({
  routing: { version: 1, mode: 'manual', groups, retry_on_failure },
})

const smart = (auto_route: string, retry_on_failure = false) => ({
  routing: { version: 1, mode: 'smart', auto_route, retry_on_failure },
})

t.test(
  '[ROUTE-1] the policy of the token is an ordered plan of groups, and the group that answers sets the price',
  async (t) => {
    await channel('order-vip', 'order', 'vip')
    await channel('order-lab', 'order', 'lab,default')
    const rows = [
      [['vip', 'lab'], 'order-vip', 'vip', 40],
      [['lab', 'vip'], 'order-lab', 'lab', 60],
      [['default', 'vip', 'lab'], 'order-lab', 'default', 20],
    ] as const
    for (const [groups, name, group, quota] of rows) {
      upstream.requests.length = 0
      const { key } = await ada.token(manual(groups))
      t.same(await ask(key, 'order'), ok)
      t.equal(sendRequest(), name, groups.join())
      const [log] = await gateway.logs()
      t.match(log, { group, quota }, groups.join())
    }
    t.match(await ask(`sk-${'x'.repeat(48)}`, 'order'), { status: 401, code: 'invalid_api_key' })
  },
)

t.test('[ROUTE-2] [ROUTE-3] the next try goes to another channel, tier by tier', async (t) => {
  await channel('low', 'tiers', 'default', { priority: 1, weight: 1_000 })
  await channel('high', 'tiers', 'default', { priority: 9, weight: 1 })
  await channel('standing', 'tiers', 'default', { priority: 9, weight: 0 })
  const { key } = await ada.token()
  t.same(await ask(key, 'tiers'), ok)
  t.equal(sendRequest(), 'high')
  upstream.requests.length = 0
  failing.set('high', down).set('standing', down)
  t.same(await ask(key, 'tiers'), ok)
  t.equal(sendRequest(), 'high standing low')
})

t.test(
  '[ROUTE-3] one that fails is not queried twice, and the last failure is reported',
  async (t) => {
    await channel('only', 'failing', 'default')
    await channel('second', 'failing', 'default')
    const { key } = await ada.token()
    failing.set('only', down).set('second', down)
    const result = await ask(key, 'failing')
    t.match(result, { status: 502, code: 'upstream_error' })
    t.same(sendRequest().split(' ').sort(), ['only', 'second'])
  },
)

t.test(
  '[ROUTE-5] a smart policy follows its chain, and goes to the next group only if it may',
  async (t) => {
    await admin.must('POST', '/api/auto_route/', {
      key: 'best',
      display_name: 'Best',
      groups: ['secret', 'vip', 'default'],
    })
    for (const step of [1, 2, 3, 4]) {
      await channel(`vip-${step}`, 'smart', 'vip', { priority: -step })
    }
    await channel('last', 'smart', 'default')
    for (const step of [1, 2, 3, 4]) failing.set(`vip-${step}`, down)
    const staying = await ada.token(smart('best'))
    t.match(await ask(staying.key, 'smart'), { status: 502 })
    t.equal(sendRequest(), 'vip-1 vip-2 vip-3', 'the retries inside the group are as many as ever')

    upstream.requests.length = 0
    const going = await ada.token(smart('best', true))
    t.same(await ask(going.key, 'smart'), ok)
    t.equal(sendRequest(), 'vip-1 vip-2 vip-3 last')

    upstream.requests.length = 0
    await admin.option('RetryTimes', 0)
    t.same(await ask(going.key, 'smart'), ok)
    t.equal(sendRequest(), 'vip-1 last')
    await admin.option('RetryTimes', 2)
  },
)

t.test(
  '[ROUTE-9] [ROUTE-10] without a stored policy the plan is made of the legacy fields, and nothing is written',
  async (t) => {
    await channel('own', 'legacy', 'default')
    await channel('named', 'legacy', 'vip')
    await channel('auto', 'legacy', 'lab')
    await admin.must('PUT', '/api/auto_route/', { key: 'auto', groups: ['lab', 'default'] })
    const { knex } = gateway.gateway.service('database')
    const rows: [string, string, string, boolean, string][] = [
      // user's group   legacy group  fails    retry   queried
      ['default', '', '', true, 'own'],
      ['default', 'vip', '', true, 'named'],
      ['vip', '', '', false, 'named'],
      ['', '', '', false, 'auto'],
      ['', '', 'auto', false, 'auto'],
      ['', '', 'auto', true, 'auto own'],
      ['default', 'auto', 'auto', true, 'auto own'],
    ]
    const { id, key } = await ada.token()
    for (const [userGroup, group, fails, cross_group_retry, expected] of rows) {
      failing.clear()
      if (fails !== '') failing.set(fails, down)
      upstream.requests.length = 0
      await written(id, userGroup, { routing: null, group, cross_group_retry })
      const title = `${userGroup}/${group}/${fails}/${cross_group_retry}`
      t.equal((await ask(key, 'legacy')).status, expected === fails ? 502 : 200, title)
      t.equal(sendRequest(), expected, title)
      const row = await knex('tokens').where({ id }).first('routing', 'group', 'cross_group_retry')
      t.same(row, { routing: null, group, cross_group_retry }, `${title}: as it was`)
    }
    await written(id, 'default', {})
  },
)

t.test(
  '[ROUTE-10] a user whose group cannot be used is informed of it, and pays nothing elsewhere',
  async (t) => {
    const { id, key } = await ada.token()
    await written(id, 'bare', { routing: null, group: '' })
    const before = upstream.requests.length
    const balance = (await ada.must('GET', '/api/user/self')).quota
    t.same(await ask(key, 'legacy'), { status: 403, code: 'group_not_usable' })
    const body = { model: 'legacy', messages: [{ role: 'user', content: 'hello' }] }
    const played = await ada.call('POST', '/pg/chat/completions', body)
    t.match(played, { status: 403, body: { error: { code: 'group_not_usable' } } })
    const listed = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    t.match(await listed.json(), { error: { code: 'group_not_usable' } }, 'nothing is listed')
    t.equal(listed.status, 403)
    t.equal(upstream.requests.length, before, 'nothing is relayed')
    await gateway.gateway.idle()
    t.equal((await ada.must('GET', '/api/user/self')).quota, balance)
    t.match(
      await ada.must('GET', `/api/token/${id}`),
      { routing: { mode: 'manual', groups: ['bare'] }, routing_legacy: true },
      'the key shows where its requests belong',
    )
    await written(id, 'default', {})
  },
)

/** As an older version of the gateway left it. */
async function written(id: number, userGroup: string, columns: object): Promise<void> {
  const { knex } = gateway.gateway.service('database')
  const changes = gateway.gateway.service('changes')
  await knex.transaction(async (trx) => {
    await trx('users').where('id', adaId).update({ group: userGroup })
    if (Object.keys(columns).length > 0) await trx('tokens').where({ id }).update(columns)
    await changes.note(trx, 'users', adaId)
    await changes.note(trx, 'tokens', id)
  })
  await changes.settled()
}

t.test(
  '[ROUTE-13] [ROUTE-18] a group that became unavailable is skipped, and with none left nothing is relayed',
  async (t) => {
    await channel('left-lab', 'left', 'lab')
    await channel('left-vip', 'left', 'vip')
    await channel('left-default', 'left', 'default')
    const { key } = await ada.token(manual(['lab', 'vip'], true))
    const { key: chained } = await ada.token(smart('auto'))
    t.same(await ask(key, 'left'), ok)
    await admin.option('UserUsableGroups', { default: 'Default', vip: 'VIP' })
    t.same(await ask(key, 'left'), ok)
    await admin.option('GroupRatio', { default: 1, lab: 3, secret: 5 })
    t.same(await ask(key, 'left'), { status: 403, code: 'group_not_usable' })
    t.equal(sendRequest(), 'left-lab left-vip', 'never the default group of the user')

    await admin.must('PUT', '/api/auto_route/', { key: 'auto', groups: ['lab'] })
    t.same(await ask(chained, 'left'), { status: 403, code: 'group_not_usable' })
    t.equal(upstream.requests.length, 2)

    await admin.option('GroupRatio', { default: 1, vip: 2, lab: 3, secret: 5 })
    await admin.option('UserUsableGroups', { default: 'Default', vip: 'VIP', lab: 'Lab' })
    t.same(await ask(key, 'left'), ok, 'what is usable again is used again')
    const before = upstream.requests.length
    const { id, key: spoilt } = await ada.token()
    const broken = JSON.stringify({ version: 2, mode: 'manual', groups: ['vip'] })
    await written(id, 'default', { routing: broken })
    t.same(await ask(spoilt, 'left'), { status: 403, code: 'group_not_usable' })
    t.equal(upstream.requests.length, before)
  },
)

t.test(
  '[ROUTE-15] the catalog of a manual route is that of all its groups, each once',
  async (t) => {
    await channel('catalog', 'order,tiers', 'lab')
    const list = async (groups: readonly string[]) => {
      const { key } = await ada.token(manual(groups))
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${gateway.url}/v1/models`, { headers })
      const { data } = (await response.json()) as { data: { id: string }[] }
      return data.map(({ id }) => id).join(' ')
    }
    t.equal(await list(['vip']), 'left legacy order smart')
    t.equal(await list(['vip', 'lab']), 'left legacy order smart tiers')
    t.equal(await list(['lab', 'vip']), 'left legacy order tiers smart')
  },
)

t.test('[ROUTE-15] a model of several groups is listed once, with its owner', async (t) => {
  const vendor = async (name: string) =>
    (await admin.must('POST', '/api/vendors/', { name, status: 1 })).id
  const entry = { status: 1, sync_official: 0 }
  const [wide, exact] = [await vendor('Anybody'), await vendor('Acme')]
  // The wider entry stands first, and one channel of each group lists the model.
  await admin.must('POST', '/api/models/', {
    ...entry,
    model_name: 'owned',
    name_rule: 1,
    vendor_id: wide,
  })
  await admin.must('POST', '/api/models/', {
    ...entry,
    model_name: 'owned-1',
    name_rule: 0,
    vendor_id: exact,
  })
  await channel('owned-vip', 'owned-1', 'vip')
  await channel('owned-lab', 'owned-1,owned-2', 'lab')
  const priced = [...models, 'owned-1', 'owned-2'].map((model) => [model, 1])
  await admin.option('ModelRatio', Object.fromEntries(priced))
  for (const groups of [
    ['vip', 'lab'],
    ['lab', 'vip'],
    ['lab', 'default', 'vip'],
  ]) {
    const { key } = await ada.token(manual(groups))
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${gateway.url}/v1/models`, { headers })
    const { data } = (await response.json()) as { data: { id: string; owned_by: string }[] }
    const owned = data.filter(({ id }) => id.startsWith('owned'))
    const owners = Object.fromEntries(owned.map(({ id, owned_by }) => [id, owned_by]))
    t.same(owners, { 'owned-1': 'Acme', 'owned-2': 'Anybody' }, groups.join())
    t.equal(owned.length, 2, 'each once')
  }
})

t.test('[ROUTE-17] the group listing is the dictionary, with the routes beside it', async (t) => {
  const dictionary = {
    default: { ratio: 1, desc: 'Default' },
    vip: { ratio: 2, desc: 'VIP' },
    lab: { ratio: 3, desc: 'Lab' },
  }
  for (const path of ['/api/group', '/api/group/']) {
    t.match((await ada.call('GET', path)).body, {
      success: true,
      data: dictionary,
      auto_routes: [
        { key: 'auto', display_name: 'Auto', groups: ['lab'] },
        { key: 'best', display_name: 'Best', groups: ['vip', 'default'] },
      ],
    })
  }
  t.same(Object.keys(await ada.must('GET', '/api/group/')), Object.keys(dictionary))
  t.match(await ada.must('GET', '/api/user/self/groups'), {
    ...dictionary,
    auto: { ratio: 'auto', desc: 'Auto' },
  })
  t.match(await ada.must('GET', '/api/token/auto-groups'), { max_count: 8 })
  t.match(await admin.must('GET', '/api/group/'), { secret: { ratio: 5, desc: 'secret' } })
  t.equal((await ada.call('GET', '/api/auto_route/')).status, 403)
})

t.test(
  '[ROUTE-16] a tie chooses the first group on the route that can use its channel, and retries go on from there',
  async (t) => {
    await admin.option('channel_affinity_setting.rules', [
      { name: 'session', key_sources: [{ type: 'request_header', key: 'X-Session' }] },
    ])
    const tied = await channel('tied', 'bond', 'lab', { priority: -5 })
    await channel('first', 'bond', 'vip')
    await channel('better', 'bond', 'lab')
    await channel('after', 'bond', 'default')
    const headers = { 'x-session': 'session-1' }
    const only = await ada.token(manual(['lab']))
    failing.set('better', down)
    t.same(await ask(only.key, 'bond', headers), ok)
    t.equal(sendRequest(), 'better tied', 'the tie is made')
    await gateway.gateway.idle()

    upstream.requests.length = 0
    const { key } = await ada.token(manual(['vip', 'lab', 'default'], true))
    t.same(await ask(key, 'bond', headers), ok)
    t.equal(sendRequest(), 'tied', 'before the first group, and before a better tier')
    t.match((await gateway.logs())[0], { group: 'lab', quota: 60 })

    upstream.requests.length = 0
    failing.set('tied', down)
    t.same(await ask(key, 'bond', headers), ok)
    t.equal(sendRequest(), 'tied better after', 'the group before the tie is not gone back to')

    failing.clear()
    await gateway.gateway.idle()
    t.same(await ask(only.key, 'bond', headers), ok)
    await gateway.gateway.idle()
    await admin.must('PUT', '/api/channel/', { id: tied, status: 2 })
    upstream.requests.length = 0
    t.same(await ask(key, 'bond', headers), ok)
    t.notMatch(sendRequest(), /tied/, 'a channel that is off holds nobody')
  },
)

t.test('a channel named behind the key of an admin takes the request, once', async (t) => {
  const off = await channel('off', 'pin', 'default', { priority: 9 })
  await channel('usual', 'pin', 'default', { priority: 5 })
  const elsewhere = await channel('elsewhere', 'pin', 'secret')
  await admin.must('PUT', '/api/channel/', { id: off, status: 2 })
  const { key } = await admin.token(manual(['vip', 'secret'], true))
  t.same(await ask(`${key}-${elsewhere}`, 'pin'), ok)
  t.match((await gateway.logs())[0], { group: 'secret', channel: elsewhere })
  failing.set('elsewhere', down)
  t.match(await ask(`${key}-${elsewhere}`, 'pin'), { status: 502 })
  t.equal(sendRequest(), 'elsewhere elsewhere', 'no retry anywhere')
  t.match(await ask(`${key}-${off}`, 'pin'), { status: 503, code: 'model_not_found' })
  t.match(await ask(`${key}-${elsewhere}`, 'order'), { status: 503, code: 'model_not_found' })
  t.match(await ask(`${key}-x`, 'pin'), { status: 401, code: 'invalid_api_key' })
  const common = await ada.token()
  t.same(await ask(`${common.key}-${elsewhere}`, 'pin'), {
    status: 403,
    code: 'channel_pin_denied',
  })
  t.equal(upstream.requests.length, 2)
})

t.test(
  '[FMT-15] a group named in the Playground is the one that answers and is paid',
  async (t) => {
    await channel('asked-vip', 'asked', 'vip')
    await channel('asked-lab', 'asked', 'lab')
    const body = { model: 'asked', messages: [{ role: 'user', content: 'hello' }] }
    const play = (group: string) => ada.call('POST', '/pg/chat/completions', { ...body, group })
    t.equal((await play('lab')).status, 200)
    t.match((await gateway.logs())[0], { group: 'lab', quota: 60 })
    t.equal((await play('vip')).status, 200)
    t.match((await gateway.logs())[0], { group: 'vip', quota: 40 })
    for (const group of ['secret', 'nowhere']) {
      t.match(await play(group), { status: 403, body: { error: { code: 'group_not_usable' } } })
    }
    const { key } = await ada.token(manual(['vip']))
    const named = await fetch(`${gateway.url}/pg/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, group: 'lab' }),
    })
    t.equal(named.status, 200)
    t.equal(sendRequest(), 'asked-lab asked-vip asked-lab')
  },
)
