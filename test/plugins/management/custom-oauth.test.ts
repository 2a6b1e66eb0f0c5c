/** Sign-in providers an admin defines: their forms, their secrets, who they let in, and their end. */
import t from 'tap'
import { startGateway } from '../../kit/gateway.js'
import { management } from '../../kit/management.js'
import { browser, clientSecret, known, localPlace, openCompany, site } from './oauth-fixture.js'

const { url, admin, gateway } = await startGateway(t)
const place = await localPlace(t)
const { knex } = gateway.service('database')
const path = '/api/custom-oauth-provider'
await admin.option('ServerAddress', site)

t.test('a provider is defined, read and changed, its secret never reported', async (t) => {
  const id = await openCompany(admin, place, { enabled: false, icon: 'building' })
  const read = await admin.must('GET', `${path}/${id}`)
  t.match(read, {
    slug: 'company',
    name: 'Company',
    enabled: false,
    client_secret: '',
    has_client_secret: true,
    scopes: 'openid profile email',
    user_id_field: 'sub',
    access_policy: [],
  })
  t.notMatch(JSON.stringify(await admin.must('GET', `${path}/`)), clientSecret)
  t.notMatch(JSON.stringify(await knex('oauth_providers')), clientSecret, 'it is sealed')
  t.strictSame((await browser(url).call('GET', '/api/oauth/providers')).data, [])
  const changed = await admin.must('PUT', `${path}/${id}`, { enabled: true, client_secret: '' })
  t.match(changed, { enabled: true, has_client_secret: true, icon: 'building' })
  t.match(await browser(url).signIn('company', known(place, 'ada')), { status: 200 })
})

t.test('what cannot be is refused', async (t) => {
  const form = { name: 'Other', slug: 'other' }
  const faults: Readonly<Record<string, object>> = {
    slug: { slug: 'Other_1' },
    name: { name: '' },
    token_endpoint: { token_endpoint: 'ftp://id.example/token' },
    authorization_endpoint: { authorization_endpoint: 'javascript:alert(1)' },
    user_info_endpoint: { user_info_endpoint: 'https://user:password@id.example/me' },
    auth_style: { auth_style: 'query' },
    enabled: { enabled: true },
    'access_policy.0.operator': { access_policy: [{ field: 'a', operator: 'like', value: 'b' }] },
    'access_policy.0': { access_policy: [{ field: 'a', operator: 'eq', value: ['b'] }] },
  }
  for (const [field, over] of Object.entries(faults)) {
    const answer = await admin.call('POST', `${path}/`, { ...form, ...over })
    t.match(answer, { status: 400, body: { field } }, field)
  }
  for (const slug of ['github', 'oidc', 'state', 'providers', 'email', 'company']) {
    const answer = await admin.call('POST', `${path}/`, { ...form, slug })
    t.match(answer, { status: 409, body: { field: 'slug' } }, slug)
  }
  const [{ id }] = await admin.must('GET', `${path}/`)
  t.match(await admin.call('PUT', `${path}/${id}`, { slug: 'renamed' }), { status: 409 })
  t.match(await admin.call('PUT', `${path}/${id}`, { client_id: '' }), { status: 400 })
  t.match(await admin.call('GET', `${path}/999`), { status: 404 })
})

t.test('rules of access hold what the provider states of somebody', async (t) => {
  const [{ id }] = await admin.must('GET', `${path}/`)
  const enters = async (subject: string, claims: object, rules: readonly object[]) => {
    await admin.must('PUT', `${path}/${id}`, { access_policy: rules })
    return (await browser(url).signIn('company', known(place, subject, claims))).status
  }
  const rule = (operator: string, value: unknown, field = 'team') => ({ field, operator, value })
  t.equal(await enters('p1', { team: 'blue' }, [rule('eq', 'blue')]), 200)
  t.equal(await enters('p2', { team: 'red' }, [rule('eq', 'blue')]), 403)
  t.equal(await enters('p3', {}, [rule('eq', 'blue')]), 403, 'nothing stated')
  t.equal(await enters('p4', { team: 'red' }, [rule('in', ['red', 'blue'])]), 200)
  t.equal(await enters('p5', { team: ['a', 'b'] }, [rule('contains', 'b')]), 200)
  t.equal(await enters('p6', { team: ['a', 'b'] }, [rule('contains', ['b', 'c'])]), 403)
  t.equal(await enters('p7', { team: { name: 'x' } }, [rule('eq', 'x', 'team.name')]), 200)
  t.equal(await enters('p8', { team: 'xblue' }, [rule('contains', 'blue')]), 403, 'whole words')
  t.equal(await enters('p9', { team: 'blue' }, [rule('eq', 'blue'), rule('eq', 'z', 'sub')]), 403)
  const truth = [rule('eq', 'true', 'team')]
  t.equal(await enters('p10', { team: true }, truth), 200, 'forms have no truths but text')
  t.equal(await enters('p11', { team: false }, truth), 403)
  t.equal(await enters('p1', { team: 'left' }, [rule('eq', 'blue')]), 403, 'at each sign-in')
  t.equal((await knex('oauth_identities').where('subject', 'p2')).length, 0)
  await admin.must('PUT', `${path}/${id}`, { access_policy: [] })
})

t.test('an edit shows at the next sign-in', async (t) => {
  const [{ id }] = await admin.must('GET', `${path}/`)
  await admin.must('PUT', `${path}/${id}`, { client_secret: 'another-secret' })
  t.match(await browser(url).signIn('company', 'ada'), { status: 502 })
  await admin.must('PUT', `${path}/${id}`, { client_secret: clientSecret, name: 'House' })
  t.match(await browser(url).signIn('company', 'ada'), { status: 200 })
  t.match((await browser(url).call('GET', '/api/oauth/providers')).data, [{ title: 'House' }])
})

t.test('the discovery document fills the form', async (t) => {
  const ask = (address: string) =>
    admin.call('GET', `${path}/discovery?url=${encodeURIComponent(address)}`)
  const found = {
    issuer: place.issuer,
    token_endpoint: `${place.issuer}/token`,
    user_info_endpoint: `${place.issuer}/me`,
  }
  t.match(await ask(place.issuer), { status: 200, body: { data: found } })
  t.match(await ask(`${place.issuer}/.well-known/openid-configuration`), { body: { data: found } })
  t.match(await ask(`${place.issuer}/nowhere`), { status: 400, body: { field: 'url' } })
  t.match(await ask('http://127.0.0.1:1/'), { status: 400, body: { field: 'url' } })
  t.match(await ask('file:///etc/passwd'), { status: 400 })
})

t.test('only root defines providers', async (t) => {
  const password = 'correct horse battery'
  await admin.must('POST', '/api/user/', { username: 'admin7', password, role: 10 })
  const client = management(url)
  await client.login('admin7', password)
  t.match(await client.call('GET', `${path}/`), { status: 403 })
  t.match(await client.call('POST', `${path}/`, { name: 'x', slug: 'xx' }), { status: 403 })
  t.match(await management(url).call('GET', `${path}/`), { status: 401 })
})

t.test('one that people are bound to is deleted by force alone', async (t) => {
  const [{ id }] = await admin.must('GET', `${path}/`)
  const [row] = await knex('oauth_identities').where('provider', 'company').count()
  const bound = Number(row?.count)
  const refused = await admin.call('DELETE', `${path}/${id}`)
  t.match(refused, { status: 409, body: { message: new RegExp(`: ${bound}\\.`) } })
  t.match(await admin.must('DELETE', `${path}/${id}?force=true`), { unbound: bound })
  t.strictSame(await knex('oauth_identities'), [])
  t.match(await browser(url).begin('company'), { status: 400, code: 'oauth_provider_unknown' })
})
