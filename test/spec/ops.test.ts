/** One test for each change that clients have to follow (OPS-3). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const { url, admin: root, gateway } = await startGateway(t)
const password = 'correct horse battery'

async function person(username: string) {
  const { id } = await root.must('POST', '/api/user/', { username, password, role: 1 })
  const client = management(url)
  await client.login(username, password)
  return { ...client, id }
}

t.test('[OPS-3] the access token moved from GET to POST, and asks for a proof', async (t) => {
  const ada = await person('ada')
  const old = await ada.call('GET', '/api/user/token')
  t.match({ status: old.status, allow: old.headers.get('allow') }, { status: 405, allow: 'POST' })
  const unproved = { status: 403, body: { code: 'verification_required' } }
  t.match(await ada.call('POST', '/api/user/token', {}), unproved)
  const proof = await ada.prove('access_token', password)
  const made = await ada.call('POST', '/api/user/token', {}, proof)
  t.match(made, { status: 200, body: { data: /.{32,}/ } })
  t.equal(made.headers.get('cache-control'), 'no-store')
  t.match(await ada.call('POST', '/api/user/token', {}, proof), unproved)
})

t.test('[OPS-3] the OAuth state moved from GET to POST, with provider and intent', async (t) => {
  const stranger = management(url)
  t.match(await stranger.call('GET', '/api/oauth/state'), { status: 405 })
  await root.option('ServerAddress', url)
  await root.option('GitHubClientId', 'id')
  await root.option('GitHubClientSecret', 'secret')
  await root.option('GitHubOAuthEnabled', true)
  const state = (form: object) => stranger.call('POST', '/api/oauth/state', form)
  t.match(await state({}), { status: 400 })
  t.match(await state({ provider: 'github' }), { status: 400, body: { field: 'intent' } })
  t.match(await state({ intent: 'login' }), { status: 400, body: { field: 'provider' } })
  t.match(await state({ provider: 'github', intent: 'other' }), { status: 400 })
  t.match(await state({ provider: 'github', intent: 'bind' }), { status: 401 })
  const [one, two] = [
    await state({ provider: 'github', intent: 'login' }),
    await state({ provider: 'github', intent: 'login' }),
  ]
  t.match(one, { status: 200, body: { data: { state: /.{32,}/ } } })
  t.not(one.body.data.state, two.body.data.state)
})

/** Of the image addresses a gateway serves, those that show something to who brings no signature. */
async function openImages(at: string, paths: readonly string[]): Promise<readonly string[]> {
  const seen = paths.map(async (path) => {
    const answer = await fetch(`${at}${path.replace(/\{[^}]*\}/g, '1')}`)
    const refused = answer.status === 403 || answer.status === 404
    const isImage = answer.headers.get('content-type')?.startsWith('image/') === true
    return refused && !isImage ? [] : [path]
  })
  return (await Promise.all(seen)).flat()
}

const imagePaths = ['/mj/image/{id}', '/{mode}/mj/image/{id}', '/mj/image/{id}.png']

t.test('[OPS-3] an image address without signature shows nothing', async (t) => {
  const served = gateway
    .service('catalog')
    .routes()
    .map(({ declared }) => declared.path)
    // The seed of a picture is a number, for whoever has the key of its task.
    .filter((path) => /\/mj\/.*image(?!-seed)/.test(path))
  t.same(await openImages(url, [...served, ...imagePaths]), [])
  for (const path of served) {
    t.equal((await fetch(`${url}${path.replace(/\{[^}]*\}/g, '1')}`)).status, 403, path)
  }
})

t.test('[OPS-3] an image address that shows something would be noticed', async (t) => {
  const server = createServer(({ url: path = '' }, response) => {
    if (path.includes('1.png')) response.writeHead(404, { 'content-type': 'image/png' })
    else response.writeHead(path.startsWith('/mj') ? 200 : 403)
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const noticed = await openImages(`http://127.0.0.1:${port}`, imagePaths)
  t.same(noticed, ['/mj/image/{id}', '/mj/image/{id}.png'])
})

t.test('[OPS-3] deleting the own account asks for a proof of that scope', async (t) => {
  const bob = await person('bob')
  const unproved = { status: 403, body: { code: 'verification_required' } }
  t.match(await bob.call('DELETE', '/api/user/self'), unproved)
  const other = await bob.prove('access_token', password)
  t.match(await bob.call('DELETE', '/api/user/self', undefined, other), unproved)
  t.match(await bob.call('GET', '/api/user/self'), { status: 200 })
  const proof = await bob.prove('account_delete', password)
  t.match(await bob.call('DELETE', '/api/user/self', undefined, proof), { status: 200 })
  t.match(await bob.call('GET', '/api/user/self'), { status: 401 })
})

t.test('[OPS-3] an update of a channel changes what it names, and nothing else', async (t) => {
  const fields = { name: 'c', type: 1, key: 'a key', models: 'm,n', base_url: url, priority: 7 }
  const id = await root.channel(fields)
  const before = await root.must('GET', `/api/channel/${id}`)
  await root.must('PUT', '/api/channel/', { id, name: 'renamed', key: '' })
  const after = await root.must('GET', `/api/channel/${id}`)
  t.match(after, { name: 'renamed', models: 'm,n', priority: 7, base_url: before.base_url })
  const keys = await gateway.service('database').knex('channel_keys').where('channel_id', id)
  t.equal(keys.length, 1, 'a blank key clears none')
  t.match(await root.call('PUT', '/api/channel/', { id, status: 9 }), { status: 400 })
})

t.test('[OPS-3] cross_group_retry is an optional boolean', async (t) => {
  const { id } = await root.token({ name: 'retries', group: 'default', cross_group_retry: true })
  const readResult = () => root.must('GET', `/api/token/${id}`)
  t.match(await readResult(), { cross_group_retry: true })
  const form = { id, name: 'renamed', unlimited_quota: true, expired_time: -1 }
  await root.must('PUT', '/api/token/', form)
  t.match(await readResult(), { name: 'renamed', cross_group_retry: true }, 'left out: unchanged')
  await root.must('PUT', '/api/token/', { ...form, cross_group_retry: false })
  t.match(await readResult(), { cross_group_retry: false })
  const wrong = await root.call('PUT', '/api/token/', { ...form, cross_group_retry: 'often' })
  t.equal(wrong.status, 400)
})

t.test('[OPS-3] groups come with auto_routes beside them, tokens with their routing', async (t) => {
  const { body } = await root.call('GET', '/api/group')
  t.type(body.data, 'object')
  t.notOk(Array.isArray(body.data), 'the dictionary stays what it was')
  t.match(body, { success: true, auto_routes: Array })
  const { id } = await root.token({ name: 'routed' })
  const token = await root.must('GET', `/api/token/${id}`)
  t.match(token, { routing: { version: 1, mode: String }, routing_legacy: true })
})

t.test('[OPS-1] which version runs is reported to nobody who is not signed in', async (t) => {
  const version = 'v0.0.0'
  const paths = gateway
    .service('catalog')
    .routes()
    .filter(({ declared }) => declared.method === 'GET')
    .map(({ declared }) => declared.path.replace(/\{[^}]*\}/g, '1'))
  t.ok(paths.includes('/api/status') && paths.includes('/health'))
  for (const path of [...paths, '/', '/nothing', '/api/nothing']) {
    const answer = await fetch(`${url}${path}`)
    const message = JSON.stringify([...answer.headers]) + (await answer.text())
    t.notOk(message.includes(version), path)
  }
  t.strictSame(await root.must('GET', '/api/status/version'), { version })
})
