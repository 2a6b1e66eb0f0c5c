/** Joining, binding and unbinding by another place, over a whole gateway. */
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { FakeClock } from '../../kit/clock.js'
import { startGateway } from '../../kit/gateway.js'
import { management } from '../../kit/management.js'
import { json, scriptedUpstream } from '../../kit/upstream.js'
import { browser, clientSecret, known, localPlace, openCompany, openOidc } from './oauth-fixture.js'

const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, { clock })
const place = await localPlace(t)
const { knex } = gateway.service('database')
const password = 'correct horse battery'

t.test('nothing is switched on before it is complete, nor offered while it is off', async (t) => {
  const own = browser(url)
  const early = await admin.call('PUT', '/api/option/', { key: 'oidc.enabled', value: true })
  t.match(early, { status: 400, body: { field: 'oidc.enabled' } })
  t.match(await own.call('GET', '/api/oauth/providers'), { status: 200, data: [] })
  t.match(await own.begin('oidc'), { status: 400, code: 'oauth_provider_unknown' })
  await admin.option('oidc.client_id', 'gateway')
  await admin.option('oidc.well_known', `${place.issuer}/.well-known/openid-configuration`)
  await admin.option('oidc.enabled', true)
  const homeless = await own.begin('oidc')
  t.match(homeless, { status: 409, message: /ServerAddress/ }, 'whatever the request calls us')
  await openOidc(admin, place)
  await openCompany(admin, place)
  await admin.option('oidc.display_name', 'House')
  const { data } = await own.call('GET', '/api/oauth/providers')
  t.match(data, [
    { provider: 'oidc', title: 'House', style: 'redirect', facts: { clientId: 'gateway' } },
    { provider: 'company', title: 'Company', style: 'redirect', facts: { client_id: 'gateway' } },
  ])
  t.notMatch(JSON.stringify(data), clientSecret)
})

t.test('two first sign-ins of one person at once make one user', async (t) => {
  const person = known(place, 'twin', { preferred_username: 'twin-name' })
  const tellers = await Promise.all(
    Array.from({ length: 8 }, () => browser(url).signIn('oidc', person)),
  )
  t.strictSame(new Set(tellers.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(tellers.map(({ data }) => data.id)).size, 1)
  const rows = await knex('users').where('username', 'like', 'twin%')
  t.equal(rows.length, 1)
})

t.test('a name that is taken or does not fit is replaced', async (t) => {
  await admin.must('POST', '/api/user/', { username: 'taken', password })
  const { data } = await browser(url).signIn(
    'oidc',
    known(place, 'sub-taken', { preferred_username: 'taken', name: 'A\u202eb\nc' }),
  )
  t.match(data, { username: /^oidc_/, display_name: 'Abc' })
  const long = known(place, 'sub-long', { preferred_username: 'x'.repeat(60) })
  t.match((await browser(url).signIn('oidc', long)).data, { username: /^oidc_/ })
})

t.test('an address is taken over only where it is vouched for and nobody has it', async (t) => {
  const emailOf = async (subject: string, claims: object) => {
    const { data } = await browser(url).signIn('oidc', known(place, subject, claims))
    const row = await knex('users').where('id', data.id).first('email', 'email_verified')
    return { id: data.id, email: row.email, verified: row.email_verified }
  }
  const email = 'Grace@example.com'
  t.match(await emailOf('unsure', { email, email_verified: false }), { email: '' })
  const grace = await emailOf('grace', { email, email_verified: true })
  t.match(grace, { email: /grace@example.com/i, verified: true })
  const other = await emailOf('grace-too', { email: 'grace@example.com', email_verified: true })
  t.match(other, { email: '' })
  t.not(other.id, grace.id, 'nobody becomes another by an address')
  const spelled = { email: 'Kim@B\u00dcCHER.example', email_verified: true }
  t.match(await emailOf('kim', spelled), { email: 'kim@xn--bcher-kva.example' })
  t.match(await emailOf('kim-too', spelled), { email: '' }, 'and still signs in')
})

t.test('where nobody may join, whoever is known still signs in', async (t) => {
  await admin.option('RegisterEnabled', false)
  t.teardown(() => admin.option('RegisterEnabled', true))
  const refused = await browser(url).signIn('oidc', known(place, 'too-late'))
  t.match(refused, { status: 403, code: 'feature_off' })
  t.equal((await knex('oauth_identities').where('subject', 'too-late')).length, 0)
  t.match(await browser(url).signIn('oidc', 'twin'), { status: 200 })
})

t.test('who is disabled or deleted does not sign in, nor joins again', async (t) => {
  for (const action of ['disable', 'delete']) {
    const person = known(place, `gone-${action}`)
    const { data } = await browser(url).signIn('oidc', person)
    await knex('users')
      .where('id', data.id)
      .update(action === 'disable' ? { status: 2 } : { deleted_at: new Date(clock.now()) })
    const refused = await browser(url).signIn('oidc', person)
    t.match(refused, { status: 403, code: 'account_disabled' })
  }
})

t.test('an invitation travels with the state', async (t) => {
  const inviter = await browser(url).signIn('oidc', known(place, 'inviter'))
  const code = await gateway.service('registration').invitationCode(inviter.data.id)
  const { data } = await browser(url).signIn('oidc', known(place, 'invited'), { aff: code })
  t.match(await knex('users').where('id', data.id).first(), { inviter_id: inviter.data.id })
})

t.test('binding, and what stands against it', async (t) => {
  await admin.must('POST', '/api/user/', { username: 'binder', password })
  const own = browser(url)
  await own.call('POST', '/api/user/login', { username: 'binder', password })
  t.match(await own.bind('oidc', known(place, 'mine')), { data: { action: 'bind' } })
  const again = await own.bind('oidc', known(place, 'mine-too'))
  t.match(again, { status: 409, message: /already/ }, 'one of a provider')
  const foreign = await own.bind('company', 'mine')
  t.match(foreign, { status: 200 }, 'another provider has subjects of its own')
  await admin.must('POST', '/api/user/', { username: 'binder2', password })
  const other = browser(url)
  await other.call('POST', '/api/user/login', { username: 'binder2', password })
  t.match(await other.bind('oidc', 'mine'), { status: 409, message: /another user/ })
  const { data } = await own.call('GET', '/api/user/oauth/bindings')
  t.match(data, [
    { provider: 'company', title: 'Company', name: 'mine', created_at: Number },
    { provider: 'oidc', title: 'House', name: 'mine' },
  ])
  t.match((await own.call('GET', '/api/user/self')).data, { oidc_id: 'mine' })
  const lines = await knex('audit_log').where('detail', 'bind oidc')
  t.equal(lines.length, 1)
  t.match(lines[0], { actor_name: 'binder', object: /^user \d+$/ })
})

t.test('unbinding takes a proof', async (t) => {
  const client = management(url)
  await client.login('binder', password)
  const path = '/api/user/oauth/bindings/company'
  t.match(await client.call('DELETE', path), {
    status: 403,
    body: { code: 'verification_required' },
  })
  const wrong = await client.prove('channel_key', password)
  t.match(await client.call('DELETE', path, undefined, wrong), { status: 403 })
  const proof = await client.prove('oauth_unbind', password)
  t.match(await client.call('DELETE', path, undefined, proof), { status: 200 })
  t.match(await client.call('DELETE', path, undefined, proof), { status: 403 }, 'for one use')
  const more = await client.prove('oauth_unbind', password)
  t.match(await client.call('DELETE', path, undefined, more), { status: 404 })
})

t.test('the last way in stays', async (t) => {
  const own = browser(url)
  const { data } = await own.signIn('oidc', known(place, 'only-way'))
  const { verification, identity } = {
    verification: gateway.service('verification'),
    identity: gateway.service('identity'),
  }
  const unbind = async (provider: string) => {
    const cookie = `session=${own.cookie('session')}`
    const principal = await identity.principal({ headers: { cookie } })
    const { token } = await verification.grant(principal!, 'oauth_unbind')
    const headers = { 'x-verification-token': token }
    return own.call('DELETE', `/api/user/oauth/bindings/${provider}`, undefined, headers)
  }
  t.match(await unbind('oidc'), { status: 409, message: /only way/ })
  t.equal((await knex('oauth_identities').where('user_id', data.id)).length, 1)
  t.match(await own.bind('company', 'only-way'), { status: 200 })
  const both = await Promise.all([unbind('oidc'), unbind('company')])
  const [unbound, kept] = both.map(({ status }) => status).sort()
  t.equal(unbound, 200, 'of two at once, one')
  // The other finds its session cut, or itself the only way left, by which of them is there first.
  t.ok(kept === 403 || kept === 409, `${kept}`)
  t.equal((await knex('oauth_identities').where('user_id', data.id)).length, 1)
})

t.test('who has a second factor is requested it', async (t) => {
  const client = management(url)
  await client.login('binder', password)
  const proof = await client.prove('two_factor', password)
  const { secret } = await client.must('POST', '/api/user/2fa/setup', {}, proof)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => totp.generate({ timestamp: clock.now() })
  await client.must('POST', '/api/user/2fa/enable', { code: code() })
  clock.advance(30_000)
  const own = browser(url)
  const { data } = await own.signIn('oidc', 'mine', { redirect: '/console' })
  t.match(data, { require_2fa: true, flow_token: /^[\w-]{43}$/, redirect: '/console' })
  t.match(await own.call('GET', '/api/user/self'), { status: 401 })
  const form = { flow_token: data.flow_token, code: code() }
  t.match(await own.call('POST', '/api/user/login/2fa', form), { status: 200 })
  t.match(await own.call('GET', '/api/user/self'), { data: { username: 'binder' } })
})

t.test('code and state may come in a body', async (t) => {
  const own = browser(url)
  const { data } = await own.begin('oidc')
  const brought = await own.visit(data.authorize_url, 'twin')
  const body = { ...Object.fromEntries(brought), id: 7, flag: true }
  t.match(await own.call('POST', '/api/oauth/oidc', body), { status: 200 })
})

t.test('a provider that cannot be reached is reported in words of ours', async (t) => {
  await admin.option('oidc.token_endpoint', 'http://127.0.0.1:1/token')
  t.teardown(() => admin.option('oidc.token_endpoint', ''))
  const failed = await browser(url).signIn('oidc', 'twin')
  t.match(failed, { status: 502, code: 'oauth_failed', message: /did not confirm/ })
  t.notMatch(failed.message, /127\.0\.0\.1/)
})

t.test('[AUTH-8] a wrong code is reported at its field, a broken helper is not', async (t) => {
  const helper = await scriptedUpstream(t)
  await admin.option('WeChatServerAddress', helper.url)
  await admin.option('WeChatServerToken', 'wechat-token')
  await admin.option('WeChatAuthEnabled', true)
  t.teardown(() => admin.option('WeChatAuthEnabled', false))
  const typed = async (code: string) => {
    const own = browser(url)
    const { data } = await own.begin('wechat')
    return own.call('POST', '/api/oauth/wechat', { code, state: data.state })
  }
  helper.script(json(200, { success: false, message: 'secret words', data: '' }))
  const wrong = await typed('000000')
  t.match(wrong, { status: 400, code: 'invalid_field', message: /not a code WeChat gave out/ })
  t.notMatch(wrong.message, /secret words/)
  t.match(await typed('not a code'), { status: 400, code: 'invalid_field' })
  helper.script(json(500, { success: false }))
  t.match(await typed('000000'), { status: 502, code: 'oauth_failed' })
})
