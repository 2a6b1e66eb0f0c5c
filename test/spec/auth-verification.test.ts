/**
 * Second factors and step-up over HTTP (AUTH-4, AUTH-5, E5): whoever may do something sensitive shows anew
 * who they are, and the proof of it is good for one operation, by them, in that session, within five minutes.
 */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { type Management, management, type Sent } from '../kit/management.js'

const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, { clock })
const password = 'correct horse battery'
const identity = gateway.service('identity')
const { knex } = gateway.service('database')
const passwordHash = await identity.hash(password)
let people = 0

/** Not by the form of an admin, which hashes a password for each. */
async function person(name = 'ada'): Promise<Management & { username: string; id: number }> {
  const username = `${name}${++people}`
  const row = { username, displayName: '', passwordHash, role: 1, group: 'default' }
  const id = await knex.transaction((trx) => identity.enroll(row, trx))
  const client = management(url)
  await client.login(username, password)
  return { ...client, username, id }
}

/** Shows a proof where the channel's key is reported: `gone_missing` never comes, since the channel is there. */
const channel = await admin.channel({ type: 1, name: 'c', key: 'upstream-key', models: 'm' })
const reveal = (client: Management, proof: Sent = {}) =>
  client.call('POST', `/api/channel/${channel}/key`, {}, proof)

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: clock.now() + steps * 30_000,
  })

const nextStep = () => clock.advance(30_000)

/** An app in force; the clock stands in a step no code was used of. */
async function withApp(client: Management) {
  const proof = await client.prove('two_factor', password)
  const { secret, backup_codes } = await client.must('POST', '/api/user/2fa/setup', {}, proof)
  await client.must('POST', '/api/user/2fa/enable', { code: codeOf(secret) })
  nextStep()
  return { secret, codes: backup_codes as string[] }
}

const verify = (client: Management, form: object) =>
  client.call('POST', '/api/verify', { scope: 'channel_key', ...form })

async function statuses(calls: readonly Promise<{ readonly status: number }>[]) {
  const all = (await Promise.all(calls)).map(({ status }) => status)
  return { ok: all.filter((status) => status === 200).length, all }
}

t.test('[AUTH-4] a proof is good once, for its scope, in its session, for its user', async (t) => {
  const denied = { status: 403, body: { code: 'verification_required' } }
  t.match(await reveal(admin), denied)
  t.match(await reveal(admin, { 'x-verification-token': 'x'.repeat(43) }), denied)
  t.match(await reveal(admin, await admin.prove('access_token')), denied)
  const proof = await admin.prove('channel_key')
  t.match(await reveal(admin, proof), { status: 200, body: { data: { key: 'upstream-key' } } })
  t.match(await reveal(admin, proof), denied)

  const other = management(url)
  await other.login('root', password)
  const elsewhere = await other.prove('channel_key')
  t.match(await reveal(admin, elsewhere), denied, 'another session of the same user')
  t.match(await reveal(other, elsewhere), denied, 'and it is spent by that')
  const ada = await person()
  const begin = (proof: Sent) => ada.call('POST', '/api/user/passkey/register/begin', {}, proof)
  t.match(await begin(await other.prove('passkey_register')), denied, 'another user')
  t.equal((await begin(await ada.prove('passkey_register'))).status, 200)

  const late = await other.prove('channel_key')
  clock.advance(300_000)
  t.match(await reveal(other, late), denied, 'five minutes later')
  const left = await other.prove('channel_key')
  await other.call('POST', '/api/user/logout', {})
  t.match(await reveal(other, left), { status: 401 })
  await other.login('root', password)
  t.match(await reveal(other, left), denied, 'after a logout')
})

t.test('[AUTH-4] of fifty who show one proof at once, one is served', async (t) => {
  const proof = await admin.prove('channel_key')
  const { ok, all } = await statuses(Array.from({ length: 50 }, () => reveal(admin, proof)))
  t.equal(ok, 1, String(all))
})

t.test(
  '[AUTH-4] verifying gives the session a new id, and the old one is no session',
  async (t) => {
    const ada = await person()
    const { headers, body } = await verify(ada, {
      method: 'password',
      password,
      scope: 'access_token',
    })
    t.match(headers.get('set-cookie'), /^session=[\w-]{43};.*HttpOnly/)
    t.match(body.data, {
      proof_token: /^[\w-]{43}$/,
      expires_at: Math.floor(clock.now() / 1000) + 300,
      method: 'password',
      scope: 'access_token',
    })
    t.match(headers.get('cache-control'), 'no-store')
    const all = await statuses(
      Array.from({ length: 5 }, () => verify(ada, { method: 'password', password })),
    )
    t.equal(all.ok, 1, 'of five who renew one session at once, one does')
  },
)

t.test('[AUTH-4] a wrong password proves nothing, and neither does an access token', async (t) => {
  const ada = await person()
  const wrong = await verify(ada, { method: 'password', password: 'a guess' })
  t.match(wrong, { status: 403, body: { code: 'verification_failed' } })
  t.match(await verify(ada, { method: 'password' }), { status: 400, body: { field: 'password' } })
  t.match(await verify(ada, { method: 'passkey' }), { status: 400 })
  t.match(await verify(ada, { method: 'password', password, scope: 'all' }), { status: 400 })
  t.match(await verify(ada, { method: 'session' }), { status: 400, body: { field: 'method' } })
  const token = (await identity.accessTokens.replace({ userId: ada.id, name: 'default' })).token
  const script = management(url)
  const by = { authorization: token }
  const form = { method: 'password', password, scope: 'access_token' }
  const refused = { status: 403, body: { code: 'session_required' } }
  t.match(await script.call('POST', '/api/verify', form, by), refused)
  t.match(await script.call('GET', '/api/verify/status', undefined, by), refused)
  t.match(await script.call('POST', '/api/user/2fa/setup', {}, by), refused)
  const rootToken = (await identity.accessTokens.replace({ userId: 1, name: 'default' })).token
  const proof = { ...(await admin.prove('channel_key')), authorization: rootToken }
  t.match(await reveal(script, proof), refused)
})

t.test(
  '[AUTH-4] [AUTH-5] who has a factor uses it: the password suffices for no scope',
  async (t) => {
    const ada = await person()
    const ways = async () => (await ada.must('GET', '/api/verify/methods')).methods
    t.same(await ways(), ['password'])
    const { secret, codes } = await withApp(ada)
    t.same(await ways(), ['2fa'])
    for (const scope of gateway.service('verification').scopes) {
      const answer = await verify(ada, { method: 'password', password, scope })
      t.match(answer, { status: 403, body: { code: 'factor_required' } }, scope)
    }
    const form = { method: '2fa', scope: 'account_delete' }
    t.match((await verify(ada, { ...form, code: codeOf(secret) })).body.data, {
      proof_token: String,
      method: '2fa',
      scope: 'account_delete',
    })
    t.match(await verify(ada, { ...form, code: codes[0] }), { status: 200 })
    t.match(await verify(ada, { ...form, code: codes[0] }), { status: 403 }, 'a code counts once')
  },
)

t.test('[AUTH-4] [AUTH-5] the token and the end of an account need the proof', async (t) => {
  const ada = await person()
  const denied = { status: 403, body: { code: 'verification_required' } }
  const token = (proof: Sent = {}) => ada.call('POST', '/api/user/token', {}, proof)
  const end = (proof: Sent = {}) => ada.call('DELETE', '/api/user/self', undefined, proof)
  t.match(await token(), denied)
  t.match(await token(await ada.prove('account_delete')), denied)
  const result = await token(await ada.prove('access_token'))
  t.equal(result.status, 200)
  t.match(result.headers.get('cache-control'), 'no-store')
  t.equal((await ada.call('GET', '/api/user/token')).status, 405)
  const { secret } = await withApp(ada)
  t.match(await end(), denied)
  const form = { method: '2fa', code: codeOf(secret), scope: 'account_delete' }
  const { proof_token } = (await verify(ada, form)).body.data
  t.equal((await end({ 'x-verification-token': proof_token })).status, 200)
  t.equal((await ada.call('GET', '/api/user/self')).status, 401)
})

t.test('[AUTH-5] who came by another place proves by a fresh sign-in', async (t) => {
  const ada = await person('oauth')
  await knex('users').where('id', ada.id).update({ password_hash: '' })
  t.same((await ada.must('GET', '/api/verify/methods')).methods, [])
  const form = { method: 'session', scope: 'account_delete' }
  t.match(await verify(ada, form), { status: 400, body: { field: 'method' } })
  await knex('sessions').where('user_id', ada.id).update({ method: 'oauth' })
  t.same((await ada.must('GET', '/api/verify/methods')).methods, ['session'])
  t.match(await verify(ada, form), { status: 200, body: { data: { method: 'session' } } })
  clock.advance(600_000)
  t.match(await verify(ada, form), { status: 400 }, 'ten minutes later no more')
})

t.test('a console asks whether its session still stands', async (t) => {
  const ada = await person()
  const sendRequest = () => ada.call('GET', '/api/verify/status')
  t.match((await sendRequest()).body.data, { verified: true, window_seconds: 30 })
  await admin.must('POST', '/api/user/manage', { id: ada.id, action: 'disable' })
  t.equal((await sendRequest()).status, 401)
})

t.test(
  'an app is in force once its first code was right, and ends the other sessions',
  async (t) => {
    const ada = await person()
    const other = management(url)
    await other.login(ada.username, password)
    const state = () => ada.must('GET', '/api/user/2fa/status')
    t.same(await state(), { enabled: false, locked: false, backup_codes_remaining: 0 })
    const setUp = async () => {
      const proof = await ada.prove('two_factor', password)
      return ada.must('POST', '/api/user/2fa/setup', {}, proof)
    }
    t.match(await ada.call('POST', '/api/user/2fa/setup', {}), {
      status: 403,
      body: { code: 'verification_required' },
    })
    const first = await setUp()
    const { secret, qr_code_data, backup_codes } = await setUp()
    t.match(secret, /^[A-Z2-7]{32}$/)
    t.match(qr_code_data, /^otpauth:\/\/totp\/Waybill:ada\d+\?.*secret=[A-Z2-7]{32}.*period=30/)
    t.equal(new Set(backup_codes).size, 10)
    for (const code of backup_codes) t.match(code, /^[0-9a-z]{5}-[0-9a-z]{5}$/)
    t.same(await state(), { enabled: false, locked: false, backup_codes_remaining: 0 })
    const form = { method: '2fa', scope: 'access_token' }
    t.match(await verify(ada, { ...form, code: codeOf(secret) }), { status: 400 }, 'not yet')
    const enable = (code: string) => ada.call('POST', '/api/user/2fa/enable', { code })
    t.match(await enable(codeOf(first.secret)), { status: 403 }, 'the first secret is gone')
    t.match(await enable(backup_codes[0]), { status: 403 }, 'a recovery code shows no app')
    t.equal((await other.call('GET', '/api/user/self')).status, 200)
    const enabled = await enable(codeOf(secret))
    t.equal(enabled.status, 200)
    t.match(enabled.headers.get('set-cookie'), /^session=/)
    t.equal((await other.call('GET', '/api/user/self')).status, 401)
    t.same(await state(), { enabled: true, locked: false, backup_codes_remaining: 10 })
    t.match(await enable(codeOf(secret)), { status: 409 })
    t.match(await ada.call('POST', '/api/user/2fa/setup', {}), {
      status: 403,
      body: { code: 'verification_required' },
    })
    nextStep()
    const { data } = (
      await verify(ada, { method: '2fa', code: codeOf(secret), scope: 'two_factor' })
    ).body
    const proof = { 'x-verification-token': data.proof_token }
    t.match(await ada.call('POST', '/api/user/2fa/setup', {}, proof), { status: 409 })
    const result = await ada.call('GET', '/api/user/2fa/status')
    t.notMatch(JSON.stringify(result.body), new RegExp(`${secret}|${backup_codes.join('|')}`))
  },
)

t.test('a code counts once, and none of an earlier step after it', async (t) => {
  const ada = await person()
  const { secret } = await withApp(ada)
  nextStep()
  const form = { method: '2fa', scope: 'access_token' }
  const [before, now, after] = [codeOf(secret, -1), codeOf(secret), codeOf(secret, 1)]
  t.equal((await verify(ada, { ...form, code: now })).status, 200)
  t.equal((await verify(ada, { ...form, code: now })).status, 403)
  t.equal((await verify(ada, { ...form, code: before })).status, 403)
  t.equal((await verify(ada, { ...form, code: after })).status, 200, 'a clock that is ahead')
  t.equal((await verify(ada, { ...form, code: codeOf(secret, 2) })).status, 403, 'too far ahead')
})

t.test('of ten codes in a session the next is refused, in that session alone', async (t) => {
  const ada = await person()
  const { secret, codes } = await withApp(ada)
  const form = { method: '2fa', scope: 'access_token' }
  for (let tries = 0; tries < 10; tries++) {
    t.match(await verify(ada, { ...form, code: '000000' }), { status: 403 })
  }
  const refused = await verify(ada, { ...form, code: codeOf(secret) })
  t.match(refused, { status: 429, body: { code: 'rate_limit_exceeded' } })
  t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
  t.match(await verify(ada, { ...form, code: codes[0] }), { status: 429 })
  t.match(await ada.must('GET', '/api/user/2fa/status'), { enabled: true, locked: false })
})

t.test('an app is taken away with a code of it; new recovery codes end the old', async (t) => {
  const ada = await person()
  const { secret, codes } = await withApp(ada)
  const renewed = await ada.must('POST', '/api/user/2fa/backup_codes', { code: codeOf(secret) })
  t.equal(renewed.backup_codes.length, 10)
  const off = (code: string) => ada.call('POST', '/api/user/2fa/disable', { code })
  t.equal((await off(codes[0]!)).status, 403)
  t.equal((await off(renewed.backup_codes[0].toUpperCase().replace('-', ' '))).status, 200)
  t.same(await ada.must('GET', '/api/user/2fa/status'), {
    enabled: false,
    locked: false,
    backup_codes_remaining: 0,
  })
  t.match(await verify(ada, { method: 'password', password }), { status: 200 })
  t.match(await ada.call('POST', '/api/user/2fa/backup_codes', { code: '123456' }), { status: 403 })
})
