/**
 * Who may call what (failures.md sections D and E): every management route of the loaded gateway, asked by everybody
 * there is, old sessions included; and what stands behind ids that can be guessed.
 */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { LoadedRoute } from '../../kernel/contract/management.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management } from '../kit/management.js'
import { restless, wholeDatabase } from './whole-database.js'

const { url, admin: root, gateway } = await startGateway(t)
const { knex } = gateway.service('database')
const managed = gateway
  .service('catalog')
  .routes()
  .filter(({ management: area }) => area !== undefined)

const nameOf = ({ manifest, declared }: LoadedRoute) =>
  `${manifest.id.replace('management.', '')}.${declared.name}`

const password = 'correct horse battery'

/** Made by root, and signed in. */
async function person(username: string, role: 1 | 10): Promise<Management & { id: number }> {
  const { id } = await root.must('POST', '/api/user/', { username, password, role })
  const signedIn = management(url)
  await signedIn.login(username, password)
  return { ...signedIn, id }
}

const boss = await person('boss', 10)
const ada = await person('ada', 1)
const bob = await person('bob', 1)

/** Each signed in while they still might. */
async function formerly(
  username: string,
  role: 1 | 10,
  action: 'disable' | 'demote' | 'delete',
): Promise<Management> {
  const gone = await person(username, role)
  await root.must('POST', '/api/user/manage', { id: gone.id, action })
  return gone
}

interface Caller {
  readonly name: string
  /** 0: nobody. */
  readonly role: number
  readonly client: Management
}

const callers: readonly Caller[] = [
  { name: 'a stranger', role: 0, client: management(url) },
  { name: 'a disabled admin', role: 0, client: await formerly('dora', 10, 'disable') },
  { name: 'a demoted admin', role: 0, client: await formerly('emil', 10, 'demote') },
  { name: 'a deleted admin', role: 0, client: await formerly('finn', 10, 'delete') },
  { name: 'a disabled user', role: 0, client: await formerly('gina', 1, 'disable') },
  { name: 'a deleted user', role: 0, client: await formerly('hugo', 1, 'delete') },
  { name: 'a user', role: 1, client: ada },
  { name: 'another user', role: 1, client: bob },
  { name: 'an admin', role: 10, client: boss },
  { name: 'root', role: 100, client: root },
]

/** What a route is asked, and how it answers those who may ask. Ids are of nothing, so that asking twice is the same. */
type Asked = readonly [status: number, address: string, body?: object]

const nothing = 999_999
const asked: Readonly<Record<string, Asked>> = {
  'affinity.stats': [200, '/api/option/channel_affinity_cache'],
  'affinity.clear': [404, '/api/option/channel_affinity_cache?rule=none'],
  'auto-routes.list': [200, '/api/auto_route/'],
  'auto-routes.read': [404, '/api/auto_route/none'],
  'auto-routes.create': [400, '/api/auto_route/', { key: 'k', groups: ['no such group'] }],
  'auto-routes.update': [404, '/api/auto_route/', { key: 'none' }],
  'auto-routes.remove': [404, '/api/auto_route/none'],
  'breakers.list': [200, '/api/channel/breakers'],
  'breakers.reset': [404, `/api/channel/${nothing}/breakers/reset`, {}],
  'channel-keys.manage': [
    404,
    '/api/channel/multi_key/manage',
    { channel_id: nothing, action: 'get_key_status' },
  ],
  'channel-keys.reveal': [404, `/api/channel/${nothing}/key`],
  'channel-tests.test': [404, `/api/channel/test/${nothing}`],
  'channel-tests.testAll': [200, '/api/channel/test'],
  'channel-tests.testProgress': [200, '/api/channel/test/progress'],
  'channel-tests.balance': [404, `/api/channel/update_balance/${nothing}`],
  'channel-tests.balances': [200, '/api/channel/update_balance'],
  'channel-tests.balanceProgress': [200, '/api/channel/update_balance/progress'],
  'channel-tests.fetchModels': [404, `/api/channel/fetch_models/${nothing}`],
  'channel-tests.fetchDraft': [400, '/api/channel/fetch_models', { type: nothing, key: 'k' }],
  'channel-tests.detect': [404, '/api/channel/upstream_updates/detect', { id: nothing }],
  'channel-tests.detectAll': [200, '/api/channel/upstream_updates/detect_all'],
  'channel-tests.updateProgress': [200, '/api/channel/upstream_updates/progress'],
  'channel-tests.apply': [404, '/api/channel/upstream_updates/apply', { id: nothing }],
  'channel-tests.applyAll': [200, '/api/channel/upstream_updates/apply_all'],
  'channels.list': [200, '/api/channel/'],
  'channels.search': [200, '/api/channel/search?keyword=none'],
  'channels.read': [404, `/api/channel/${nothing}`],
  'channels.create': [
    400,
    '/api/channel/',
    { type: nothing, name: 'none', key: 'none', models: 'none' },
  ],
  'channels.update': [404, '/api/channel/', { id: nothing, name: 'none' }],
  'channels.setStatus': [404, `/api/channel/${nothing}/status`, { status: 2 }],
  'channels.setStatuses': [200, '/api/channel/status/batch', { ids: [nothing], status: 2 }],
  'channels.remove': [404, `/api/channel/${nothing}`],
  'channels.removeDisabled': [200, '/api/channel/disabled'],
  'channels.removeIds': [200, '/api/channel/batch', { ids: [nothing] }],
  'channels.setTag': [200, '/api/channel/batch/tag', { ids: [nothing], tag: 'none' }],
  'channels.changeTag': [404, '/api/channel/tag', { tag: 'none' }],
  'channels.enableTag': [404, '/api/channel/tag/enabled', { tag: 'none' }],
  'channels.disableTag': [404, '/api/channel/tag/disabled', { tag: 'none' }],
  'channels.modelsOfTag': [404, '/api/channel/tag/models?tag=none'],
  'channels.copy': [404, `/api/channel/copy/${nothing}`],
  'channels.models': [200, '/api/channel/models'],
  'channels.enabledModels': [200, '/api/channel/models_enabled'],
  'channels.fix': [200, '/api/channel/fix'],
  'data.all': [200, '/api/data/'],
  'data.own': [200, '/api/data/self'],
  'data.users': [200, '/api/data/users'],
  'groups.list': [200, '/api/group/'],
  'groups.own': [200, '/api/user/self/groups'],
  'groups.own-short': [200, '/api/user/groups'],
  'groups.for-keys': [200, '/api/token/auto-groups'],
  'groups.all': [200, '/api/group/all'],
  'groups.put': [400, '/api/group/', { name: 'none' }],
  'groups.remove': [404, '/api/group/none'],
  'groups.models': [200, '/api/user/models'],
  'health.health': [200, '/health'],
  'health.live': [200, '/health/live'],
  'health.ready': [200, '/health/ready'],
  'logs.list': [200, '/api/log/'],
  'logs.own': [200, '/api/log/self'],
  'logs.search': [200, '/api/log/search?keyword=none'],
  'logs.searchOwn': [200, '/api/log/self/search?keyword=none'],
  'logs.totals': [200, '/api/log/stat'],
  'logs.totalsOwn': [200, '/api/log/self/stat'],
  'logs.trim': [200, '/api/log/?target_timestamp=1'],
  'models.list': [200, '/api/models/'],
  'models.search': [200, '/api/models/search?keyword=none'],
  'models.missing': [200, '/api/models/missing'],
  'models.read': [404, `/api/models/${nothing}`],
  'models.create': [400, '/api/models/', { model_name: 'none', vendor_id: nothing }],
  'models.update': [404, '/api/models/', { id: nothing }],
  'models.remove': [404, `/api/models/${nothing}`],
  'openapi.read': [200, '/api/openapi.json'],
  'options.list': [200, '/api/option/'],
  'options.update': [400, '/api/option/', { key: 'none', value: 'none' }],
  'options.resetRatios': [200, '/api/option/rest_model_ratio'],
  'plugins.list': [200, '/api/plugins'],
  'prefill-groups.list': [200, '/api/prefill_group/'],
  'prefill-groups.create': [400, '/api/prefill_group/', { name: 'n', type: 'model', items: {} }],
  'prefill-groups.update': [404, '/api/prefill_group/', { id: nothing }],
  'prefill-groups.remove': [404, `/api/prefill_group/${nothing}`],
  'prices.pricing': [200, '/api/pricing'],
  'prices.ratioConfig': [403, '/api/ratio_config'],
  'prices.list': [200, '/api/prices/'],
  'prices.missing': [200, '/api/prices/missing'],
  'prices.change': [400, '/api/prices/', { changes: {} }],
  'setup.read': [200, '/api/setup'],
  'setup.complete': [
    409,
    '/api/setup',
    { username: 'mallory', password, confirmPassword: password },
  ],
  'status.read': [200, '/api/status'],
  'tokens.list': [200, '/api/token/'],
  'tokens.search': [200, '/api/token/search?keyword=none'],
  'tokens.read': [404, `/api/token/${nothing}`],
  'tokens.create': [400, '/api/token/', { name: 'none', expired_time: 0 }],
  'tokens.update': [404, '/api/token/', { id: nothing }],
  'tokens.remove': [404, `/api/token/${nothing}`],
  'tokens.reveal': [404, `/api/token/${nothing}/key`],
  'tokens.removeAll': [200, '/api/token/batch', { ids: [nothing] }],
  'tokens.revealAll': [200, '/api/token/batch/keys', { ids: [nothing] }],
  'users.login': [401, '/api/user/login', { username: 'mallory', password: 'guess' }],
  'users.self': [200, '/api/user/self'],
  'users.list': [200, '/api/user/'],
  'users.search': [200, '/api/user/search?keyword=none'],
  'users.read': [404, `/api/user/${nothing}`],
  'users.create': [400, '/api/user/', { username: 'none', password, group: 'no such group' }],
  'users.update': [404, '/api/user/', { id: nothing }],
  'users.manage': [404, '/api/user/manage', { id: nothing, action: 'enable' }],
  'users.remove': [404, `/api/user/${nothing}`],
  'vendors.list': [200, '/api/vendors/'],
  'vendors.search': [200, '/api/vendors/search?keyword=none'],
  'vendors.read': [404, `/api/vendors/${nothing}`],
  'vendors.create': [400, '/api/vendors/', { name: '' }],
  'vendors.update': [404, '/api/vendors/', { id: nothing }],
  'vendors.remove': [404, `/api/vendors/${nothing}`],
}

/** Ends the very session it is asked with. */
const endsSessions = ['users.logout', 'users.logoutByPost']

const ranks: Readonly<Record<string, number>> = { none: 0, user: 1, admin: 10, root: 100 }

const rankOf = ({ declared }: LoadedRoute) => ranks[declared.credential] ?? Number.NaN

function ask(route: LoadedRoute, { client }: Caller) {
  const { method } = route.declared
  // A POST from nowhere must look like nothing a foreign page can send, even where the path takes no body.
  const [, address, body = method === 'POST' ? {} : undefined] = asked[nameOf(route)]!
  return client.call(method, address, body)
}

const notSignedIn = {
  status: 401,
  success: false,
  message: 'Sign in first.',
  code: 'unauthorized',
  data: null,
}
const notEntitled = {
  status: 403,
  success: false,
  message: 'This needs more rights than you have.',
  code: 'forbidden',
  data: null,
}

const routes = managed.filter((route) => nameOf(route) in asked)

t.test('the table names every route there is, and none besides', async (t) => {
  const named = [...Object.keys(asked), ...endsSessions].sort()
  t.strictSame(named, managed.map(nameOf).sort())
})

t.test(
  '[AUTH-2] whoever may not call a route is told so and nothing else, and nothing happens',
  async (t) => {
    const before = await wholeDatabase(knex, restless)
    const wrong: string[] = []
    for (const caller of callers) {
      for (const route of routes.filter((one) => rankOf(one) > caller.role)) {
        const { status, body } = await ask(route, caller)
        const told = { status, ...body }
        if (isDeepStrictEqual(told, caller.role === 0 ? notSignedIn : notEntitled)) continue
        wrong.push(`${nameOf(route)} told ${caller.name}: ${JSON.stringify(told)}`)
      }
    }
    t.strictSame(wrong, [])
    t.strictSame(await wholeDatabase(knex, restless), before)
  },
)

t.test('whoever may call a route is not kept from it', async (t) => {
  const wrong: string[] = []
  for (const caller of callers) {
    for (const route of routes.filter((one) => rankOf(one) <= caller.role)) {
      const { status, body } = await ask(route, caller)
      if (status === asked[nameOf(route)]![0]) continue
      wrong.push(`${nameOf(route)} told ${caller.name}: ${status} ${JSON.stringify(body)}`)
    }
  }
  t.strictSame(wrong, [])
})

t.test('the answer to HEAD is refused as that to GET is, and has no body', async (t) => {
  const gets = routes.filter((route) => route.declared.method === 'GET' && rankOf(route) > 0)
  const statuses = await Promise.all(
    gets.map(async (route) => {
      const answer = await fetch(`${url}${asked[nameOf(route)]![1]}`, { method: 'HEAD' })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  t.strictSame([...new Set(statuses)], ['401 '])
})

t.test("signing out without a session is no fault, and ends nobody else's", async (t) => {
  for (const method of ['GET', 'POST']) {
    t.equal((await management(url).call(method, '/api/user/logout', undefined)).status, 200, method)
  }
  t.equal((await ada.call('GET', '/api/user/self')).status, 200)
})

t.test('an API key opens no management path', async (t) => {
  const { key } = await root.token()
  const answer = await fetch(`${url}/api/option/`, { headers: { authorization: `Bearer ${key}` } })
  t.equal(answer.status, 401)
})

t.test("somebody else's API key is not there: for users, admins and root alike", async (t) => {
  const { id, key } = await ada.token({ name: 'of ada' })
  const mine = await ada.must('GET', `/api/token/${id}`)
  for (const [name, other] of Object.entries({ bob, boss, root })) {
    const told = {
      read: await other.call('GET', `/api/token/${id}`),
      update: await other.call('PUT', '/api/token/', { id, name: 'taken over' }),
      off: await other.call('PUT', '/api/token/?status_only=true', { id, status: 2 }),
      reveal: await other.call('POST', `/api/token/${id}/key`, {}),
      remove: await other.call('DELETE', `/api/token/${id}`),
    }
    for (const [verb, { status, body }] of Object.entries(told)) {
      t.equal(status, 404, `${name} may not ${verb}`)
      t.equal(body.data, null, `${name} is told nothing by ${verb}`)
    }
    const keys = await other.call('POST', '/api/token/batch/keys', { ids: [id] })
    t.notMatch(JSON.stringify(keys.body), key.slice(3), `${name} reveals none of many`)
    await other.call('POST', '/api/token/batch', { ids: [id] })
    for (const query of [`keyword=of+ada`, `token=${key}`, `token=${key.slice(-4)}`]) {
      const { items } = await other.must('GET', `/api/token/search?${query}`)
      t.strictSame(items, [], `${name} finds nothing by ${query.split('=')[0]}`)
    }
  }
  t.strictSame(await ada.must('GET', `/api/token/${id}`), mine, 'it is as it was')
})

t.test('logs and sums of others stay out of reach, whatever is asked for', async (t) => {
  await root.credit(bob.id, 777_777)
  await gateway.idle()
  const named = 'username=bob&user_id=3&channel=1'
  const paths = ['/api/log/self', '/api/log/self/search', '/api/log/self/stat', '/api/data/self']
  for (const path of paths) {
    for (const query of [named, `${named}&keyword=bob`, 'username[]=bob', 'userId=1']) {
      const { status, body } = await ada.call('GET', `${path}?${query}`)
      t.notMatch(JSON.stringify(body), /777777|"bob"/, `${path}?${query} ${status}`)
    }
  }
  t.match(JSON.stringify(await root.must('GET', '/api/log/?username=bob')), /777777/)
})

t.test('admins reach nobody of their own rank or above, and make no money', async (t) => {
  const peer = await person('peer', 10)
  for (const [name, id] of [
    ['root', 1],
    ['a peer', peer.id],
    ['themselves', boss.id],
  ] as const) {
    const told = {
      update: await boss.call('PUT', '/api/user/', { id, password: 'taken over, you see' }),
      disable: await boss.call('POST', '/api/user/manage', { id, action: 'disable' }),
      promote: await boss.call('POST', '/api/user/manage', { id, action: 'promote' }),
      demote: await boss.call('POST', '/api/user/manage', { id, action: 'demote' }),
      remove: await boss.call('DELETE', `/api/user/${id}`),
    }
    for (const [verb, { status }] of Object.entries(told)) t.equal(status, 403, `${verb} ${name}`)
  }
  const raises = await boss.call('POST', '/api/user/manage', { id: ada.id, action: 'promote' })
  t.equal(raises.status, 403)
  const money = { id: ada.id, action: 'add_quota', mode: 'add', value: 5 }
  t.equal((await boss.call('POST', '/api/user/manage', money)).status, 403)
  const admin = { username: 'made', password, role: 10 }
  t.equal((await boss.call('POST', '/api/user/', admin)).status, 403)
})

t.test("fields that are nobody's to write are left alone", async (t) => {
  const { id } = await ada.token({ name: 'plain', user_id: 1, used_quota: -5, key: 'sk-chosen' })
  const extra = { user_id: 1, used_quota: -5, key: 'sk-chosen', deleted_at: null }
  await ada.must('PUT', '/api/token/', { id, name: 'plain', ...extra })
  t.match(await ada.must('GET', `/api/token/${id}`), { user_id: ada.id, used_quota: 0 })
  await boss.must('PUT', '/api/user/', {
    id: ada.id,
    role: 100,
    quota: 1e9,
    status: 2,
    remark: 'x',
  })
  t.match(await boss.must('GET', `/api/user/${ada.id}`), { role: 1, quota: 0, status: 1 })
})

/** As a browser asks from another site, with the session of its user. */
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sub.evil.example' },
  // A link that is followed: no origin, and the session all the same.
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
]

t.test(
  "another site can use nobody's session: not to change anything, nor as an admin",
  async (t) => {
    const signIn = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password }),
    })
    const cookie = signIn.headers.getSetCookie()[0]!.split(';')[0]!
    const before = await wholeDatabase(knex, restless)
    const wrong: string[] = []
    const harmful = routes.filter(
      (route) => rankOf(route) > 1 || (rankOf(route) === 1 && route.declared.method !== 'GET'),
    )
    for (const route of harmful) {
      const [, address, body] = asked[nameOf(route)]!
      for (const said of foreign) {
        const answer = await fetch(`${url}${address}`, {
          method: route.declared.method,
          headers: { ...said, cookie, 'content-type': 'application/json' },
          body: route.declared.method === 'GET' ? undefined : JSON.stringify(body ?? {}),
        })
        const { code } = (await answer.json()) as { code?: string }
        if (answer.status === 403 && code === 'cross_site_request') continue
        wrong.push(`${nameOf(route)} ${JSON.stringify(said)}: ${answer.status} ${code}`)
      }
    }
    t.strictSame(wrong, [])
    t.strictSame(await wholeDatabase(knex, restless), before)
    const own = { cookie, origin: url, 'sec-fetch-site': 'same-origin' }
    t.equal((await fetch(`${url}/api/channel/`, { headers: own })).status, 200)
  },
)

t.test('another site can sign nobody in, nor set anything up', async (t) => {
  for (const name of ['users.login', 'setup.complete']) {
    const [, address, body] = asked[name]!
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const answer = await fetch(`${url}${address}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    t.equal(answer.status, 403, name)
  }
})

const crossing = 'access-control-allow-origin'

t.test(
  'any page may call the relay paths with a key, the old billing paths included',
  async (t) => {
    const { key } = await root.token()
    for (const path of [
      '/v1/models',
      '/dashboard/billing/subscription',
      '/dashboard/billing/usage',
    ]) {
      const preflight = await fetch(`${url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      })
      t.equal(preflight.status, 204, path)
      t.equal(preflight.headers.get(crossing), '*', path)
      t.equal(preflight.headers.get('access-control-allow-headers'), 'authorization', path)
      t.equal(preflight.headers.get('access-control-allow-credentials'), null, path)
      for (const [said, status] of [
        [`Bearer ${key}`, 200],
        ['Bearer sk-none', 401],
      ] as const) {
        const headers = { authorization: said, origin: 'https://app.example' }
        const answer = await fetch(`${url}${path}`, { headers })
        t.equal(answer.status, status, path)
        t.equal(answer.headers.get(crossing), '*', path)
      }
    }
  },
)

t.test('no page of another origin may read a management path', async (t) => {
  const readable: string[] = []
  for (const route of routes) {
    const [, address] = asked[nameOf(route)]!
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
      const answer = await fetch(`${url}${address}`, { method, headers })
      if (answer.headers.has(crossing)) readable.push(`${method} ${address}`)
    }
  }
  t.strictSame(readable, [])
  const beside = await fetch(`${url}/dashboard/billings`, {
    headers: { origin: 'https://a.example' },
  })
  t.equal(beside.headers.has(crossing), false)
})
