/**
 * Sessions, access tokens and the own account over HTTP, as the rules say it (AUTH-2 to AUTH-5, X11, E1).
 */
import { URI } from 'otpauth'
import t from 'tap'
import type { Scope } from '../../plugins/services/verification/index.js'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'

const clock = new FakeClock()
const { url, admin: root, gateway } = await startGateway(t, { clock })
const identity = gateway.service('identity')
const factors = gateway.service('factors')
const verification = gateway.service('verification')
const { knex } = gateway.service('database')

const password = 'correct horse battery'

interface Ask {
  readonly cookie?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: string
}

interface Outcome {
  readonly status: number
  readonly code?: string
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by route; tests look into the fields they name.
  readonly data: any
  readonly headers: Headers
  /** `name=value` of each cookie that was set. */
  readonly cookies: readonly string[]
}

async function ask(method: string, path: string, request: Ask = {}): Promise<Outcome> {
  const { cookie = '', body = method === 'POST' ? {} : undefined, headers, at = url } = request
  const answer = await fetch(`${at}${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  })
  const result = (await answer.json()) as { code?: string; data: unknown; error?: { code: string } }
  return {
    status: answer.status,
    code: result.code ?? result.error?.code,
    data: result.data,
    headers: answer.headers,
    cookies: answer.headers.getSetCookie().map((set) => set.split(';', 1)[0] ?? ''),
  }
}

const login = (username: string, request: Ask = {}) =>
  ask('POST', '/api/user/login', { body: { username, password }, ...request })

const cookieFor = async (username: string) => (await login(username)).cookies[0] ?? ''

async function person(username: string, role: 1 | 10 = 1) {
  const { id } = await root.must('POST', '/api/user/', { username, password, role })
  return { id: Number(id), username, cookie: await cookieFor(username) }
}

const principalOf = async (cookie: string) => {
  const principal = await identity.principal({ headers: { cookie } })
  if (principal === undefined) throw new Error('nobody is signed in')
  return principal
}

async function proof(cookie: string, scope: Scope): Promise<Readonly<Record<string, string>>> {
  const { token } = await verification.grant(await principalOf(cookie), scope)
  return { 'x-verification-token': token }
}

async function accessToken(cookie: string): Promise<string> {
  const headers = await proof(cookie, 'access_token')
  return (await ask('POST', '/api/user/token', { cookie, headers })).data
}

/** An app for second factors, in force; answers how to make a code nobody has used. */
async function app(cookie: string): Promise<() => string> {
  const owner = await principalOf(cookie)
  const totp = URI.parse((await factors.setUp(owner)).url)
  if (!('period' in totp)) throw new Error('no app')
  const fresh = () => {
    clock.advance(30_000)
    return totp.generate({ timestamp: clock.now() })
  }
  await factors.enable(owner.userId, fresh(), async () => {})
  return fresh
}

t.test('[AUTH-2] a session is an HttpOnly cookie, new at each login', async (t) => {
  await person('ada')
  const first = await login('ada')
  t.match(first.headers.get('set-cookie'), /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/)
  t.match(first.headers.get('cache-control'), /no-store/)
  t.match(Object.keys(first.data).sort(), [
    'display_name',
    'group',
    'id',
    'role',
    'status',
    'username',
  ])
  const second = await login('ADA', { cookie: first.cookies[0] })
  t.not(second.cookies[0], first.cookies[0])
  t.equal((await ask('GET', '/api/user/self', { cookie: first.cookies[0] })).status, 401)
  t.equal((await ask('GET', '/api/user/self', { cookie: second.cookies[0] })).status, 200)
  const planted = `session=${'B'.repeat(43)}`
  const third = await login('ada', { cookie: planted })
  t.not(third.cookies[0], planted)
  t.equal((await ask('GET', '/api/user/self', { cookie: planted })).status, 401)
})

t.test(
  '[AUTH-2] who is disabled, deleted or demoted is rejected with an old session and an old access token',
  async (t) => {
    for (const action of ['disable', 'delete', 'demote']) {
      const boss = await person(`boss-${action}`, 10)
      const authorization = await accessToken(boss.cookie)
      const ways = { session: { cookie: boss.cookie }, token: { headers: { authorization } } }
      for (const way of Object.values(ways)) {
        t.equal((await ask('GET', '/api/user/', way)).status, 200)
      }
      await root.must('POST', '/api/user/manage', { id: boss.id, action })
      // Who is demoted has to sign in anew, and a script of theirs needs a new token.
      t.equal((await ask('GET', '/api/user/self', ways.session)).status, 401, action)
      t.equal((await ask('GET', '/api/user/self', ways.token)).status, 401, action)
      t.equal((await ask('GET', '/api/user/', ways.token)).status, 401, action)
    }
  },
)

t.test(
  '[AUTH-2] an access token opens management, with New-Api-User and without, and no relay path',
  async (t) => {
    const { id, cookie } = await person('script')
    const token = await accessToken(cookie)
    for (const authorization of [token, `Bearer ${token}`]) {
      const self = async (headers: object) =>
        (await ask('GET', '/api/user/self', { headers: { authorization, ...headers } })).status
      t.equal(await self({}), 200)
      t.equal(await self({ 'new-api-user': String(id) }), 200)
      t.equal(await self({ 'new-api-user': '1' }), 401)
      for (const path of ['/v1/models', '/v1beta/models', '/dashboard/billing/usage']) {
        const { status } = await ask('GET', path, { headers: { authorization } })
        t.equal(status, 401, path)
      }
      const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
      for (const path of ['/v1/chat/completions', '/pg/chat/completions']) {
        const { status } = await ask('POST', path, { headers: { authorization }, body })
        t.equal(status, 401, path)
      }
    }
    const { key } = await root.token()
    for (const authorization of [key, `Bearer ${key}`]) {
      t.equal((await ask('GET', '/api/user/self', { headers: { authorization } })).status, 401)
    }
  },
)

t.test('another site signs nobody in, by the first step or the second', async (t) => {
  await person('eve')
  const code = { code: '000000', flow_token: 'x'.repeat(43) }
  const foreign: readonly Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    for (const [path, body] of [
      ['/api/user/login', { username: 'eve', password }],
      ['/api/user/login/2fa', code],
    ] as const) {
      const { status, code: message, cookies } = await ask('POST', path, { headers, body })
      t.strictSame([status, message, cookies], [403, 'cross_site_request', []], path)
    }
  }
  const form = { 'content-type': 'text/plain' }
  t.equal((await login('eve', { headers: form })).status, 415, 'nor by a form that reveals nothing')
})

t.test(
  'a second factor stands between password and session, and every way around it is closed',
  async (t) => {
    const ada = await person('guarded')
    const fresh = await app(ada.cookie)
    const finish = (code: string, request: Ask & { flow?: string } = {}) =>
      ask('POST', '/api/user/login/2fa', {
        body: { code, flow_token: request.flow ?? '' },
        ...request,
      })
    const begin = async () => {
      const { data, cookies } = await login('guarded')
      t.match(data, { require_2fa: true, flow_token: /^[\w-]{43}$/ })
      t.equal(cookies.filter((cookie) => cookie.startsWith('session=')).length, 0)
      return { flow: String(data.flow_token), cookie: cookies[0] ?? '' }
    }

    const one = await begin()
    t.equal((await ask('GET', '/api/user/self', { cookie: one.cookie })).status, 401)
    t.equal((await finish('000000', { flow: one.flow })).code, 'verification_failed')
    const code = fresh()
    const done = await finish(code, { flow: one.flow })
    t.match(done.data, { id: ada.id, username: 'guarded' })
    const session = done.cookies.find((cookie) => cookie.startsWith('session='))
    t.equal((await ask('GET', '/api/user/self', { cookie: session })).status, 200)
    t.equal(
      (await finish(fresh(), { flow: one.flow })).code,
      'sign_in_expired',
      'the flow is spent',
    )

    const two = await begin()
    t.equal((await finish(code, { flow: two.flow })).code, 'verification_failed', 'so is the code')
    const byCookie = await finish(fresh(), { cookie: two.cookie })
    t.equal(byCookie.status, 200)
    const cleared = byCookie.headers.getSetCookie().find((cookie) => cookie.startsWith('sign-in='))
    t.match(cleared, /^sign-in=; .*Max-Age=0/)

    const late = await begin()
    clock.advance(300_000)
    t.equal((await finish(fresh(), { flow: late.flow })).code, 'sign_in_expired')

    const { token } = await verification.grant(await principalOf(session ?? ''), 'two_factor')
    t.equal((await finish(fresh(), { flow: token })).code, 'sign_in_expired', 'of another kind')
    t.equal((await finish(fresh())).code, 'sign_in_expired', 'of nobody')

    const cut = await begin()
    await root.must('PUT', '/api/user/', { id: ada.id, password })
    t.equal(
      (await finish(fresh(), { flow: cut.flow })).code,
      'sign_in_expired',
      'the password is new',
    )
  },
)

t.test('a verified address signs in as its owner, with no more stated to strangers', async (t) => {
  const { id } = await person('mailed')
  await knex('users').where({ id }).update({ email: 'm@example.org', email_verified: true })
  t.match((await login('M@Example.org')).data, { id })
  const readResult = async (body: object) => {
    const { status, code } = await ask('POST', '/api/user/login', { body })
    return [status, code]
  }
  const refused = [401, 'invalid_credentials']
  t.strictSame(await readResult({ username: 'm@example.org', password: 'wrong horse' }), refused)
  t.strictSame(await readResult({ username: 'n@example.org', password }), refused)
  t.strictSame(await readResult({ username: 'nobody', password }), refused)
})

t.test('with PasswordLoginEnabled off, root alone signs in by password', async (t) => {
  await person('walker')
  await root.option('PasswordLoginEnabled', false)
  t.equal((await login('walker')).code, 'feature_off')
  t.equal((await login('root')).status, 200)
  await root.option('PasswordLoginEnabled', true)
  t.equal((await login('walker')).status, 200)
})

t.test(
  '[AUTH-3] an API key is informed that its owner is gone, whoever ended the account',
  async (t) => {
    const relay = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const { status, code } = await ask('GET', '/v1/models', { headers })
      return [status, code ?? '']
    }
    const keyOf = async (cookie: string) => {
      const body = { name: 'k', unlimited_quota: true, expired_time: -1 }
      return (await ask('POST', '/api/token/', { cookie, body })).data.key
    }
    const [left, removed] = [await person('left'), await person('removed')]
    const [ownKey, otherKey] = [await keyOf(left.cookie), await keyOf(removed.cookie)]
    t.equal((await relay(ownKey))[0], 200)
    const headers = await proof(left.cookie, 'account_delete')
    t.equal((await ask('DELETE', '/api/user/self', { cookie: left.cookie, headers })).status, 200)
    await root.must('POST', '/api/user/manage', { id: removed.id, action: 'delete' })
    for (const key of [ownKey, otherKey]) {
      t.strictSame(await relay(key), [403, 'token_owner_deleted'])
    }
  },
)

t.test(
  '[AUTH-4] POST makes an access token for a fresh proof, and the answer is not cached',
  async (t) => {
    const { cookie, id } = await person('maker')
    const tokenPath = '/api/user/token'
    t.equal((await ask('POST', tokenPath)).status, 401)
    const required = await ask('POST', tokenPath, { cookie })
    t.strictSame([required.status, required.code], [403, 'verification_required'])
    const headers = await proof(cookie, 'access_token')
    const made = await ask('POST', tokenPath, { cookie, headers })
    t.equal(made.status, 200)
    t.match(made.data, /^[A-Za-z0-9]{32}$/)
    t.equal(made.headers.get('cache-control'), 'no-store')
    t.equal((await ask('POST', tokenPath, { cookie, headers })).code, 'verification_required')
    const script = await ask('POST', tokenPath, { headers: { authorization: made.data } })
    t.strictSame([script.status, script.code], [403, 'session_required'])

    const lines = await knex('audit_log').where('action', 'account.newAccessToken')
    t.match(lines, [{ actor_id: id, object: `user ${id}` }])
    t.notMatch(lines.map(Object.values).join(), made.data)
  },
)

t.test('[AUTH-4] GET on the path of access tokens answers 405 and makes none', async (t) => {
  const { cookie, id } = await person('getter')
  const headers = await proof(cookie, 'access_token')
  for (const request of [{}, { cookie }, { cookie, headers }] as const) {
    const { status, data, headers: content } = await ask('GET', '/api/user/token', request)
    t.strictSame([status, data, content.get('allow')], [405, null, 'POST, DELETE'])
  }
  t.strictSame(await knex('access_tokens').where({ user_id: id }), [])
  t.equal((await ask('POST', '/api/user/token', { cookie, headers })).status, 200, 'no proof spent')
})

t.test('[AUTH-4] access tokens are limited per user on top of the address', async (t) => {
  const off = { enabled: false, limit: 1, windowSeconds: 1 }
  const environment = {
    trustedProxies: ['127.0.0.1'],
    rateLimits: {
      api: off,
      web: off,
      critical: { enabled: true, limit: 10, windowSeconds: 1200 },
      criticalRoute: { enabled: true, limit: 4, windowSeconds: 1200 },
      criticalSecrets: off,
      login: off,
    },
  }
  const limited = await startGateway(t, { environment, funds: 0 })
  const at = limited.url
  let address = 0
  const from = () => ({ 'x-forwarded-for': `198.51.100.${++address}` })
  const cookies = await Promise.all(
    ['ada', 'bob'].map(async (username) => {
      await limited.admin.must('POST', '/api/user/', { username, password })
      return (await login(username, { at, headers: from() })).cookies[0] ?? ''
    }),
  )
  const [ada, bob] = cookies
  const token = async (cookie: string | undefined, headers: Record<string, string>) =>
    (await ask('POST', '/api/user/token', { at, cookie, headers })).status
  const statuses = []
  for (let call = 0; call < 5; call++) statuses.push(await token(ada, from()))
  t.strictSame(statuses, [403, 403, 403, 403, 429], 'from a new address each time')
  t.equal(await token(bob, from()), 403, 'another user is not held up')
  const one = from()
  const shared = []
  for (let call = 0; call < 11; call++) shared.push(await token(undefined, one))
  t.strictSame(shared, [...Array(10).fill(401), 429], 'of one address, whoever asks')
  t.equal(await token(bob, one), 429)
})

t.test(
  '[AUTH-5] deleting the own account needs a proof of that scope, in that session',
  async (t) => {
    const leave = (request: Ask) => ask('DELETE', '/api/user/self', request)
    const ada = await person('leaver')
    const authorization = await accessToken(ada.cookie)
    t.equal((await leave({})).status, 401)
    t.equal((await leave({ cookie: ada.cookie })).code, 'verification_required')
    t.equal((await leave({ headers: { authorization } })).code, 'session_required')
    const other = await proof(ada.cookie, 'access_token')
    t.equal((await leave({ cookie: ada.cookie, headers: other })).code, 'verification_required')
    const headers = await proof(ada.cookie, 'account_delete')
    const elsewhere = await cookieFor('leaver')
    t.equal((await leave({ cookie: elsewhere, headers })).code, 'verification_required')
    const late = await proof(ada.cookie, 'account_delete')
    clock.advance(300_000)
    t.equal((await leave({ cookie: ada.cookie, headers: late })).code, 'verification_required')
    t.equal((await login('leaver')).status, 200, 'nothing has happened so far')

    const good = await proof(ada.cookie, 'account_delete')
    const gone = await leave({ cookie: ada.cookie, headers: good })
    t.equal(gone.status, 200)
    t.match(gone.headers.get('set-cookie'), /^session=; .*Max-Age=0/)
    for (const requested of [
      { cookie: ada.cookie },
      { cookie: elsewhere },
      { headers: { authorization } },
    ] as const) {
      t.equal((await ask('GET', '/api/user/self', requested)).status, 401)
    }
    t.equal((await login('leaver')).code, 'invalid_credentials')
    t.match(await root.must('GET', `/api/user/${ada.id}`), { status: 2, DeletedAt: String })
  },
)

t.test('[AUTH-5] root does not leave', async (t) => {
  const cookie = await cookieFor('root')
  const headers = await proof(cookie, 'account_delete')
  t.equal((await ask('DELETE', '/api/user/self', { cookie, headers })).code, 'forbidden')
  t.equal((await ask('GET', '/api/user/self', { cookie })).status, 200)
})

t.test('a new password signs out everywhere else and keeps the own browser in', async (t) => {
  const { cookie } = await person('changer')
  const other = await cookieFor('changer')
  const change = (original_password: string) =>
    ask('PUT', '/api/user/self', {
      cookie,
      body: { original_password, password: 'a new horse battery' },
    })
  t.equal((await change('wrong horse')).code, 'verification_failed')
  const changed = await change(password)
  t.equal(changed.status, 200)
  for (const old of [cookie, other]) {
    t.equal((await ask('GET', '/api/user/self', { cookie: old })).status, 401)
  }
  t.equal((await ask('GET', '/api/user/self', { cookie: changed.cookies[0] })).status, 200)
  t.equal((await login('changer')).code, 'invalid_credentials')
})

t.test(
  'sessions are listed and ended by their owner, and every sign-in is reported to the audit log',
  async (t) => {
    const { id, cookie } = await person('lister')
    const other = await cookieFor('lister')
    const list = async () => (await ask('GET', '/api/user/sessions', { cookie })).data
    t.match(await list(), [{ current: Boolean, sid: String, method: 'password' }, { sid: String }])
    const { sid } = (await list()).find((one: { current: boolean }) => !one.current)
    const eve = await cookieFor('eve')
    const end = (by: string) => ask('DELETE', `/api/user/sessions/${sid}`, { cookie: by })
    t.equal((await end(eve)).status, 404)
    t.equal((await end(cookie)).status, 200)
    t.equal((await ask('GET', '/api/user/self', { cookie: other })).status, 401)
    const third = await cookieFor('lister')
    t.equal((await ask('POST', '/api/user/sessions/revoke-others', { cookie })).status, 200)
    t.equal((await ask('GET', '/api/user/self', { cookie: third })).status, 401)
    t.equal((await list()).length, 1)
    const lines = await knex('audit_log').where({ actor_id: id, action: 'session.login' })
    t.equal(lines.length, 3)
    t.match(lines[0], { actor_name: 'lister', object: `user ${id}`, detail: 'password' })
  },
)
