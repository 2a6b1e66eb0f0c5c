/**
 * The same for what people sign in with: secrets that can be recognised in every place accounts, providers, mail and
 * notices have for them, and everything around them goes wrong. Each is reported once, to whom it belongs, and stands
 * nowhere else (E6).
 */

import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot } from '../../kernel/boot.js'
import { createLog } from '../../kernel/log/log.js'
import { order } from '../../plugins/stages/line.js'
import { FakeClock } from '../kit/clock.js'
import { testDatabase } from '../kit/database.js'
import { defaultEnvironment } from '../kit/gateway.js'
import { decoded, mailServer } from '../kit/smtp.js'
import { type Script, scriptedUpstream } from '../kit/upstream.js'
import { searchFor } from './canary-search.js'
import { wholeDatabase } from './whole-database.js'

t.setTimeout(360_000)

/** Chosen by people and operators. */
const chosen = {
  'the password of root': 'a canary of the root 1aQ7',
  'the password of a user': 'a canary of a user 1bW8',
  'a wrong password': 'a canary that is wrong 1cE9',
  'a password after a reset': 'a canary after reset 1dR0',
  'the password of a mail server': 'smtp-canary-1eT1-word',
  'the secret of the bot challenge': 'challenge-canary-1fY2-word',
  'a token of the bot challenge': 'solved-canary-1gU3-word',
  'the secret of GitHub': 'github-canary-1hI4-word',
  'the secret of Discord': 'discord-canary-1iO5-word',
  'the secret of LinuxDO': 'linuxdo-canary-1jP6-word',
  'the secret of OIDC': 'oidc-canary-1kA7-word',
  'the secret of a custom provider': 'custom-canary-1lS8-word',
  'the token of a bot': '110201543:bot-canary-1mD9-word',
  'the token of a helper server': 'wechat-canary-1nF0-word',
  'the password of Redis': 'redis-canary-1oG1-word',
  'the secret of a webhook': 'webhook-canary-1pH2-word',
  'the address of a webhook': 'address-canary-7kQ4-word',
  'the key of a device': 'device-canary-3mZ8-word',
  'the token of Gotify': 'gotify-canary-1qJ3-word',
  'a code of a provider': 'grant-canary-1rK4-word',
  'a wrong code': 'wrong-canary-1sL5-word',
  'the secret of the gateway': 'canary secret of the whole 1tZ6',
} as const

/** Made by the gateway, as they are shown. */
const made = new Map<string, string>()

const learn = (name: string, secret: unknown): string => {
  if (typeof secret !== 'string' || secret.length < 6) throw new Error(`${name} was not shown`)
  made.set(`${name} ${made.size}`, secret)
  return secret
}

const hits = searchFor(() => [...Object.entries(chosen), ...made])

const lines: string[] = []
const log = createLog({
  name: 'test',
  level: 'trace',
  stream: { write: (line) => lines.push(line) },
})
const database = await testDatabase(t)
const clock = new FakeClock(Date.now())
const gateway = await boot({
  environment: {
    ...defaultEnvironment,
    cryptoSecret: chosen['the secret of the gateway'],
    redisUrl: `redis://:${chosen['the password of Redis']}@127.0.0.1:9`,
    metrics: { host: '127.0.0.1', port: 0 },
  },
  roots: builtInRoots,
  order,
  core,
  log,
  version: 'v0.0.0',
  clock,
  database,
})
t.teardown(() => gateway.stop())

const heard: (readonly [requested: string, text: string])[] = []

interface Asking {
  readonly body?: object | string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The answer shows a secret on purpose, so it is not searched. */
  readonly shows?: true
}

async function ask(method: string, path: string, asking: Asking = {}) {
  const { body, cookie = '', headers = {}, shows } = asking
  const answer = await fetch(`${gateway.address}${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const plain = [...answer.headers].filter(([name]) => name !== 'set-cookie')
  if (!shows) heard.push([`${method} ${path.split('?')[0]}`, `${JSON.stringify(plain)} ${text}`])
  const set = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
  for (const one of set) {
    const value = one.split('=')[1] ?? ''
    if (value !== '') learn('a cookie', value)
  }
  const { data, code } = JSON.parse(text)
  return { status: answer.status, set, data, code }
}

const json = { 'content-type': 'application/json' }

async function login(username: string, password: string): Promise<string> {
  const { set } = await ask('POST', '/api/user/login', { body: { username, password } })
  return set[0] ?? ''
}

/** A proof, and the cookie of the session it counts in. */
async function proven(cookie: string, scope: string, form: object) {
  const asking = { cookie, body: { scope, ...form }, shows: true } as const
  const { data, set } = await ask('POST', '/api/verify', asking)
  const token = learn('a proof', data.proof_token)
  return { cookie: set[0]!, headers: { 'x-verification-token': token } }
}

/** States all it was reported, in every place an answer has. */
const echoing: Script = (request, response) => {
  const message = `${JSON.stringify(request.headers)} ${request.path} ${request.text}`
  const headers = { ...json, 'x-echo': encodeURIComponent(message).slice(0, 4000), location: '/' }
  response.writeHead(400, headers)
  response.end(
    JSON.stringify({ error: message, error_description: message, message: message, data: message }),
  )
}

const echo = await scriptedUpstream(t)
echo.script(echoing)

let mailIsRefused = true
const post = await mailServer(t, {
  authOptional: false,
  onAuth({ username = '', password = '' }, _session, done) {
    if (!mailIsRefused) return done(null, { user: username })
    done(Object.assign(new Error(`no ${username} ${password}`), { responseCode: 535 }))
  },
})

/** What a mail states at this place, as soon as one states it. */
async function mailed(what: RegExp): Promise<string> {
  for (;;) {
    const texts = post.mails.map(({ text }) => what.exec(decoded(text))?.[1])
    const last = texts.findLast((one) => one !== undefined)
    if (last !== undefined) return last
    await new Promise(setImmediate)
  }
}

const rootPassword = chosen['the password of root']
const adaPassword = chosen['the password of a user']
await ask('POST', '/api/setup', {
  body: {
    ...{ username: 'root', password: rootPassword, confirmPassword: rootPassword },
    code: gateway.service('setup').code(),
  },
})
let root = await login('root', rootPassword)

function assertNothingLeaked(test: Pick<typeof t, 'strictSame'>): void {
  test.strictSame(hits(heard), [], 'no answer')
  test.strictSame(hits(lines.map((line) => ['the log', line])), [], 'no line of the log')
  heard.length = 0
}

const option = (key: string, value: unknown) =>
  ask('PUT', '/api/option/', { cookie: root, body: { key, value } })

t.test('options take secrets and show none', async (t) => {
  for (const [key, value] of Object.entries({
    ServerAddress: 'https://console.example',
    SMTPServer: '127.0.0.1',
    SMTPPort: post.port,
    SMTPAccount: 'gateway@example.com',
    SMTPFrom: 'gateway@example.com',
    SMTPToken: chosen['the password of a mail server'],
    TurnstileSiteKey: 'site',
    TurnstileSecretKey: chosen['the secret of the bot challenge'],
    TurnstileVerifyUrl: `${echo.url}/verify`,
    GitHubClientId: 'gateway',
    GitHubClientSecret: chosen['the secret of GitHub'],
    'discord.client_id': 'gateway',
    'discord.client_secret': chosen['the secret of Discord'],
    LinuxDOClientId: 'gateway',
    LinuxDOClientSecret: chosen['the secret of LinuxDO'],
    'oidc.client_id': 'gateway',
    'oidc.client_secret': chosen['the secret of OIDC'],
    'oidc.well_known': `${echo.url}/.well-known/openid-configuration`,
    'oidc.enabled': true,
    TelegramBotName: 'bot',
    TelegramBotToken: chosen['the token of a bot'],
    TelegramOAuthEnabled: true,
    WeChatServerAddress: echo.url,
    WeChatServerToken: chosen['the token of a helper server'],
    WeChatAuthEnabled: true,
  })) {
    t.equal((await option(key, value)).status, 200, key)
  }
  for (const key of ['SMTPToken', 'oidc.client_secret', 'TelegramBotToken']) {
    await option(key, `${chosen['a wrong password']}${'x'.repeat(70_000)}`)
    await option(key, { deep: chosen['a wrong password'] })
  }
  const custom = {
    name: 'Company',
    slug: 'company',
    enabled: true,
    client_id: 'gateway',
    client_secret: chosen['the secret of a custom provider'],
    authorization_endpoint: `${echo.url}/auth`,
    token_endpoint: `${echo.url}/token`,
    user_info_endpoint: `${echo.url}/me`,
    auth_style: 'body',
  }
  const path = '/api/custom-oauth-provider/'
  t.equal((await ask('POST', path, { cookie: root, body: custom })).status, 200)
  await ask('POST', path, { cookie: root, body: { ...custom, slug: '!' } })
  await ask('POST', path, { cookie: root, body: custom })
  assertNothingLeaked(t)
})

t.test('signing in, and everything that goes wrong with it', async (t) => {
  await ask('POST', '/api/user/', {
    cookie: root,
    body: { username: 'ada', password: adaPassword, display_name: '\u0000' },
  })
  const ada = await ask('POST', '/api/user/register', {
    body: { username: 'ada', password: adaPassword },
  })
  t.equal(ada.status, 200)
  for (const body of [
    { username: 'ada', password: chosen['a wrong password'] },
    { username: chosen['a wrong password'], password: chosen['a wrong password'] },
    { username: 'ada', password: { a: chosen['a wrong password'] } },
    `{"username":"ada","password":"${chosen['a wrong password']}`,
    `{"password":"${chosen['a wrong password']}","password":"${chosen['a wrong password']}"}`,
    `{"${chosen['a wrong password']}":1,"${chosen['a wrong password']}":2}`,
  ]) {
    const result = await ask('POST', '/api/user/login', { body })
    t.ok(result.status >= 400)
  }
  // A key that stands twice is named, and that is all that is repeated of what its sender sent.
  const own = heard.filter(([, text]) => !text.includes('"duplicate_key"'))
  heard.splice(0, heard.length, ...own)
  let cookie = await login('ada', adaPassword)
  await ask('POST', '/api/verify', {
    cookie,
    body: { scope: 'balance', method: 'password', password: chosen['a wrong password'] },
  })
  const proof = await proven(cookie, 'access_token', { method: 'password', password: adaPassword })
  cookie = proof.cookie
  const shown = await ask('POST', '/api/user/token', { ...proof, body: {}, shows: true })
  const accessToken = learn('an access token', shown.data)
  for (const authorization of [accessToken, `Bearer ${accessToken}`, `Basic ${accessToken}`]) {
    await ask('GET', '/api/user/self', { headers: { authorization } })
    await ask('GET', '/v1/models', { headers: { authorization } })
  }
  const setting = {
    notify_type: 'webhook',
    webhook_url: `${echo.url}/hook/${chosen['the address of a webhook']}`,
    bark_url: `${echo.url}/${chosen['the key of a device']}/`,
    webhook_secret: chosen['the secret of a webhook'],
    gotify_url: echo.url,
    gotify_token: chosen['the token of Gotify'],
  }
  await ask('PUT', '/api/user/setting', { cookie, body: setting })
  await ask('PUT', '/api/user/setting', { cookie, body: { ...setting, webhook_url: 'none' } })
  for (const notify_type of ['webhook', 'bark', 'gotify']) {
    await ask('PUT', '/api/user/setting', { cookie, body: { notify_type } })
    await ask('POST', '/api/user/setting/test', { cookie, body: {} })
    await gateway
      .service('notifications')
      .notify(2, { type: 'quota_exceed', title: 't', content: 'c', values: [] })
  }
  assertNothingLeaked(t)
})

t.test('second factors', async (t) => {
  let cookie = await login('ada', adaPassword)
  const proof = await proven(cookie, 'two_factor', { method: 'password', password: adaPassword })
  cookie = proof.cookie
  const setUp = await ask('POST', '/api/user/2fa/setup', { ...proof, body: {}, shows: true })
  const secret = learn('the secret of an app', setUp.data.secret)
  const codes = setUp.data.backup_codes.map((code: string) => learn('a recovery code', code))
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })
  const wrong = { code: chosen['a wrong code'] }
  await ask('POST', '/api/user/2fa/enable', { cookie, body: wrong })
  const enabled = await ask('POST', '/api/user/2fa/enable', { cookie, body: { code: code() } })
  t.equal(enabled.status, 200)
  const begun = await ask('POST', '/api/user/login', {
    body: { username: 'ada', password: adaPassword },
    shows: true,
  })
  const flow_token = learn('a sign-in', begun.data.flow_token)
  await ask('POST', '/api/user/login/2fa', { body: { flow_token, ...wrong } })
  await ask('POST', '/api/user/login/2fa', {
    body: { flow_token: `${flow_token}x`, code: codes[1] },
  })
  const done = await ask('POST', '/api/user/login/2fa', { body: { flow_token, code: codes[0] } })
  t.equal(done.status, 200)
  cookie = done.set.find((one) => one.startsWith('session=')) ?? ''
  await ask('POST', '/api/user/login/2fa', { body: { flow_token, code: codes[0] } })
  await ask('POST', '/api/user/2fa/disable', { cookie, body: { code: codes[0] } })
  await ask('GET', '/api/user/2fa/status', { cookie })
  const begin = await ask('POST', '/api/user/passkey/login/begin', { body: {}, shows: true })
  const challenge = learn('a challenge', begin.data.challenge)
  const clientData = { type: 'webauthn.get', challenge, origin: 'https://evil.example' }
  const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url')
  const response = { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' }
  const used = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }
  for (let tries = 0; tries < 2; tries += 1) {
    const result = await ask('POST', '/api/user/passkey/login/finish', { body: used })
    t.ok(result.status >= 400)
  }
  assertNothingLeaked(t)
})

t.test('providers that repeat everything they received', async (t) => {
  for (const provider of ['company', 'wechat', 'telegram', 'oidc']) {
    const request = { provider, intent: 'login' }
    const begun = await ask('POST', '/api/oauth/state', { body: request, shows: true })
    if (begun.status !== 200) {
      t.equal(begun.code, 'oauth_failed', provider)
      continue
    }
    const state = learn('a state', begun.data.state)
    const cookie = begun.set.join('; ')
    const before = echo.requests.length
    const code = chosen['a code of a provider']
    const query = new URLSearchParams({
      state,
      code,
      hash: 'a'.repeat(64),
      id: '1',
      auth_date: '1',
    })
    const result = await ask('GET', `/api/oauth/${provider}?${query}`, { cookie })
    t.equal(result.code, 'oauth_failed', provider)
    for (const { text } of echo.requests.slice(before)) {
      const verifier = new URLSearchParams(text).get('code_verifier')
      if (verifier !== null) learn('a verifier', verifier)
    }
    await ask('GET', `/api/oauth/${provider}?${query}`, { cookie })
    await ask('POST', `/api/oauth/${provider}`, {
      cookie,
      body: { state, code, error: chosen['a wrong code'], error_description: code },
    })
  }
  t.ok([...made.keys()].some((name) => name.startsWith('a verifier')))
  assertNothingLeaked(t)
})

t.test('mail, its server and its links', async (t) => {
  const { knex } = database
  const address = 'ada@mail.example'
  await knex('users').where('username', 'ada').update({ email: address, email_verified: true })
  const link = `/api/reset_password?email=${address}`
  t.equal((await ask('GET', link)).status, 200)
  await ask('GET', '/api/verification?email=new@mail.example')
  const refused = () => knex('outbox').whereNot('reason', '').andWhere({ user_id: null }).count()
  while (Number((await refused())[0]?.count) < 2) await new Promise(setImmediate)
  await knex('outbox').delete()
  mailIsRefused = false
  clock.advance(61_000)
  await ask('GET', link)
  const token = learn('a reset link', await mailed(/token=([\w-]{43})/))
  await ask('GET', '/api/verification?email=new@mail.example')
  const code = learn('a mail code', await mailed(/code is ([0-9a-z]{4}-[0-9a-z]{4})/))
  await ask('POST', '/api/user/register', {
    body: { username: 'n n', password: adaPassword, email: 'n@x.example', verification_code: code },
  })
  const reset = { email: address, token, password: chosen['a password after a reset'] }
  await ask('POST', '/api/user/reset', { body: { ...reset, password: 'short' } })
  await ask('POST', '/api/user/reset', { body: { ...reset, token: `${token}x` } })
  t.equal((await ask('POST', '/api/user/reset', { body: reset })).status, 200)
  await ask('POST', '/api/user/reset', { body: reset })
  assertNothingLeaked(t)
})

t.test('the bot challenge', async (t) => {
  await option('TurnstileCheckEnabled', true)
  const token = chosen['a token of the bot challenge']
  const body = { username: 'root', password: rootPassword }
  const headers = { 'x-turnstile-token': token }
  const result = await ask('POST', '/api/user/login', { body, headers })
  t.equal(result.code, 'challenge_unavailable')
  await ask('POST', `/api/user/login?turnstile=${token}`, { body })
  await ask('GET', `/api/verification?email=a@mail.example&turnstile=${token}`)
  await option('TurnstileCheckEnabled', false)
  assertNothingLeaked(t)
})

t.test('nothing that can be read holds a secret, nor any row of the database', async (t) => {
  const proof = await proven(root, 'balance', { method: 'password', password: rootPassword })
  root = proof.cookie
  const form = { id: 2, action: 'add_quota', mode: 'add', value: 5, remark: 'a reason' }
  await ask('POST', '/api/user/manage', { ...proof, body: form })
  for (const path of [
    '/api/option/',
    '/api/option/describe',
    '/api/status',
    '/api/status/test',
    '/api/plugins',
    '/api/openapi.json',
    '/api/audit/?page_size=100',
    `/api/audit/verify?day=${new Date(clock.now()).toISOString().slice(0, 10)}`,
    '/api/outbox/?page_size=100',
    '/api/user/notices',
    '/api/user/sessions',
    '/api/user/self',
    '/api/user/setting',
    '/api/user/?page_size=100',
    '/api/user/2',
    '/api/user/passkey',
    '/api/user/oauth/bindings',
    '/api/oauth/providers',
    '/api/custom-oauth-provider/',
    '/api/custom-oauth-provider/1',
    '/api/system-info/instances',
    '/api/log/?page_size=100',
    '/api/verify/methods',
  ]) {
    t.equal((await ask('GET', path, { cookie: root })).status, 200, path)
  }
  const metrics = await fetch(`${gateway.service('metrics').address()}/metrics`)
  t.equal(metrics.status, 200)
  heard.push(['the metrics', await metrics.text()])
  assertNothingLeaked(t)
  await gateway.idle()
  const tables = await wholeDatabase(database.knex)
  const rows = [...tables].flatMap(([name, texts]) => texts.map((text) => [name, text] as const))
  t.strictSame(hits(rows), [])
  for (const name of ['audit_log', 'outbox', 'one_time', 'recovery_codes', 'sessions']) {
    t.ok((tables.get(name) ?? []).length > 0, `there are rows of ${name}`)
  }
  t.ok(hits([['what was learnt', [...made.values()].join(' ')]]).length > 20, 'the search finds')
})
