/**
 * Attacks on accounts and sign-in (X9 to X13, E1 to E5), over a whole gateway: what is planted, guessed,
 * replayed, raced or typed to look like something else.
 */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management, type Sent } from '../kit/management.js'
import { decoded, mailServer } from '../kit/smtp.js'
import { wholeDatabase } from './whole-database.js'

t.setTimeout(360_000)

const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, { clock })
const { knex } = gateway.service('database')
const identity = gateway.service('identity')
const verification = gateway.service('verification')
const oneTime = gateway.service('one-time')
const password = 'correct horse battery'
const otherPassword = 'another horse battery'

let people = 0

async function person(role: 1 | 10 = 1) {
  const username = `person${++people}`
  const { id } = await admin.must('POST', '/api/user/', { username, password, role })
  const client = management(url)
  await client.login(username, password)
  return { ...client, username, id: Number(id) }
}

const cookieOf = async (username: string) => {
  const answer = await ask('POST', '/api/user/login', { body: { username, password } })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

interface Asking {
  readonly body?: object | string
  readonly headers?: Sent
}

async function ask(method: string, path: string, { body, headers = {} }: Asking = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { data, code, message } = JSON.parse(await answer.text())
  return { status: answer.status, headers: answer.headers, data, code, message }
}

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

async function withApp(client: Management): Promise<string> {
  const proof = await client.prove('two_factor', password)
  const { secret } = await client.must('POST', '/api/user/2fa/setup', {}, proof)
  await client.must('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
  clock.advance(30_000)
  return secret
}

t.test('[AUTH-2] a session id that was planted is never the one that is opened', async (t) => {
  const { username } = await person()
  const planted = 'A'.repeat(43)
  const answer = await ask('POST', '/api/user/login', {
    body: { username, password },
    headers: { cookie: `session=${planted}` },
  })
  t.equal(answer.status, 200)
  t.notMatch(answer.headers.get('set-cookie'), planted)
  const byPlanted = await ask('GET', '/api/user/self', {
    headers: { cookie: `session=${planted}` },
  })
  t.equal(byPlanted.status, 401)
})

t.test('no page of another site signs anybody in or out', async (t) => {
  const { username } = await person()
  const cookie = await cookieOf(username)
  const foreign: Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://a.example' },
  ]
  for (const method of ['GET', 'POST']) {
    for (const content of foreign) {
      const answer = await ask(method, '/api/user/logout', { headers: { cookie, ...content } })
      t.equal(answer.code, 'cross_site_request', `${method} ${JSON.stringify(content)}`)
      t.equal(answer.headers.get('set-cookie'), null)
    }
  }
  t.equal((await ask('GET', '/api/user/self', { headers: { cookie } })).status, 200)
  const typed = await ask('POST', '/api/user/login', {
    body: JSON.stringify({ username, password }),
    headers: { 'content-type': 'text/plain', origin: url },
  })
  t.equal(typed.status, 415, 'a form cannot pass for JSON')
  const own = { cookie, 'sec-fetch-site': 'same-origin' }
  t.equal((await ask('GET', '/api/user/logout', { headers: own })).status, 200)
  t.equal((await ask('GET', '/api/user/self', { headers: { cookie } })).status, 401)
})

t.test('[AUTH-4] whoever has only the session makes no factor of their own for it', async (t) => {
  const ada = await person()
  const denied = { status: 403, body: { code: 'verification_required' } }
  t.match(await ada.call('POST', '/api/user/2fa/setup', {}), denied)
  t.match(await ada.call('POST', '/api/user/passkey/register/begin', {}), denied)
  const wrong = await ada.prove('balance', password)
  t.match(await ada.call('POST', '/api/user/2fa/setup', {}, wrong), denied, 'nor by another scope')
  t.strictSame(await knex('totp').where('user_id', ada.id), [])
})

t.test(
  'what was begun before a change dies with it, in the session of the change too',
  async (t) => {
    const changes: Readonly<Record<string, (one: Awaited<ReturnType<typeof person>>) => unknown>> =
      {
        'a password of their own': (one) =>
          one.must('PUT', '/api/user/self', {
            password: otherPassword,
            original_password: password,
          }),
        'a password by root': ({ id }) =>
          admin.must('PUT', '/api/user/', { id, password: otherPassword }),
        'a role': ({ id }) => admin.must('POST', '/api/user/manage', { id, action: 'promote' }),
        'being disabled': ({ id }) =>
          admin.must('POST', '/api/user/manage', { id, action: 'disable' }),
        'being deleted': ({ id }) => admin.must('DELETE', `/api/user/${id}`),
        'other sessions ended': (one) => one.must('POST', '/api/user/sessions/revoke-others', {}),
        'a factor taken by an admin': ({ id }) => admin.must('DELETE', `/api/user/${id}/2fa`),
      }
    for (const [name, change] of Object.entries(changes)) {
      const one = await person()
      const opened = await identity.openSession({
        ...{
          userId: one.id,
          method: 'password',
          address: '127.0.0.1',
          userAgent: '',
          secure: false,
        },
      } as const)
      const secrets = {
        proof: (await verification.grant(opened.principal, 'access_token')).token,
        'sign-in': await oneTime.issue({ kind: 'sign-in', userId: one.id, seconds: 300 }),
        oauth_state: await oneTime.issue({ kind: 'oauth_state', userId: one.id, seconds: 300 }),
        passkey_register: await oneTime.issue({
          ...{ kind: 'passkey_register', userId: one.id, seconds: 300 },
        }),
      }
      const other = await person()
      const left = await oneTime.issue({ kind: 'proof', userId: other.id, seconds: 300 })
      await change(one)
      for (const [kind, secret] of Object.entries(secrets)) {
        t.equal(await oneTime.take(kind, secret), undefined, `${kind} after ${name}`)
      }
      t.ok(await oneTime.take('proof', left), "and nobody else's")
    }
  },
)

t.test('of a password that changes while it is checked, the old one opens nothing', async (t) => {
  const ada = await person()
  const signIn = gateway.service('sign-in')
  const { sign_in_epoch: before } = await knex('users').where('id', ada.id).first('sign_in_epoch')
  await admin.must('PUT', '/api/user/', { id: ada.id, password: otherPassword })
  const request = { headers: {}, address: '127.0.0.1', secure: false }
  await t.rejects(signIn.begin(request, ada.id, 'password', before), { code: 'sign_in_expired' })
  const racing = await person()
  const all = Array.from({ length: 6 }, () => management(url))
  const changed = admin.must('PUT', '/api/user/', { id: racing.id, password: otherPassword })
  await Promise.all([...all.map((one) => one.login(racing.username, password)), changed])
  for (const one of [...all, racing]) {
    t.equal((await one.call('GET', '/api/user/self')).status, 401)
  }
})

t.test('of an account that is disabled while somebody signs in, no session is left', async (t) => {
  for (let round = 0; round < 3; round += 1) {
    const ada = await person()
    const all = Array.from({ length: 6 }, () => management(url))
    const cut = admin.must('POST', '/api/user/manage', { id: ada.id, action: 'disable' })
    await Promise.all([...all.map((one) => one.login(ada.username, password)), cut])
    t.strictSame(await knex('sessions').where('user_id', ada.id), [])
  }
})

t.test('[AUTH-4] the second step belongs to who began it, and skips nothing', async (t) => {
  const ada = await person()
  const bob = await person()
  const secret = await withApp(ada)
  const ofBob = await withApp(bob)
  const begin = async () =>
    (await ask('POST', '/api/user/login', { body: { username: ada.username, password } })).data
  const { flow_token } = await begin()
  const finish = (code: string, flow = flow_token) =>
    ask('POST', '/api/user/login/2fa', { body: { flow_token: flow, code } })
  t.equal((await finish(codeOf(ofBob))).status, 403, 'the code of somebody else')
  t.equal((await finish(codeOf(secret), 'B'.repeat(43))).code, 'sign_in_expired')
  const asProof = { 'x-verification-token': flow_token }
  t.equal((await bob.call('POST', '/api/user/token', {}, asProof)).status, 403, 'is no proof')
  t.equal((await finish(codeOf(secret))).status, 200)
  t.equal((await finish(codeOf(secret))).code, 'sign_in_expired', 'counts once')
  const late = await begin()
  await admin.must('PUT', '/api/user/', { id: ada.id, password: otherPassword })
  clock.advance(30_000)
  t.equal((await finish(codeOf(secret), late.flow_token)).code, 'sign_in_expired')
})

t.test('fields of the self form that are nobody’s to write are left alone', async (t) => {
  const ada = await person()
  const rowOf = () => knex('users').where('id', ada.id).first()
  const before = await rowOf()
  await ada.must('PUT', '/api/user/self', {
    ...{ id: 1, role: 100, status: 1, quota: 1e9, group: 'vip', aff_quota: 1e9, aff_count: 5 },
    ...{ aff_history_quota: 5, email: 'root@example.com', email_verified: true, inviter_id: 1 },
    ...{ password_hash: 'x', access_tokens: [], sign_in_epoch: 9, setting: '{"a":1}' },
    ...{ used_quota: 5, created_at: 1, deleted_at: null, secrets: {}, remark: 'x' },
  })
  t.strictSame(await rowOf(), before)
  t.equal(await ada.balance(), 0n)
})

t.test('keys of prototypes are no fields', async (t) => {
  const { username } = await person()
  const cookie = await cookieOf(username)
  const before = await wholeDatabase(knex, ['sessions', 'audit_log', 'instances', 'leases'])
  for (const body of [
    '{"__proto__":{"role":100}}',
    '{"constructor":{"prototype":{"role":100}}}',
    '{"display_name":{"__proto__":[]}}',
  ]) {
    const answer = await ask('PUT', '/api/user/self', { body, headers: { cookie } })
    t.ok(answer.status === 400 || answer.status === 200, body)
  }
  t.equal(
    (await ask('GET', '/api/user/self?__proto__[role]=100', { headers: { cookie } })).status,
    200,
  )
  t.equal(({} as { role?: number }).role, undefined)
  const after = await wholeDatabase(knex, ['sessions', 'audit_log', 'instances', 'leases'])
  t.strictSame(after.get('users'), before.get('users'))
})

t.test('whom a client takes itself for must be who it is', async (t) => {
  const ada = await person()
  for (const text of ['1', '', `${ada.id}, 1`, `${ada.id}.0`, '0x1', `[${ada.id}]`]) {
    const answer = await ada.call('GET', '/api/user/self', undefined, { 'new-api-user': text })
    t.equal(answer.status, 401, JSON.stringify(text))
  }
  const answer = await ada.call('GET', '/api/user/self', undefined, {
    'new-api-user': String(ada.id),
  })
  t.equal(answer.status, 200)
})

t.test('cookies may be many and large, and only a session is one', async (t) => {
  const { username } = await person()
  const cookie = await cookieOf(username)
  const noise = Array.from({ length: 150 }, (_, at) => `c${at}=${'x'.repeat(40)}`).join('; ')
  const odd = `session=short; session=${'z'.repeat(44)}; ${noise}; ${cookie}; =; ;;`
  t.equal((await ask('GET', '/api/user/self', { headers: { cookie: odd } })).status, 200)
  const answer = await fetch(`${url}/api/user/self`, {
    headers: { cookie: `a=${'x'.repeat(100_000)}` },
  })
  t.ok(answer.status === 431 || answer.status === 400, String(answer.status))
})

t.test(
  'names that look alike by width, ligature or what cannot be seen are one or none',
  async (t) => {
    const make = (username: string) => admin.call('POST', '/api/user/', { username, password })
    t.equal((await make('Lookalike')).status, 200)
    for (const name of ['ｌｏｏｋａｌｉｋｅ', 'lookalike', 'LOOKALIKE', ' lookalike ']) {
      t.equal((await make(name)).status, 409, JSON.stringify(name))
    }
    const unseen = [
      '\u200b',
      '\u200d',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u034f',
    ]
    for (const sign of unseen) {
      t.equal((await make(`look${sign}alike`)).status, 400, escape(sign))
      const joining = { username: `look${sign}alike`, password }
      t.equal(
        (await ask('POST', '/api/user/register', { body: joining })).status,
        400,
        escape(sign),
      )
    }
    const ada = await person()
    t.equal((await ada.call('PUT', '/api/user/self', { username: 'look\u3164alike' })).status, 400)
    t.equal((await ada.call('PUT', '/api/user/self', { username: 'root' })).status, 409)
    const address = await ada.call('PUT', '/api/user/self', { username: 'root@example.com' })
    t.match(address, { status: 400, body: { field: 'username' } }, 'a name is no address')
  },
)

t.test('root stays root, whoever asks, and cannot leave', async (t) => {
  const boss = await person(10)
  const proof = await admin.prove('account_delete')
  t.equal((await admin.call('DELETE', '/api/user/self', undefined, proof)).status, 403)
  for (const client of [admin, boss]) {
    const results = await Promise.all([
      client.call('DELETE', '/api/user/1'),
      client.call('POST', '/api/user/manage', { id: 1, action: 'delete' }),
      client.call('POST', '/api/user/manage', { id: 1, action: 'demote' }),
      client.call('POST', '/api/user/manage', { id: 1, action: 'disable' }),
      client.call('PUT', '/api/user/', { id: 1, role: 1 }),
      client.call('PUT', '/api/user/', { id: 1, password: otherPassword }),
      client.call('DELETE', '/api/user/1/2fa'),
      client.call('DELETE', '/api/user/1/bindings/email'),
    ])
    t.strictSame([...new Set(results.map(({ status }) => status))], [403])
  }
  const other = await person()
  const raised = await admin.call('PUT', '/api/user/', { id: other.id, role: 100 })
  t.equal(raised.status, 403, 'and there is one of them')
  t.equal((await admin.call('GET', '/api/user/self')).body.data.role, 100)
})

t.test(
  'an admin who loses their rights while a request is under way does nothing more',
  async (t) => {
    const boss = await person(10)
    const victims = await Promise.all(Array.from({ length: 4 }, () => person()))
    await Promise.all([
      admin.must('POST', '/api/user/manage', { id: boss.id, action: 'demote' }),
      ...victims.map(({ id }) => boss.call('PUT', '/api/user/', { id, password: otherPassword })),
    ])
    t.equal((await boss.call('GET', '/api/user/')).status, 401)
    const { id } = victims[0]!
    t.equal((await boss.call('POST', '/api/user/manage', { id, action: 'disable' })).status, 401)
  },
)

t.test('no place of sign-in is requested at addresses of the machine’s own network', async (t) => {
  const metadata = ['http://169.254.169.254', 'http://[fe80::1]', 'http://[::ffff:169.254.169.254]']
  for (const base of metadata) {
    const query = new URLSearchParams({ url: base })
    const found = await admin.call('GET', `/api/custom-oauth-provider/discovery?${query}`)
    t.match(found, { status: 400 }, base)
    t.notMatch(found.body.message, /refused|169\.254/, 'and why is nobody’s business')
  }
  for (const base of ['file:///etc/passwd', 'gopher://127.0.0.1', 'http://a:b@127.0.0.1/']) {
    const query = new URLSearchParams({ url: base })
    const found = await admin.call('GET', `/api/custom-oauth-provider/discovery?${query}`)
    t.equal(found.status, 400, base)
  }
})

t.test(
  'names and addresses that nobody has are distinguished from others by nothing',
  async (t) => {
    const ada = await person()
    const login = async (username: string) => {
      const { status, code, message } = await ask('POST', '/api/user/login', {
        body: { username, password: 'wrong horse' },
      })
      return { status, code, message }
    }
    const unknown = await login('nobody-at-all')
    t.strictSame(await login(ada.username), unknown)
    await admin.must('POST', '/api/user/manage', { id: ada.id, action: 'disable' })
    t.strictSame(await login(ada.username), unknown, 'disabled')
    t.strictSame(await login('nobody@example.com'), unknown)
    const begin = await ask('POST', '/api/user/passkey/login/begin', { body: { username: 'root' } })
    t.notOk(begin.data.allowCredentials?.length, 'passkeys of nobody are named')
  },
)

t.test(
  '[AUTH-9] a link that resets a password leads nowhere a request states, and counts once',
  async (t) => {
    const server = await mailServer(t)
    await admin.option('ServerAddress', 'https://console.example')
    await admin.option('SMTPServer', '127.0.0.1')
    await admin.option('SMTPPort', server.port)
    await admin.option('SMTPFrom', 'gateway@example.com')
    const ada = await person()
    const email = 'ada@mail.example'
    await knex('users').where('id', ada.id).update({ email, email_verified: true })
    const resetLink = async (address: string) => {
      clock.advance(61_000)
      const had = server.mails.length
      const path = `/api/reset_password?email=${encodeURIComponent(address)}`
      const evil = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
      const answer = await ask('GET', path, {
        headers: { ...evil, origin: 'https://evil.example' },
      })
      t.match(answer, { status: 200, data: null })
      // Notices come by mail as well.
      for (;;) {
        const texts = server.mails.slice(had).map((mail) => decoded(mail.text))
        const link = texts.find((text) => text.includes('/user/reset?'))
        if (link !== undefined) return link
        await new Promise(setImmediate)
      }
    }
    const text = await resetLink('ADA@MAIL.example')
    t.match(text, 'https://console.example/user/reset?')
    t.notMatch(text, 'evil.example')
    const token = /token=([\w-]{43})/.exec(text)?.[1] ?? ''
    const reset = (form: object) => ask('POST', '/api/user/reset', { body: { email, ...form } })
    t.equal(
      (await reset({ token: 'C'.repeat(43), password: otherPassword })).code,
      'mail_code_invalid',
    )
    const both = await Promise.all(
      ['one horse battery', 'two horse battery'].map((one) => reset({ token, password: one })),
    )
    t.strictSame(both.map(({ status }) => status).sort(), [200, 400], 'of two, one')
    t.equal((await ada.call('GET', '/api/user/self')).status, 401)
    const again = /token=([\w-]{43})/.exec(await resetLink(email))?.[1] ?? ''
    await admin.must('PUT', '/api/user/', { id: ada.id, password: otherPassword })
    const late = await reset({ token: again, password: 'three horse battery' })
    t.equal(late.code, 'mail_code_invalid', 'a password that changed meanwhile ends the link')
  },
)

t.test('addresses of one mailbox are one account, however they are spelled', async (t) => {
  const ada = await person()
  const bob = await person()
  const bind = async (client: typeof ada, email: string) => {
    const proof = await client.prove('email_change', password)
    return client.call('POST', '/api/user/email', { email, verification_code: '123456' }, proof)
  }
  for (const email of [
    'a\u0000@x.example',
    'a@x.example\r\nbcc: b@x.example',
    'a@@x',
    '"a"@x.example',
  ]) {
    t.match(
      await bind(ada, email),
      { status: 400, body: { field: 'email' } },
      JSON.stringify(email),
    )
  }
  await knex('users')
    .where('id', ada.id)
    .update({ email: 'kim@xn--bcher-kva.example', email_verified: true })
  for (const email of ['KIM@bücher.example', '\u212aim@BÜCHER.example']) {
    t.match(await bind(bob, email), { status: 400, body: { code: 'mail_code_invalid' } }, email)
    await t.rejects(
      knex('users').where('id', bob.id).update({ email: 'Kim@xn--bcher-kva.example' }),
      /users_email_key/,
    )
  }
})
