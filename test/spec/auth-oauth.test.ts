/**
 * Signing in by another place over HTTP, against an OpenID provider that is not ours: once as OpenID Connect and once
 * as a provider an admin defined (AUTH-8, AUTH-9, X9).
 */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import {
  type Browser,
  browser,
  known,
  localPlace,
  openCompany,
  openOidc,
} from '../plugins/management/oauth-fixture.js'

const clock = new FakeClock(Date.now())
const { url, admin, gateway } = await startGateway(t, { clock })
const place = await localPlace(t)
await openOidc(admin, place)
await openCompany(admin, place)
const { knex } = gateway.service('database')
const password = 'correct horse battery'
const invalid = { status: 403, code: 'oauth_state_invalid' }

async function count(table: string, where: object = {}): Promise<number> {
  const [row] = await knex(table).where(where).count()
  return Number(row?.count)
}

/** Somebody with a password, signed in. */
async function member(name: string): Promise<Browser & { readonly id: number }> {
  const { id } = await admin.must('POST', '/api/user/', { username: name, password })
  const own = browser(url)
  const { status } = await own.call('POST', '/api/user/login', { username: name, password })
  t.equal(status, 200)
  return { ...own, id }
}

/** A sign-in up to the moment at which the browser is back. */
async function back(own: Browser, provider: string, person: string, form = {}) {
  const { data } = await own.begin(provider, 'login', form)
  return own.visit(data.authorize_url, person)
}

for (const provider of ['oidc', 'company']) {
  t.test(
    `[AUTH-8] ${provider}: a person signs in, and is the same user the next time`,
    async (t) => {
      const person = known(place, `${provider}-ada`)
      const first = await browser(url).signIn(provider, person)
      t.match(first, { status: 200, data: { username: person, redirect: '/dashboard' } })
      t.match(first.headers.getSetCookie().join(), /session=[\w-]{43}.*HttpOnly/)
      const again = browser(url)
      t.match(await again.signIn(provider, person), { status: 200, data: { id: first.data.id } })
      t.match(await again.call('GET', '/api/user/self'), { data: { id: first.data.id } })
      t.equal(await count('oauth_identities', { provider, subject: person }), 1)
    },
  )

  t.test(
    `[AUTH-8] ${provider}: a state counts once, and of fifty at once one counts`,
    async (t) => {
      const own = browser(url)
      const brought = await back(own, provider, known(place, `${provider}-race`))
      const all = await Promise.all(Array.from({ length: 50 }, () => own.finish(provider, brought)))
      const codes = all.map(({ status, code }) => `${status} ${code}`)
      t.equal(codes.filter((code) => code === '200 undefined').length, 1, String(new Set(codes)))
      t.equal(codes.filter((code) => code === '403 oauth_state_invalid').length, 49)
      t.match(await own.finish(provider, brought), invalid, 'and none afterwards')
    },
  )

  t.test(`[AUTH-8] ${provider}: a state is for the browser that began`, async (t) => {
    const own = browser(url)
    const person = known(place, `${provider}-browser`)
    t.match(await browser(url).finish(provider, await back(own, provider, person)), invalid)
    const other = browser(url)
    await other.begin(provider)
    const brought = await back(own, provider, person)
    t.match(await other.finish(provider, brought), invalid, 'another with a cookie of its own')
    t.match(await own.finish(provider, brought), invalid, 'and it is spent by that')
    t.equal(await count('oauth_identities', { subject: person }), 0)
  })

  t.test(`[AUTH-8] ${provider}: a state lasts ten minutes`, async (t) => {
    const own = browser(url)
    const person = known(place, `${provider}-late`)
    const late = await back(own, provider, person)
    clock.advance(600_000)
    t.match(await own.finish(provider, late), invalid)
    t.match(await own.signIn(provider, person), { status: 200 })
  })
}

t.test('[AUTH-8] a state is for one provider', async (t) => {
  const own = browser(url)
  t.match(await own.finish('company', await back(own, 'oidc', known(place, 'crossed'))), invalid)
  const unknown = await own.finish('nowhere', await back(own, 'oidc', 'crossed'))
  t.match(unknown, { status: 400, code: 'oauth_provider_unknown' })
  t.match(await own.begin('nowhere'), { status: 400, code: 'oauth_provider_unknown' })
  t.match(await own.begin('github'), { status: 400, code: 'oauth_provider_unknown' })
})

t.test('[AUTH-8] what no state stands for is refused', async (t) => {
  const own = browser(url)
  const { data } = await own.begin('oidc')
  for (const state of ['', 'x', 'x'.repeat(43), `${data.state}x`, data.state.toLowerCase()]) {
    t.match(await own.finish('oidc', new URLSearchParams({ code: 'c', state })), invalid)
  }
  t.match(await own.finish('oidc', new URLSearchParams({ code: 'c' })), invalid)
  const twice = new URLSearchParams([
    ['state', data.state],
    ['state', data.state],
    ['code', 'c'],
  ])
  t.match(await own.finish('oidc', twice), { status: 400 })
})

t.test('[AUTH-8] binding needs a live session, and its state is for that user there', async (t) => {
  t.match(await browser(url).begin('oidc', 'bind'), { status: 401 })
  const ada = await member('ada-binds')
  const { token } = await gateway
    .service('identity')
    .accessTokens.replace({ userId: ada.id, name: 'default' })
  const script = { authorization: token, 'new-api-user': String(ada.id) }
  const form = { provider: 'oidc', intent: 'bind' }
  const byToken = await browser(url).call('POST', '/api/oauth/state', form, script)
  t.match(byToken, { status: 403, code: 'session_required' })

  const person = known(place, 'bound-ada')
  const { data } = await ada.begin('oidc', 'bind')
  const brought = await ada.visit(data.authorize_url, person)
  await ada.call('POST', '/api/user/logout', {})
  t.match(await ada.finish('oidc', brought), invalid, 'signed out')

  await ada.call('POST', '/api/user/login', { username: 'ada-binds', password })
  const second = await ada.begin('oidc', 'bind')
  const later = await ada.visit(second.data.authorize_url, person)
  await member('bob-binds')
  await ada.call('POST', '/api/user/login', { username: 'bob-binds', password })
  t.match(await ada.finish('oidc', later), invalid, 'another user in the same browser')
  t.equal(await count('oauth_identities', { subject: person }), 0)

  await ada.call('POST', '/api/user/login', { username: 'ada-binds', password })
  t.match(await ada.bind('oidc', person), { status: 200, data: { action: 'bind' } })
  t.match(await browser(url).signIn('oidc', person), { data: { id: ada.id } })
})

t.test('[AUTH-8] GET issues no state', async (t) => {
  const before = await count('one_time', { kind: 'oauth_state' })
  const answer = await browser(url).call('GET', '/api/oauth/state?provider=oidc&intent=login')
  t.match(answer, { status: 405, code: 'method_not_allowed' })
  t.equal(answer.headers.get('allow'), 'POST')
  t.strictSame(answer.headers.getSetCookie(), [])
  t.equal(await count('one_time', { kind: 'oauth_state' }), before)
})

t.test('[AUTH-8] what a state answers, and what it leaves in the browser', async (t) => {
  const own = browser(url)
  const { data, headers } = await own.begin('oidc')
  t.match(data, {
    flow_token: data.state,
    state: /^[\w-]{43}$/,
    expires_at: Math.floor(clock.now() / 1000) + 600,
    style: 'redirect',
  })
  const { searchParams } = new URL(data.authorize_url)
  t.equal(searchParams.get('redirect_uri'), 'https://console.example/oauth/oidc')
  t.equal(searchParams.get('code_challenge_method'), 'S256')
  t.match(searchParams.get('nonce'), /^[\w-]{43}$/)
  const line = headers.getSetCookie().join()
  t.match(line, /^oauth=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  t.not(data.state, own.cookie('oauth'))

  const tab = await own.begin('company')
  const [one, other] = [data, tab.data].map(({ authorize_url }) => authorize_url)
  const person = known(place, 'two-tabs')
  const late = await own.visit(one, person)
  t.match(await own.finish('company', await own.visit(other, person)), { status: 200 })
  t.match(await own.finish('oidc', late), { status: 200 }, 'the other tab goes on')
})

t.test('[AUTH-8] the nonce of the id token must be the one that was requested', async (t) => {
  const own = browser(url)
  const { data } = await own.begin('oidc')
  const bent = new URL(data.authorize_url)
  bent.searchParams.set('nonce', 'of-another-sign-in')
  const brought = await own.visit(bent.href, known(place, 'bent-nonce'))
  t.match(await own.finish('oidc', brought), { status: 502, code: 'oauth_failed' })
  t.equal(await count('oauth_identities', { subject: 'bent-nonce' }), 0)
})

t.test('[AUTH-8] a code of another sign-in is of no use', async (t) => {
  const thief = browser(url)
  const stolen = await back(browser(url), 'oidc', known(place, 'victim'))
  const mine = await back(thief, 'oidc', known(place, 'thief'))
  mine.set('code', stolen.get('code') ?? '')
  t.match(await thief.finish('oidc', mine), { status: 502, code: 'oauth_failed' })
})

t.test('[AUTH-8] a person who says no is informed of it, and the state is spent', async (t) => {
  const own = browser(url)
  const brought = await back(own, 'oidc', 'nobody')
  t.equal(brought.get('error'), 'access_denied')
  t.match(await own.finish('oidc', brought), { status: 400, message: /refused/ })
  t.match(await own.finish('oidc', brought), invalid)
})

t.test('[AUTH-9] the wish of where to go travels with the state', async (t) => {
  const person = known(place, 'traveller')
  const wishes = {
    '/console/token?tab=2': '/console/token?tab=2',
    '//other.example': '/dashboard',
    'https://other.example/': '/dashboard',
    '/\\other.example': '/dashboard',
    '/.//other.example': '/dashboard',
  }
  for (const [redirect, path] of Object.entries(wishes)) {
    t.match(await browser(url).signIn('oidc', person, { redirect }), {
      status: 200,
      data: { redirect: path },
    })
  }
  const odd = await browser(url).signIn('oidc', person, { redirect: { to: '/a' } })
  t.match(odd, { status: 200, data: { redirect: '/dashboard' } })
})
