/** The Playground's path: a session or a key, its own group first, and nobody else's page. */
import t from 'tap'
import type { Inbound } from '../../../kernel/contract/endpoint.js'
import type { Principal } from '../../../kernel/contract/management.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import create from '../../../plugins/endpoints/playground/index.js'
import { quietLog, requestId } from '../../kit/fakes.js'
import { startGateway } from '../../kit/gateway.js'
import { management, root } from '../../kit/management.js'
import { ask, model, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, events, json } from '../../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { upstream, url } = gateway
await gateway.admin.option('GroupRatio', { default: 1, vip: 2 })
await gateway.admin.channel({
  type: 1,
  name: 'for vip',
  key: 'vip-key',
  base_url: upstream.url,
  models: model,
  group: 'vip',
})

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
})

async function session(): Promise<string> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(root),
  })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

const cookie = await session()

const play = (body: unknown, headers: Record<string, string> = { cookie }) =>
  fetch(`${url}/pg/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

t.test('[FMT-15] who is signed in chats and pays from the wallet, without a token', async (t) => {
  const before = await gateway.balance()
  const answer = await play(ask())
  t.equal(answer.status, 200)
  t.match(await answer.json(), { choices: [{ message: { content: 'Hi.' } }] })
  t.equal(before - (await gateway.balance()), 18n)
  const [row] = await gateway.logs()
  t.match(row, { quota: 18, token_name: '', group: 'default' })
  t.notOk('cookie' in upstream.requests[0]!.headers)
})

t.test('[FMT-15] a stream passes too, to its end', async (t) => {
  upstream.script(events(chat.delta('Hi.'), chat.stop(), chat.usage(10, 2), chat.done))
  const answer = await play(ask({ stream: true }))
  t.match(await answer.text(), /\[DONE\]\n\n$/)
})

t.test('[FMT-15] a group named in the body goes first and stays here', async (t) => {
  const sent = `{"group": "vip", "model":"${model}","messages":[{"role":"user","content":"hello"}], "seed": 9007199254740993}`
  t.equal((await play(sent)).status, 200)
  t.equal(upstream.requests[0]?.headers.authorization, 'Bearer vip-key')
  t.equal(
    upstream.requests[0]?.text,
    sent.replace('"group": "vip", ', ''),
    'the rest is as it came',
  )
  const [row] = await gateway.logs()
  t.match(row, { group: 'vip', quota: 36 })
})

t.test('[FMT-15] it goes before the group a token holds', async (t) => {
  const { key } = await gateway.admin.token({ group: 'default' })
  const headers = { authorization: `Bearer ${key}` }
  t.equal((await play(ask({ group: 'vip' }), headers)).status, 200)
  t.equal(upstream.requests[0]?.headers.authorization, 'Bearer vip-key')
  t.equal((await play(ask(), headers)).status, 200)
  t.equal(upstream.requests[1]?.headers.authorization, 'Bearer upstream-key')
  const [row] = await gateway.logs()
  t.match(row, { token_name: 'test' })
})

t.test('[FMT-15] a group that cannot be used is refused, and none chosen is none', async (t) => {
  const unknown = await play(ask({ group: 'nobody' }))
  t.equal(unknown.status, 403)
  t.match(await unknown.json(), { error: { code: 'group_not_usable' } })
  const odd = await play(ask({ group: 7 }))
  t.equal(odd.status, 400)
  t.match(await odd.json(), { error: { param: 'group' } })
  t.equal(upstream.requests.length, 0)
  for (const group of ['', null]) {
    t.equal((await play(ask({ group }))).status, 200)
    t.notOk('group' in upstream.requests.at(-1)!.json!)
  }
})

t.test('[FMT-15] nobody signed in is a 401 in the chat format', async (t) => {
  for (const cookie of ['', 'session=x', `session=${'x'.repeat(43)}`]) {
    const answer = await play(ask(), { cookie })
    t.equal(answer.status, 401)
    t.match(await answer.json(), { error: { code: 'unauthorized', type: 'authentication_error' } })
  }
  t.equal((await play(ask(), { cookie, authorization: 'Bearer sk-x' })).status, 401, 'a key counts')
})

t.test('[AUTH-2] a session that ended, or whose user is disabled, chats no more', async (t) => {
  const person = management(url)
  await gateway.admin.must('POST', '/api/user/', { username: 'ann', password: 'a long password' })
  const { id } = (await gateway.admin.must('GET', '/api/user/?p=1')).items.find(
    ({ username }: { username: string }) => username === 'ann',
  )
  await gateway.admin.credit(id, 1_000_000)
  const { headers } = await person.login('ann', 'a long password')
  const theirs = headers.getSetCookie()[0]!.split(';')[0]!
  t.equal((await play(ask(), { cookie: theirs })).status, 200)
  await gateway.admin.must('POST', '/api/user/manage', { id, action: 'disable' })
  t.equal((await play(ask(), { cookie: theirs })).status, 401)
})

t.test('another site may not use the session of its visitor', async (t) => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    const answer = await play(ask(), { cookie, ...headers })
    t.equal(answer.status, 403, JSON.stringify(headers))
    t.match(await answer.json(), { error: { code: 'cross_site_request' } })
  }
  t.equal(upstream.requests.length, 0)
  t.equal((await play(ask(), { cookie, 'sec-fetch-site': 'same-origin' })).status, 200)
  t.equal((await play(ask(), { cookie, origin: url })).status, 200)
  const preflight = await fetch(`${url}/pg/chat/completions`, { method: 'OPTIONS' })
  t.notOk(preflight.headers.has('access-control-allow-origin'))
})

t.test('[FMT-16] the Playground takes JSON alone', async (t) => {
  const answer = await play('a=1', { cookie, 'content-type': 'application/x-www-form-urlencoded' })
  t.equal(answer.status, 415)
})

t.test('[ERR-1] what is wrong with a request is reported in the chat format', async (t) => {
  t.match(await (await play('{"model":')).json(), { error: { code: 'invalid_json' } })
  t.match(await (await play(ask({ temperature: 9 }))).json(), { error: { param: 'temperature' } })
})

const principal: Principal = {
  userId: 7,
  username: 'ann',
  role: 1,
  group: 'default',
  via: 'session',
}

/** The endpoint alone, with a session that is always there. */
function alone(over: {
  principal?: () => Promise<Principal>
  wallets?: ReadonlyMap<number, unknown>
}) {
  const endpoint = create({
    settings: undefined as never,
    clock: systemClock,
    log: quietLog,
    services: {
      identity: { principal: over.principal ?? (async () => principal) },
      ledger: { wallets: async () => over.wallets ?? new Map([[7, { accountId: 42 }]]) },
    } as never,
  })
  const route = endpoint.routes.create!
  return async (headers: Record<string, string> = {}, secure?: boolean) => {
    if (route.kind !== 'relay') throw new Error('it relays')
    const inbound: Inbound = {
      requestId,
      method: 'POST',
      path: '/pg/chat/completions',
      params: {},
      client: {
        headers: { 'content-type': 'application/json', ...headers },
        query: {},
        address: '',
      },
      ...(secure !== undefined && { secure }),
      payload: Buffer.from('{"model":"m"}'),
    }
    const made = await route.receive({ ...inbound, credential: await route.caller?.(inbound) })
    if (!('operation' in made)) throw new Error('it answered by itself')
    return made
  }
}

t.test('the user of a session is the line’s user, wallet included', async (t) => {
  const { credential } = await alone({})()
  const user = { id: 7, username: 'ann', role: 1, group: 'default', walletId: 42 }
  t.strictSame(credential, { kind: 'user', user })
})

t.test('where the session came by HTTPS, a page that did not is another site', async (t) => {
  const receive = alone({})
  const page = { host: 'gateway.example', origin: 'http://gateway.example' }
  await t.resolves(receive(page))
  await t.rejects(receive(page, true), { code: 'cross_site_request' })
  await t.resolves(receive({ ...page, origin: 'https://gateway.example' }, true))
})

t.test(
  'without a wallet there is nothing to pay from; without a database nothing is known',
  async (t) => {
    await t.rejects(alone({ wallets: new Map() })(), { code: 'insufficient_user_quota' })
    const down = async () => {
      throw new Error('no connection')
    }
    await t.rejects(alone({ principal: down })(), { code: 'database_unavailable' })
  },
)

t.test('[AUTH-2] over HTTPS the plain cookie counts no more here than in the API', async (t) => {
  const jsonType = { 'content-type': 'application/json' }
  const proxied = await startGateway(t, { environment: { trustedProxies: ['127.0.0.1'] } })
  const form = { method: 'POST', body: JSON.stringify(root), headers: jsonType }
  const plain = await fetch(`${proxied.url}/api/user/login`, form)
  const [stolen = ''] = plain.headers.getSetCookie().map((line) => line.split(';')[0]!)
  t.match(stolen, /^session=/)
  const ask = async (cookie: string, more: Record<string, string> = {}) => {
    const headers = { ...jsonType, cookie, ...more }
    const [api, pg] = await Promise.all([
      fetch(`${proxied.url}/api/user/self`, { headers }),
      fetch(`${proxied.url}/pg/chat/completions`, { method: 'POST', headers, body: '{}' }),
    ])
    await Promise.all([api.text(), pg.text()])
    return [api.status, pg.status]
  }
  const https = { 'x-forwarded-proto': 'https' }
  t.strictSame(await ask(stolen), [200, 400])
  t.strictSame(await ask(stolen, https), [401, 401])
  t.strictSame(await ask(`__Host-${stolen}`, https), [200, 400])
})
