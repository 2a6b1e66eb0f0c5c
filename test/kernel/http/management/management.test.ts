import joi from 'joi'
import t from 'tap'
import type {
  ManagementRequest,
  ManagementRoute,
  Principal,
} from '../../../../kernel/contract/management.js'
import type { RouteManifest } from '../../../../kernel/contract/manifest.js'
import type { AuditEntry } from '../../../../kernel/contract/services/ports.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { type GatewayOptions, json, scriptedGateway } from '../harness.js'

const root: Principal = {
  userId: 7,
  username: 'root',
  role: 100,
  group: 'default',
  via: 'accessToken',
  accessToken: { id: 1, name: 'default', scopes: ['all'] },
}

/** One route under test. */
function area(
  declared: Partial<RouteManifest>,
  handle: ManagementRoute['handle'],
  schemas: Partial<ManagementRoute> = {},
): GatewayOptions {
  return {
    managementRoutes: [declared],
    management: { routes: { it: { ...schemas, handle } } },
    principal: root,
  }
}

t.test('data stands in the envelope, with the request id and nothing to keep', async (t) => {
  const { ask } = await scriptedGateway(
    t,
    area({}, () => ({ a: 1 })),
  )
  const { status, json, headers } = await ask('GET', '/api/it/')
  t.equal(status, 200)
  t.strictSame(json, { success: true, message: '', data: { a: 1 } })
  t.match(headers, {
    'content-type': /^application\/json/,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /default-src 'none'/,
    'x-request-id': /^req_/,
  })
})

t.test('nothing to say is data null; big integers are numbers while they are exact', async (t) => {
  const answers = [undefined, { small: 12n, big: 2n ** 60n }]
  const { ask } = await scriptedGateway(
    t,
    area({}, () => answers.shift()),
  )
  t.strictSame((await ask('GET', '/api/it')).json.data, null)
  t.strictSame((await ask('GET', '/api/it')).json.data, { small: 12, big: '1152921504606846976' })
})

t.test('an answer may set status, message, headers, fields beside data, or be bare', async (t) => {
  const answers = [
    {
      answer: true,
      status: 201,
      message: 'made',
      data: [1],
      headers: { 'set-cookie': 'session=x; HttpOnly' },
      beside: { url: '/x' },
    },
    { answer: true, bare: { code: true } },
  ]
  const { ask } = await scriptedGateway(
    t,
    area({}, () => answers.shift()),
  )
  const full = await ask('GET', '/api/it')
  t.equal(full.status, 201)
  t.strictSame(full.json, { success: true, message: 'made', data: [1], url: '/x' })
  t.strictSame(full.headers['set-cookie'], ['session=x; HttpOnly'])
  t.strictSame((await ask('GET', '/api/it')).json, { code: true })
})

t.test('a file goes out as it is, to be saved and not to be kept by anybody else', async (t) => {
  const body = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0x0d, 0x0a])
  const audited: AuditEntry[] = []
  const bytes = { body, type: 'application/pdf', fileName: 'R-1 "été".pdf' }
  const { port } = await scriptedGateway(t, {
    ...area(
      {},
      () => ({ answer: true, bytes, headers: { 'x-number': '1' }, audit: { object: 'order 1' } }),
      { mediaType: 'application/pdf' },
    ),
    audited,
  })
  const reply = await fetch(`http://127.0.0.1:${port}/api/it`)
  t.equal(reply.status, 200)
  t.strictSame(Buffer.from(await reply.arrayBuffer()), body)
  t.match(Object.fromEntries(reply.headers), {
    'content-type': /^application\/pdf$/,
    'content-length': '8',
    'content-disposition':
      'attachment; filename="R-1 __t__.pdf"; filename*=UTF-8\'\'R-1%20%22%C3%A9t%C3%A9%22.pdf',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-number': '1',
  })
  t.match(audited, [{ object: 'order 1' }])
})

t.test('a refusal carries its status and the envelope, an accident only its number', async (t) => {
  const errors = [
    new Refusal('conflict', { reason: 'It is there already.', param: 'name' }),
    new Refusal('forbidden'),
    new Error('secret detail'),
  ]
  const { ask, lines } = await scriptedGateway(
    t,
    area({}, () => {
      throw errors.shift()
    }),
  )
  const conflict = await ask('GET', '/api/it')
  t.equal(conflict.status, 409)
  t.strictSame(conflict.json, {
    success: false,
    message: 'It is there already.',
    code: 'conflict',
    data: null,
    field: 'name',
  })
  const forbidden = await ask('GET', '/api/it')
  t.equal(forbidden.status, 403)
  t.notOk('field' in forbidden.json)
  const accident = await ask('GET', '/api/it')
  t.equal(accident.status, 500)
  t.match(accident.json, { success: false, code: 'internal_error', data: null })
  t.notMatch(accident.text, 'secret')
  t.match(
    lines.find(({ level }) => level === 'error'),
    { requestId: accident.headers['x-request-id'], route: 'management.test.it' },
  )
})

t.test('each credential takes its role and those above it', async (t) => {
  const table: readonly [RouteManifest['credential'], number | undefined, number][] = [
    ['none', undefined, 200],
    ['key', undefined, 200],
    ['user', undefined, 401],
    ['user', 1, 200],
    ['admin', 1, 403],
    ['admin', 10, 200],
    ['root', 10, 403],
    ['root', 100, 200],
  ]
  for (const [credential, role, status] of table) {
    const { ask } = await scriptedGateway(t, {
      ...area({ credential }, () => 1),
      principal: role === undefined ? undefined : { ...root, role },
    })
    const reply = await ask('GET', '/api/it')
    t.equal(reply.status, status, `${credential} for role ${role}`)
    if (status === 401) t.equal(reply.json.code, 'unauthorized')
    if (status === 403) t.equal(reply.json.code, 'forbidden')
  }
})

t.test('a path for anyone asks nobody who is there', async (t) => {
  let seen: ManagementRequest | undefined
  const { ask } = await scriptedGateway(
    t,
    area({ path: '/health/live' }, (request) => {
      seen = request
    }),
  )
  await ask('GET', '/health/live', { headers: { cookie: 'session=x' } })
  t.equal(seen?.principal, undefined)
})

t.test('schemas make query and body and name the field at fault', async (t) => {
  const seen: ManagementRequest[] = []
  const { ask } = await scriptedGateway(
    t,
    area(
      { method: 'POST', path: '/api/it/{id}', body: 'json', credential: 'user' },
      (request) => void seen.push(request),
      {
        params: joi.object({ id: joi.number().integer().required() }),
        query: joi.object({ p: joi.number().integer().min(0).default(1) }),
        body: joi.object({
          name: joi.string().required(),
          limits: joi.object({ rpm: joi.number().integer() }),
        }),
      },
    ),
  )
  const post = (path: string, body: unknown) =>
    ask('POST', path, { headers: json, body: JSON.stringify(body) })
  t.equal((await post('/api/it/5?p=3&extra=1', { name: 'n', role: 100 })).status, 200)
  t.strictSame(seen[0]?.params, { id: '5' })
  t.strictSame(seen[0]?.query, { p: 3 })
  t.strictSame(seen[0]?.body, { name: 'n' }, 'a field nobody declared is left out')
  for (const [path, body, field] of [
    ['/api/it/x', { name: 'n' }, 'id'],
    ['/api/it/5?p=-1', { name: 'n' }, 'p'],
    ['/api/it/5?p=1&p=2', { name: 'n' }, 'p'],
    ['/api/it/5', {}, 'name'],
    ['/api/it/5', { name: 'n', limits: { rpm: 1.5 } }, 'limits.rpm'],
  ] as const) {
    const reply = await post(path, body)
    t.equal(reply.status, 400, path)
    t.match(reply.json, { success: false, code: 'invalid_field', field, data: null }, path)
  }
})

t.test('a route without schemas gets neither query nor body', async (t) => {
  let seen: ManagementRequest | undefined
  const { ask } = await scriptedGateway(
    t,
    area({ method: 'POST', body: 'none', credential: 'user' }, (request) => {
      seen = request
    }),
  )
  await ask('POST', '/api/it?a=1', { headers: json, body: '{"a":1}' })
  t.equal(seen?.query, undefined)
  t.equal(seen?.body, undefined)
})

t.test('hostile and broken bodies are reported by name', async (t) => {
  const { ask } = await scriptedGateway(t, {
    ...area({ method: 'POST', body: 'json', credential: 'user', maxBytes: 2000 }, () => 1, {
      body: joi.any(),
    }),
  })
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`
  for (const [body, status, code] of [
    ['{"__proto__":{"role":100}}', 400, 'forbidden_key'],
    ['{"a":[{"__proto__":1}]}', 400, 'forbidden_key'],
    ['{"\\u005f_proto__":1}', 400, 'forbidden_key'],
    ['{"a":', 400, 'invalid_json'],
    [deep, 400, 'too_deep'],
    [`"${'x'.repeat(3000)}"`, 413, 'body_too_large'],
  ] as const) {
    const reply = await ask('POST', '/api/it', { headers: json, body })
    t.equal(reply.status, status, code)
    t.match(reply.json, { success: false, code, data: null }, code)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const wrong = await ask('POST', '/api/it', { headers: form, body: 'a=1' })
  t.equal(wrong.status, 415)
  t.equal(wrong.json.code, 'unsupported_media_type')
})

t.test('raw bodies stay bytes and forms become fields', async (t) => {
  const seen: unknown[] = []
  const handle = ({ body }: ManagementRequest) => void seen.push(body)
  const raw = await scriptedGateway(t, area({ method: 'POST', body: 'raw' }, handle))
  await raw.ask('POST', '/api/it', { headers: json, body: '{"a" : 1}' })
  t.equal(String(seen[0]), '{"a" : 1}')
  const form = await scriptedGateway(
    t,
    area({ method: 'POST', body: 'form' }, handle, { body: joi.object({ a: joi.string() }) }),
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await form.ask('POST', '/api/it', { headers, body: 'a=1&b=2' })
  t.strictSame({ ...(seen[1] as object) }, { a: '1' })
  t.equal((await form.ask('POST', '/api/it', { headers: json, body: '{}' })).status, 415)
})

t.test('another site cannot use a signed-in browser', async (t) => {
  const { ask, port } = await scriptedGateway(t, {
    ...area({ method: 'POST', body: 'json', credential: 'user' }, () => 1, { body: joi.object() }),
    principal: { ...root, via: 'session' },
    trustedProxies: ['127.0.0.1'],
  })
  const own = `http://127.0.0.1:${port}`
  const table: readonly [Record<string, string>, number][] = [
    [{ ...json, 'sec-fetch-site': 'same-origin' }, 200],
    [{ ...json, 'sec-fetch-site': 'none' }, 200],
    [{ ...json, 'sec-fetch-site': 'same-site' }, 403],
    [{ ...json, 'sec-fetch-site': 'cross-site' }, 403],
    [{ ...json, 'sec-fetch-site': 'cross-site', origin: own }, 403],
    [{ ...json, origin: own }, 200],
    [{ ...json, origin: 'https://evil.example' }, 403],
    [{ ...json, origin: 'null' }, 403],
    [{ ...json, origin: `${own}1` }, 403],
    // Behind HTTPS a plain page of the same host is another site.
    [{ ...json, origin: own, 'x-forwarded-proto': 'https' }, 403],
    // No browser reveals nothing; a script does, and JSON needs a preflight from any page.
    [json, 200],
    [{}, 403],
    [{ 'x-requested-with': 'script' }, 200],
  ]
  for (const [headers, status] of table) {
    const reply = await ask('POST', '/api/it', { headers })
    t.equal(reply.status, status, JSON.stringify(headers))
    if (status === 403) t.equal(reply.json.code, 'cross_site_request')
  }
})

t.test('[AUTH-2] no page of another site makes a signed-in admin call a GET', async (t) => {
  const foreign: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    // A picture in a text that a page of this very site shows.
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
  ]
  const own: readonly Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
  ]
  for (const credential of ['admin', 'root', 'user'] as const) {
    let handled = 0
    const { ask } = await scriptedGateway(t, {
      ...area({ credential }, () => ++handled),
      principal: { ...root, via: 'session' },
    })
    for (const headers of foreign) {
      const { status } = await ask('GET', '/api/it', { headers })
      const expected = credential === 'user' ? 200 : 403
      t.equal(status, expected, `${credential} ${JSON.stringify(headers)}`)
    }
    t.equal(handled, credential === 'user' ? foreign.length : 0)
    for (const headers of own) {
      t.equal((await ask('GET', '/api/it', { headers })).status, 200, JSON.stringify(headers))
    }
  }
  const script = await scriptedGateway(t, {
    ...area({ credential: 'root' }, () => 1),
    principal: { ...root, via: 'accessToken' },
  })
  const reply = await script.ask('GET', '/api/it', { headers: foreign[0]! })
  t.equal(reply.status, 200, 'no page sends an access token by itself')
})

t.test('an access token needs no origin; signing in from a foreign page is refused', async (t) => {
  const evil = { ...json, origin: 'https://evil.example' }
  const token = await scriptedGateway(
    t,
    area({ method: 'POST', body: 'json', credential: 'user' }, () => 1),
  )
  t.equal((await token.ask('POST', '/api/it', { headers: evil })).status, 200)
  const login = await scriptedGateway(
    t,
    area({ method: 'POST', body: 'json' }, () => 1),
  )
  t.equal((await login.ask('POST', '/api/it', { headers: evil })).status, 403)
  const webhook = await scriptedGateway(
    t,
    area({ method: 'POST', body: 'raw' }, () => 1),
  )
  t.equal((await webhook.ask('POST', '/api/it', { headers: evil })).status, 200)
})

t.test('a write that moves money is named by caller, route and key', async (t) => {
  const keys: string[] = []
  const { ask } = await scriptedGateway(
    t,
    area({ method: 'POST', credential: 'user' }, ({ moneyKey }) => void keys.push(moneyKey)),
  )
  const send = (key?: string) =>
    ask('POST', '/api/it', { headers: key === undefined ? {} : { 'idempotency-key': key } })
  await send('order 1')
  t.equal(keys[0], 'user:7/management.test.it/order 1')
  const { headers } = await send()
  t.equal(keys[1], headers['x-request-id'])
  for (const bad of ['x'.repeat(256), 'tab\there', 'grün']) {
    const reply = await send(bad)
    t.equal(reply.status, 400)
    t.equal(reply.json.field, 'Idempotency-Key')
  }
  t.equal(keys.length, 2)
})

t.test('the caller is known behind a trusted proxy, and whether it came by HTTPS', async (t) => {
  let seen: ManagementRequest | undefined
  const { ask } = await scriptedGateway(t, {
    ...area({}, (request) => {
      seen = request
    }),
    trustedProxies: ['127.0.0.1'],
  })
  const { headers } = await ask('GET', '/api/it', {
    headers: { 'x-forwarded-for': '203.0.113.4', 'x-forwarded-proto': 'https' },
  })
  t.equal(seen?.address, '203.0.113.4')
  t.equal(seen?.secure, true)
  t.match(headers['strict-transport-security'], /max-age/)
  t.notOk('strict-transport-security' in (await ask('GET', '/api/it')).headers)
})

t.test('management requests have one access line too', async (t) => {
  const { ask, access } = await scriptedGateway(
    t,
    area({}, () => 1),
  )
  const { headers } = await ask('GET', '/api/it?secret=1')
  t.match(access(), [
    { requestId: headers['x-request-id'], method: 'GET', path: '/api/it', status: 200 },
  ])
})

t.test('a declared route that is not served stops the start', async (t) => {
  await t.rejects(
    scriptedGateway(t, { managementRoutes: [{ name: 'missing' }], management: { routes: {} } }),
    { message: 'management.test declares the route "missing"' },
  )
})

t.test(
  '[AUTH-2] an access token needs the scope its route names, and a session none',
  async (t) => {
    const only = (...scopes: string[]): Principal => ({
      ...root,
      accessToken: { id: 1, name: 'narrow', scopes },
    })
    const session: Principal = { ...root, via: 'session', accessToken: undefined }
    const { accessToken: _, ...unknown } = root
    const table: readonly (readonly [string, RouteManifest['scope'], string, Principal, number])[] =
      [
        ['GET', 'logs', 'logs:read', only('logs:read'), 200],
        ['GET', 'logs', 'logs:read', only('logs:write'), 200],
        ['GET', 'logs', 'logs:read', only('read'), 200],
        ['GET', 'logs', 'logs:read', only('money:read', 'money:write'), 403],
        ['GET', 'logs:write', 'logs:write', only('logs:read', 'read'), 403],
        ['POST', 'logs', 'logs:write', only('logs:read', 'read'), 403],
        ['POST', 'logs', 'logs:write', only('logs:write'), 200],
        ['POST', 'logs', 'logs:write', unknown, 403],
        ['POST', 'logs', 'logs:write', session, 200],
        ['POST', 'any', '', only('logs:read'), 200],
        ['POST', undefined, 'all', only('read', 'logs:write'), 403],
        ['POST', undefined, 'all', root, 200],
        ['POST', undefined, 'all', session, 200],
      ]
    for (const [method, scope, missing, principal, status] of table) {
      const declared = { method, scope, credential: 'user', body: 'none' } as Partial<RouteManifest>
      const { ask } = await scriptedGateway(t, { ...area(declared, () => 1), principal })
      const headers = { 'content-type': 'application/json' }
      const reply = await ask(method, '/api/it', { headers })
      const words = `${method} ${scope} by ${principal.accessToken?.scopes}`
      t.equal(reply.status, status, words)
      if (status !== 403) continue
      t.match(reply.json, { success: false, code: 'scope_missing', data: null }, words)
      t.match(String(reply.json.message), `"${missing}"`)
    }
  },
)

t.test(
  'a search the database ends is told what to narrow, any other failure is as it was',
  async (t) => {
    const ended = Object.assign(new Error('canceling statement'), { code: '57014' })
    const fail = () => {
      throw ended
    }
    const searching = await scriptedGateway(t, area({}, fail, { searches: true }))
    const { status, json } = await searching.ask('GET', '/api/it/')
    t.equal(status, 400)
    t.match(json, { success: false, code: 'invalid_field', message: /narrow the span of time/ })
    const other = await scriptedGateway(t, area({}, fail))
    t.equal((await other.ask('GET', '/api/it/')).status, 503)
  },
)
