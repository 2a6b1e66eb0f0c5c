/** Limits of everything that is not relayed, over whole gateways: what counts, whom, and what is reported of it. */
import t from 'tap'
import type { Environment, RateLimit } from '../../kernel/contract/services/system.js'
import { startGateway } from '../kit/gateway.js'
import { root } from '../kit/management.js'

t.setTimeout(360_000)

type Limits = Environment['rateLimits']

const of = (limit: number, windowSeconds = 180): RateLimit => ({
  enabled: true,
  limit,
  windowSeconds,
})
/** As the environment has them where it reveals nothing. */
const defaults: Limits = {
  api: of(720),
  web: of(60),
  critical: of(20, 1200),
  criticalRoute: of(20, 1200),
  criticalSecrets: of(120, 1200),
  login: of(10, 900),
}

interface Outcome {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
  readonly body: any
}

interface RequestOptions {
  readonly method?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A gateway under these limits, queried from any address through a proxy it trusts. Each test has addresses of its own. */
async function setup(limits: Limits) {
  const gateway = await startGateway(t, {
    environment: { rateLimits: limits, trustedProxies: ['127.0.0.1'] },
  })
  async function ask(
    address: string,
    path: string,
    { body, headers = {}, method = body === undefined ? 'GET' : 'POST' }: RequestOptions = {},
  ): Promise<Outcome> {
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : {} }
  }
  /** Asks so many times and answers what the last one was reported. */
  async function times(count: number, address: string, path: string, requested?: RequestOptions) {
    let result: Outcome | undefined
    for (let call = 0; call < count; call++) result = await ask(address, path, requested)
    return result!
  }
  return { ...gateway, ask, times }
}

const left = ({ headers }: Outcome) => headers.get('x-ratelimit-remaining')
const policy = ({ headers }: Outcome) => headers.get('x-ratelimit-policy')
const login = (username: string) => ({ body: { username, password: 'wrong horse battery' } })

const usual = await setup(defaults)
const small = await setup({
  api: of(30),
  web: of(1, 1),
  critical: of(12, 60),
  criticalRoute: of(5, 1200),
  criticalSecrets: of(6, 1200),
  login: of(10, 900),
})

t.test(
  '[LIMIT-1] an exceeded limit is reported by its code, its headers and its policy',
  async (t) => {
    const { ask, times } = small
    const fine = await times(30, '9.1.0.1', '/api/user/self')
    t.equal(fine.status, 401)
    t.equal(left(fine), '0')
    const { status, headers, body } = await ask('9.1.0.1', '/api/user/self')
    t.equal(status, 429)
    t.match(body, {
      success: false,
      code: 'rate_limit_exceeded',
      data: null,
      error: { code: 'rate_limit_exceeded', type: 'rate_limit_error', param: '', message: String },
    })
    const retry = headers.get('retry-after')
    t.match(retry, /^[1-9]\d*$/)
    t.ok(Number(retry) <= 180)
    t.equal(headers.get('x-ratelimit-limit'), '30')
    t.equal(headers.get('x-ratelimit-remaining'), '0')
    t.equal(headers.get('x-ratelimit-reset'), retry)
    t.equal(headers.get('x-ratelimit-policy'), '30;w=180')
  },
)

t.test('[LIMIT-1] what is answered well tells the tightest of its limits', async (t) => {
  const plain = await small.ask('9.1.0.2', '/api/user/self')
  t.strictSame([left(plain), policy(plain)], ['29', '30;w=180'])
  const critical = await small.ask('9.1.0.2', '/api/user/login', login('one'))
  t.strictSame([left(critical), policy(critical)], ['4', '5;w=1200'])
  t.match(critical.headers.get('x-ratelimit-reset'), /^(1200|119\d)$/)
  t.equal(critical.headers.get('retry-after'), null)
})

t.test('[LIMIT-1] a window ends when it was stated to', async (t) => {
  const until = Date.now() + 10_000
  const status = async () => (await small.ask('9.1.0.3', '/no/such/page')).status
  const until429 = async (wanted: boolean) => {
    while (((await status()) === 429) !== wanted) if (Date.now() > until) return false
    return true
  }
  t.ok(await until429(true))
  t.ok(await until429(false))
})

t.test('[LIMIT-3] one address may ask 720 times in 180 s, and another one is free', async (t) => {
  const { ask, times } = usual
  const last = await times(720, '9.2.0.1', '/api/user/self')
  t.equal(last.status, 401)
  t.equal(left(last), '0')
  const refused = await ask('9.2.0.1', '/api/user/self')
  t.equal(refused.status, 429)
  t.equal(policy(refused), '720;w=180')
  t.equal((await ask('9.2.0.2', '/api/user/self')).status, 401)
})

t.test('[LIMIT-3] everything under /api and the old billing paths count together', async (t) => {
  const { ask, times, key } = small
  const headers = { authorization: `Bearer ${key}` }
  const counted: [path: string, status: number, request?: RequestOptions][] = [
    ['/api/user/self', 401],
    ['/api/no/such/path', 404],
    ['/api/status', 405, { method: 'PATCH' }],
    ['/v1/dashboard/billing/subscription', 200, { headers }],
    ['/dashboard/billing/subscription', 200, { headers }],
    ['/api/usage/token/', 200, { headers }],
    ['/api/log/token', 401],
  ]
  for (const [at, [path, status, request]] of counted.entries()) {
    t.equal((await ask('9.2.0.3', path, request)).status, status, path)
    const next = await ask('9.2.0.3', '/api/user/self')
    t.equal(left(next), String(28 - 2 * at), path)
  }
  await times(30 - 2 * counted.length, '9.2.0.3', '/api/user/self')
  for (const [path, , requested] of counted) {
    const { status, body } = await ask('9.2.0.3', path, requested)
    t.equal(status, 429, path)
    t.equal(body.error.code, 'rate_limit_exceeded', path)
    if (path.startsWith('/api/')) t.equal(body.code, 'rate_limit_exceeded', path)
  }
})

t.test('[LIMIT-3] relay paths, health and preflights do not count', async (t) => {
  const { ask, key } = small
  const headers = { authorization: `Bearer ${key}` }
  for (const path of ['/v1/models', '/v1/nothing', '/health/live', '/health', '/health/ready']) {
    for (let call = 0; call < 3; call++) {
      const result = await ask('9.2.0.4', path, { headers })
      t.not(result.status, 429, path)
      t.equal(left(result), null, path)
    }
  }
  t.equal((await ask('9.2.0.4', '/v1/models', { method: 'OPTIONS' })).status, 204)
  t.equal(left(await ask('9.2.0.4', '/api/user/self')), '29', 'nothing of it was counted')
})

t.test('[LIMIT-3] of IPv6 a whole /64 is one caller; mapped IPv4 is IPv4', async (t) => {
  const remaining = async (address: string) => left(await small.ask(address, '/api/user/self'))
  t.equal(await remaining('2001:db8:1:2::1'), '29')
  t.equal(await remaining('2001:0db8:0001:0002:ffff::2'), '28')
  t.equal(await remaining('2001:db8:1:2:3::'), '27')
  t.equal(await remaining('2001:db8:1:3::1'), '29')
  t.equal(await remaining('9.2.0.5'), '29')
  t.equal(await remaining('::ffff:9.2.0.5'), '28')
  t.equal(await remaining('::ffff:902:5'), '27')
})

t.test('[LIMIT-4] one address may ask 20 critical things in 20 minutes', async (t) => {
  const { ask } = usual
  for (let call = 0; call < 20; call++) {
    const result = await ask('9.3.0.1', '/api/user/login', login(`user${call}`))
    t.equal(result.status, 401)
    t.equal(left(result), String(19 - call))
  }
  const refused = await ask('9.3.0.1', '/api/user/login', login('other'))
  t.equal(refused.status, 429)
  t.equal(policy(refused), '20;w=1200')
  const plain = await ask('9.3.0.1', '/api/user/self')
  t.equal(plain.status, 401, 'what is not critical goes on')
  t.equal(left(plain), String(720 - 22))
  t.equal((await ask('9.3.0.2', '/api/user/login', login('other'))).status, 401)
})

t.test('[LIMIT-4] critical routes count together, by address', async (t) => {
  const { ask } = small
  const paths = ['/api/user/login', '/api/user/register', '/api/user/reset']
  for (let call = 0; call < 12; call++) {
    const result = await ask('9.3.0.3', paths[call % 3]!, { body: {} })
    t.not(result.status, 429, `${call}`)
  }
  const refused = await ask('9.3.0.3', paths[0]!, { body: {} })
  t.equal(refused.status, 429)
  t.equal(policy(refused), '12;w=60')
})

t.test('[LIMIT-4] a user is stopped on one route from whatever address', async (t) => {
  const { ask, admin } = small
  const { headers } = await ask('9.3.0.4', '/api/user/login', { body: root })
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!
  const { id } = (await admin.must('GET', '/api/token/')).items[0]
  const reveal = (at: number) =>
    ask(`9.3.1.${at}`, `/api/token/${id}/key`, { body: {}, headers: { cookie } })
  for (let at = 0; at < 5; at++) {
    const result = await reveal(at)
    t.not(result.status, 429)
    t.strictSame([left(result), policy(result)], [String(4 - at), '5;w=1200'])
  }
  const refused = await reveal(9)
  t.equal(refused.status, 429)
  t.equal(policy(refused), '5;w=1200')
  const other = await ask('9.3.1.9', '/api/token/batch/keys', {
    body: { ids: [id] },
    headers: { cookie },
  })
  t.not(other.status, 429, 'another route has its own')
})

t.test('[LIMIT-4] where nobody is known, a route counts by address', async (t) => {
  const { ask, times } = small
  t.equal((await times(5, '9.3.0.5', '/api/user/login', login('two'))).status, 401)
  const refused = await ask('9.3.0.5', '/api/user/login', login('three'))
  t.strictSame([refused.status, policy(refused)], [429, '5;w=1200'])
  t.equal((await ask('9.3.0.6', '/api/user/login', login('two'))).status, 401)
})

t.test(
  '[LIMIT-4] writes of keys and secrets count together by user, and the rest of the work does not',
  async (t) => {
    const { ask, admin } = small
    let calls = 0
    const signedIn = async (body: object) => {
      const { headers } = await ask(`9.3.2.${++calls}`, '/api/user/login', { body })
      return { cookie: headers.getSetCookie()[0]!.split(';')[0]! }
    }
    const mine = await signedIn(root)
    /** Each from an address of its own: only the user has the calls in common. */
    const write = (method: string, path: string, body?: object, headers: object = mine) =>
      ask(`9.3.2.${++calls}`, path, { method, body, headers: { ...headers } })
    const fields = { type: 1, name: 'kept', key: 'sk-1', models: 'm', group: 'default' }
    const id = await admin.channel({ ...fields, setting: { proxy: 'http://10.0.0.1' } })
    const multi = { mode: 'multi_to_single', channel: { ...fields, name: 'two', key: 'a\nb' } }
    const keys = '/api/channel/multi_key/manage'
    const others: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['PUT', '/api/channel/', { id, priority: 5, setting: { proxy: 'http://10.0.0.1' } }],
      ['PUT', '/api/channel/', { id, key: '' }],
      ['PUT', '/api/channel/', { id, key: 7 }],
      ['POST', `/api/channel/${id}/status`, { status: 1 }],
      ['POST', keys, { channel_id: id, action: 'get_key_status' }],
      ['PUT', '/api/option/', { key: 'RetryTimes', value: 0 }],
      ['PUT', '/api/option/', { key: 'SMTPToken', value: '' }],
    ]
    for (const [method, path, body] of others) {
      const result = await write(method, path, body)
      t.strictSame(policy(result), '30;w=180', `${path} ${JSON.stringify(body)}`)
    }
    const counted: typeof others = [
      // The channel above is the first.
      ['POST', '/api/channel/', multi],
      ['PUT', '/api/channel/', { id, key: 'sk-2' }],
      ['PUT', '/api/channel/', { id, setting: { proxy: 'http://ada:pass@10.0.0.1' } }],
      ['POST', keys, { channel_id: id + 1, action: 'disable_key', key_index: 1 }],
      ['PUT', '/api/option/', { options: [{ key: 'SMTPToken', value: 'mail' }] }],
    ]
    for (const [at, [method, path, body]] of counted.entries()) {
      const result = await write(method, path, body)
      t.equal(result.status, 200, `${path} ${JSON.stringify(result.body)}`)
      t.strictSame([left(result), policy(result)], [String(4 - at), '6;w=1200'], path)
    }
    for (const [method, path, body] of [
      ...counted,
      ['POST', `/api/channel/copy/${id}`, {}],
    ] as const) {
      const result = await write(method, path, body)
      t.strictSame([result.status, policy(result)], [429, '6;w=1200'], path)
    }
    for (const [method, path, body] of others) {
      t.not((await write(method, path, body)).status, 429, `${path} goes on`)
    }
    const lin = { username: 'lin', password: 'correct horse battery' }
    await admin.must('POST', '/api/user/', { ...lin, display_name: 'Lin', role: 10 })
    const theirs = await signedIn(lin)
    const result = await write('PUT', '/api/channel/', { id, key: 'sk-3' }, theirs)
    t.strictSame([result.status, left(result)], [200, '5'], 'another admin has their own')
  },
)

t.test('[LIMIT-5] ten sign-ins to one account from one network, however it is typed', async (t) => {
  const spellings = ['Ada', ' ada', 'ADA ', 'ada']
  const attempt = (name: string, network = '9.4.0.1') =>
    usual.ask(network, '/api/user/login', login(name))
  for (let at = 0; at < 10; at++) {
    t.equal((await attempt(spellings[at % spellings.length]!)).status, 401)
  }
  const refused = await attempt('ada')
  t.equal(refused.status, 429)
  t.equal(refused.body.code, 'rate_limit_exceeded')
  t.equal(policy(refused), '10;w=900')
  t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
  t.equal((await attempt('barbara')).status, 401, 'another account is free')
  t.equal((await attempt('ada', '9.4.1.1')).status, 401, 'and so is another network')
})

t.test('[LIMIT-5] counted before the password is looked at, and whatever it is', async (t) => {
  const { ask, admin } = usual
  const body = { username: 'grace', password: 'correct horse battery' }
  await admin.must('POST', '/api/user/', { ...body, display_name: 'Grace', role: 1 })
  const attempt = (requested: RequestOptions) => ask('9.5.0.1', '/api/user/login', requested)
  for (let at = 0; at < 5; at++) t.equal((await attempt({ body })).status, 200)
  for (let at = 5; at < 10; at++) t.equal((await attempt(login('grace'))).status, 401)
  t.equal((await attempt({ body })).status, 429)
})

t.test('[LIMIT-5] passwords shown in a session are counted for that session', async (t) => {
  const { ask, admin } = usual
  const body = { username: 'hopper', password: 'correct horse battery' }
  await admin.must('POST', '/api/user/', { ...body, display_name: 'Hopper', role: 1 })
  const { headers } = await ask('9.6.0.1', '/api/user/login', { body })
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!
  const verify = (at: number) =>
    ask(`9.6.0.${at}`, '/api/verify', {
      body: { scope: 'balance', method: 'password', password: 'a guess' },
      headers: { cookie },
    })
  for (let at = 1; at <= 10; at++) t.equal((await verify(at)).status, 403)
  const refused = await verify(11)
  t.strictSame([refused.status, policy(refused)], [429, '10;w=900'])
})

t.test('[LIMIT-7] pages that are not there count, and nothing else does', async (t) => {
  const { ask, times } = usual
  t.equal((await ask('9.7.0.1', '/health/live')).status, 200)
  const last = await times(60, '9.7.0.1', '/no/such/page')
  t.equal(last.status, 404)
  t.strictSame([left(last), policy(last)], ['0', '60;w=180'])
  const refused = await ask('9.7.0.1', '/no/such/page')
  t.equal(refused.status, 429)
  t.equal(policy(refused), '60;w=180')
  t.match(refused.body, { code: 'rate_limit_exceeded', error: { code: 'rate_limit_exceeded' } })
  t.equal((await ask('9.7.0.1', '/health/live')).status, 200)
  t.equal((await ask('9.7.0.1', '/api/user/self')).status, 401)
})

t.test('[API-2] status and setup have a bucket of their own with the global values', async (t) => {
  const { ask, times } = small
  const first = await ask('9.8.0.1', '/api/status')
  t.strictSame([first.status, left(first), policy(first)], [200, '29', '30;w=180'])
  t.equal(left(await ask('9.8.0.1', '/api/setup')), '28')
  t.equal((await times(28, '9.8.0.1', '/api/status')).status, 200)
  t.equal((await ask('9.8.0.1', '/api/setup')).status, 429)
  t.equal((await ask('9.8.0.1', '/api/status')).status, 429)
  t.equal(left(await ask('9.8.0.1', '/api/user/self')), '29', 'not counted there')
  t.equal((await times(31, '9.8.0.2', '/api/user/self')).status, 429)
  t.equal((await ask('9.8.0.2', '/api/status')).status, 200, 'nor the other way round')
})
